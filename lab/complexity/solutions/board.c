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
    bool won = false;
    int falling = 0, rising = 0;
    for (int i = 0; i < n; i++) {
        int across = 0, down = 0;
        for (int j = 0; j < n; j++) {
            across += board[i][j] == player ? 1 : 0;
            down += board[j][i] == player ? 1 : 0;
        }
        falling += board[i][i] == player ? 1 : 0;
        rising += board[i][n - 1 - i] == player ? 1 : 0;
        won |= across == n || down == n;
    }
    won |= falling == n || rising == n;
    return won ? player : 0;
}

void ticTacToeFree(TicTacToe *game) {
    free(game->cells);
    free(game);
}
