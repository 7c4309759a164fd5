package main

type TicTacToe struct {
	n     int
	board [][]int
}

func Constructor(n int) TicTacToe {
	board := make([][]int, n)
	for i := range board {
		board[i] = make([]int, n)
	}
	return TicTacToe{n, board}
}

func (game *TicTacToe) Move(row int, col int, player int) int {
	n, board := game.n, game.board
	board[row][col] = player
	across, down, falling, rising := true, true, true, true
	for i := 0; i < n; i++ {
		across = board[row][i] == player && across
		down = board[i][col] == player && down
		falling = board[i][i] == player && falling
		rising = board[i][n-1-i] == player && rising
	}
	won := across || down || falling || rising
	if won {
		return player
	}
	return 0
}
