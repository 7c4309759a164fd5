struct TicTacToe {
    n: usize,
    board: Vec<Vec<i32>>,
}

impl TicTacToe {
    fn new(n: i32) -> Self {
        TicTacToe { n: n as usize, board: vec![vec![0; n as usize]; n as usize] }
    }

    fn make_a_move(&mut self, row: i32, col: i32, player: i32) -> i32 {
        let (n, row, col, board) = (self.n, row as usize, col as usize, &mut self.board);
        board[row][col] = player;
        let (mut across, mut down, mut falling, mut rising) = (true, true, true, true);
        for i in 0..n {
            across &= board[row][i] == player;
            down &= board[i][col] == player;
            falling &= board[i][i] == player;
            rising &= board[i][n - 1 - i] == player;
        }
        let won = across | down | falling | rising;
        if won { player } else { 0 }
    }
}
