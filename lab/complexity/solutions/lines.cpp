class TicTacToe {
    int n;
    vector<vector<int>> board;

public:
    TicTacToe(int n) : n(n), board(n, vector<int>(n)) {}

    int move(int row, int col, int player) {
        board[row][col] = player;
        bool across = true, down = true, falling = true, rising = true;
        for (int i = 0; i < n; i++) {
            across &= board[row][i] == player;
            down &= board[i][col] == player;
            falling &= board[i][i] == player;
            rising &= board[i][n - 1 - i] == player;
        }
        bool won = across | down | falling | rising;
        return won ? player : 0;
    }
};
