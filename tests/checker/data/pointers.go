package game

import "errors"

type Mark string

const (
	X Mark = "X"
	O Mark = "O"
)

type line struct {
	kind string
	at   int
	mark Mark
}

type Game struct {
	size   int
	counts map[line]int
	taken  map[[2]int]bool
	winner *Mark
}

func NewGame(size int) *Game {
	return &Game{size: size, counts: map[line]int{}, taken: map[[2]int]bool{}}
}

func (g *Game) Place(mark Mark, row, col int) error {
	if g.taken[[2]int{row, col}] {
		return errors.New("the cell is taken")
	}
	g.taken[[2]int{row, col}] = true
	lines := []line{{"row", row, mark}, {"col", col, mark}}
	if row == col {
		lines = append(lines, line{"falling", 0, mark})
	}
	if row+col == g.size-1 {
		lines = append(lines, line{"rising", 0, mark})
	}
	for _, each := range lines {
		g.counts[each]++
		if g.counts[each] == g.size {
			g.winner = &mark
		}
	}
	return nil
}

func (g *Game) Winner() *Mark { return g.winner }
