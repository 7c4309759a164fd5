public class TicTacToe {
    private readonly int n;
    private readonly int[,] board;

    public TicTacToe(int n) {
        this.n = n;
        board = new int[n, n];
    }

    public int Move(int row, int col, int player) {
        board[row, col] = player;
        bool across = true, down = true, falling = true, rising = true;
        for (int i = 0; i < n; i++) {
            across &= board[row, i] == player;
            down &= board[i, col] == player;
            falling &= board[i, i] == player;
            rising &= board[i, n - 1 - i] == player;
        }
        bool won = across | down | falling | rising;
        return won ? player : 0;
    }
}
