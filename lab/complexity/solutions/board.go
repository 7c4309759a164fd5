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
	won, falling, rising := false, true, true
	for i := 0; i < n; i++ {
		across, down := true, true
		for j := 0; j < n; j++ {
			across = board[i][j] == player && across
			down = board[j][i] == player && down
		}
		falling = board[i][i] == player && falling
		rising = board[i][n-1-i] == player && rising
		won = across || down || won
	}
	won = won || falling || rising
	if won {
		return player
	}
	return 0
}
