package main

import (
	"fmt"
	"os"
	"time"
)

type node struct {
	value int
	next  *node
}

type pair struct{ one, other []int }

func build(kind string, n int) any {
	switch kind {
	case "ints":
		return make([]int, n)
	case "grid":
		board := make([][]int, n)
		for i := range board {
			board[i] = make([]int, n)
		}
		return &struct{ board [][]int }{board}
	case "twice":
		one := make([]int, n)
		return &pair{one, one[1:]}
	case "list", "ring":
		last := &node{}
		first := last
		for i := 1; i < n; i++ {
			first = &node{0, first}
		}
		if kind == "ring" {
			last.next = first
		}
		return first
	case "map":
		found := map[int]int{}
		for i := 0; i < n; i++ {
			found[i] = i
		}
		return &struct{ cells map[int]int }{found}
	case "set":
		found := map[[2]int]struct{}{}
		for i := 0; i < n; i++ {
			found[[2]int{i, i}] = struct{}{}
		}
		return found
	case "bits":
		return make([]uint64, n/8)
	case "boxed":
		list := make([]any, n)
		for i := range list {
			list[i] = 1000 + i
		}
		return list
	case "same":
		one := any(1000)
		list := make([]any, n)
		for i := range list {
			list[i] = one
		}
		return list
	case "maps":
		list := map[string]*[4]int{}
		for i := 0; i < n; i++ {
			list[fmt.Sprintf("%09d", i)] = new([4]int)
		}
		return list
	case "text":
		text := make([]byte, n)
		return string(text)
	case "closure":
		kept := make([]int, n)
		return &struct{ move func() }{func() { kept[0]++ }}
	}
	panic(kind)
}

func main() {
	for _, n := range []int{8, 64, 512} {
		for _, kind := range os.Args[1:] {
			fmt.Println(kind, n, noughtsBytes(build(kind, n)))
		}
	}
	for i := 0; i < 5; i++ {
		board := build("grid", 512)
		start := time.Now()
		noughtsBytes(board)
		fmt.Println("time", 512, time.Since(start).Microseconds())
	}
}
