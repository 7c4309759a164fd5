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
        let (mut won, mut falling, mut rising) = (false, true, true);
        for i in 0..n {
            let (mut across, mut down) = (true, true);
            for j in 0..n {
                across &= board[i][j] == player;
                down &= board[j][i] == player;
            }
            falling &= board[i][i] == player;
            rising &= board[i][n - 1 - i] == player;
            won |= across | down;
        }
        won |= falling | rising;
        if won { player } else { 0 }
    }
}
