public class TicTacToe {
    private readonly int n;
    private readonly int[,] board;

    public TicTacToe(int n) {
        this.n = n;
        board = new int[n, n];
    }

    public int Move(int row, int col, int player) {
        board[row, col] = player;
        bool won = false;
        int falling = 0, rising = 0;
        for (int i = 0; i < n; i++) {
            int across = 0, down = 0;
            for (int j = 0; j < n; j++) {
                across += board[i, j] == player ? 1 : 0;
                down += board[j, i] == player ? 1 : 0;
            }
            falling += board[i, i] == player ? 1 : 0;
            rising += board[i, n - 1 - i] == player ? 1 : 0;
            won |= across == n || down == n;
        }
        won |= falling == n || rising == n;
        return won ? player : 0;
    }
}
