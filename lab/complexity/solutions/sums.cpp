class TicTacToe {
    int n, falling = 0, rising = 0;
    vector<int> rows, cols;

public:
    TicTacToe(int n) : n(n), rows(n), cols(n) {}

    int move(int row, int col, int player) {
        int mark = 3 - 2 * player, all = mark * n;
        rows[row] += mark;
        cols[col] += mark;
        if (row == col) falling += mark;
        if (row + col == n - 1) rising += mark;
        return rows[row] == all || cols[col] == all || falling == all || rising == all ? player : 0;
    }
};
