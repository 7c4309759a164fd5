class TicTacToe {
    constructor(n) {
        this.n = n;
        this.rows = new Array(n).fill(0);
        this.cols = new Array(n).fill(0);
        this.falling = this.rising = 0;
    }

    move(row, col, player) {
        const mark = 3 - 2 * player, all = mark * this.n;
        this.rows[row] += mark;
        this.cols[col] += mark;
        if (row === col) this.falling += mark;
        if (row + col === this.n - 1) this.rising += mark;
        const won = this.rows[row] === all || this.cols[col] === all || this.falling === all || this.rising === all;
        return won ? player : 0;
    }
}
