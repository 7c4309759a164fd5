class TicTacToe {
    constructor(n) {
        this.n = n;
        this.board = Array.from({ length: n }, () => new Array(n).fill(0));
    }

    move(row, col, player) {
        const { n, board } = this;
        board[row][col] = player;
        let won = false;
        let falling = 0, rising = 0;
        for (let i = 0; i < n; i++) {
            let across = 0, down = 0;
            for (let j = 0; j < n; j++) {
                across += board[i][j] === player ? 1 : 0;
                down += board[j][i] === player ? 1 : 0;
            }
            falling += board[i][i] === player ? 1 : 0;
            rising += board[i][n - 1 - i] === player ? 1 : 0;
            won = won || across === n || down === n;
        }
        won = won || falling === n || rising === n;
        return won ? player : 0;
    }
}
