typedef struct {
    int n;
    int *cells;
} TicTacToe;

TicTacToe *ticTacToeCreate(int n) {
    TicTacToe *game = malloc(sizeof *game);
    game->n = n;
    game->cells = calloc((size_t) n * n, sizeof(int));
    return game;
}

int ticTacToeMove(TicTacToe *game, int row, int col, int player) {
    int n = game->n, (*board)[n] = (int (*)[n]) game->cells;
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

void ticTacToeFree(TicTacToe *game) {
    free(game->cells);
    free(game);
}
