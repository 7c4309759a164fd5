class TicTacToe {
    private final int n;
    private final int[] rows, cols;
    private int falling, rising;

    TicTacToe(int n) {
        this.n = n;
        rows = new int[n];
        cols = new int[n];
    }

    int move(int row, int col, int player) {
        int mark = 3 - 2 * player, all = mark * n;
        rows[row] += mark;
        cols[col] += mark;
        if (row == col) falling += mark;
        if (row + col == n - 1) rising += mark;
        return rows[row] == all || cols[col] == all || falling == all || rising == all ? player : 0;
    }
}
