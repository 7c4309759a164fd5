struct TicTacToe {
    n: i32,
    rows: Vec<i32>,
    cols: Vec<i32>,
    diagonal: i32,
    anti: i32,
}

/** `&self` means the method takes an immutable reference. */
impl TicTacToe {
    fn new(n: i32) -> Self {
        TicTacToe { n, rows: vec![0; n as usize], cols: vec![0; n as usize], diagonal: 0, anti: 0 }
    }

    fn make_a_move(&mut self, row: i32, col: i32, player: i32) -> i32 {
        let value = if player == 1 { 1 } else { -1 };
        self.rows[row as usize] += value;
        self.cols[col as usize] += value;
        if row == col { self.diagonal += value; }
        if row + col == self.n - 1 { self.anti += value; }
        let won = self.n * value;
        if self.rows[row as usize] == won || self.cols[col as usize] == won || self.diagonal == won || self.anti == won {
            return player;
        }
        0
    }
}
