class TicTacToe {
    private n: number;
    private board: number[][];

    constructor(n: number) {
        this.n = n;
        this.board = Array.from({ length: n }, () => new Array(n).fill(0));
    }

    move(row: number, col: number, player: number): number {
        const { n, board } = this;
        board[row][col] = player;
        let across = true, down = true, falling = true, rising = true;
        for (let i = 0; i < n; i++) {
            across = board[row][i] === player && across;
            down = board[i][col] === player && down;
            falling = board[i][i] === player && falling;
            rising = board[i][n - 1 - i] === player && rising;
        }
        let won = across || down || falling || rising;
        return won ? player : 0;
    }
}
