class TicTacToe {
    private n: number;
    private rows: number[];
    private cols: number[];
    private falling = 0;
    private rising = 0;

    constructor(n: number) {
        this.n = n;
        this.rows = new Array(n).fill(0);
        this.cols = new Array(n).fill(0);
    }

    move(row: number, col: number, player: number): number {
        const mark = 3 - 2 * player, all = mark * this.n;
        this.rows[row] += mark;
        this.cols[col] += mark;
        if (row === col) this.falling += mark;
        if (row + col === this.n - 1) this.rising += mark;
        const won = this.rows[row] === all || this.cols[col] === all || this.falling === all || this.rising === all;
        return won ? player : 0;
    }
}
