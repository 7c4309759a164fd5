package main

// Plays the solution beside it; noughts.checker.isolated describes the protocol.

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

type noughtsPlace struct {
	object $object
	failed any
}

func noughtsMake(n int) $object { return $make }

func noughtsPlay(game *$object, marks []int, at int) any {
	n, row, col, player := marks[0], 0, 0, 0
	if !$whole {
		row, col, player = marks[at], marks[at+1], marks[at+2]
	}
	_, _, _, _, _ = n, row, col, player, game
	$act
	return $answer
}

func noughtsFirst[T any](value T, _ error) T { return value }

func noughtsPick[T any](first bool, one, other T) T {
	if first {
		return one
	}
	return other
}

func noughtsWritten(value any) string {
	found := reflect.ValueOf(value)
	switch found.Kind() {
	case reflect.Invalid:
		return "nil"
	case reflect.String:
		return "'" + found.String() + "'"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(found.Int(), 10)
	case reflect.Ptr:
		if found.IsNil() {
			return "nil"
		}
		return noughtsWritten(found.Elem().Interface())
	}
	return fmt.Sprintf("%v", value)
}

func noughtsCreate(n int) (place noughtsPlace) {
	defer func() { place.failed = recover() }()
	place.object = noughtsMake(n)
	return
}

func noughtsAttempt(place *noughtsPlace, marks []int, at int) (answer string) {
	defer func() {
		if failed := recover(); failed != nil {
			answer = "!panic: " + strings.NewReplacer("\n", " ", "\t", " ").Replace(fmt.Sprint(failed))
		}
	}()
	if place.failed != nil {
		panic(place.failed)
	}
	return noughtsWritten(noughtsPlay(&place.object, marks, at))
}

func noughtsNow() int64 {
	var now syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, 3, uintptr(unsafe.Pointer(&now)), 0) // CLOCK_THREAD_CPUTIME_ID
	return now.Nano()
}

func noughtsServe(out *bufio.Writer, verb byte, game []int, places *[64]noughtsPlace) {
	switch verb {
	case 'o':
		places[game[0]] = noughtsCreate(game[1])
	case 'm':
		fmt.Fprintln(out, noughtsAttempt(&places[game[0]], game[1:], 1))
	case 'p':
		place := noughtsCreate(game[0])
		for at := 1; at < len(game) || ($whole && at == 1); at += 3 {
			if at > 1 && !$whole {
				out.WriteByte('\t')
			}
			if at == 1 || !$whole {
				out.WriteString(noughtsAttempt(&place, game, at))
			}
		}
		out.WriteByte('\n')
	default:
		debug.SetGCPercent(-1)
		start := noughtsNow()
		object := noughtsMake(game[0])
		ready := noughtsNow()
		for at := 1; at < len(game); at += 3 {
			noughtsPlay(&object, game, at)
		}
		end := noughtsNow()
		debug.SetGCPercent(100)
		if verb == 't' {
			fmt.Fprintln(out, float64(ready-start)*1e-9, float64(end-ready)*1e-9)
		} else {
			fmt.Fprintln(out, noughtsBytes(&object))
		}
	}
}

func main() {
	runtime.LockOSThread()
	in := bufio.NewReaderSize(os.NewFile(3, "requests"), 1<<16)
	out := bufio.NewWriter(os.NewFile(4, "answers"))
	var places [64]noughtsPlace
	fmt.Fprintln(out, "[]")
	out.Flush()
	for line, err := in.ReadString('\n'); err == nil; line, err = in.ReadString('\n') {
		game := []int{}
		for _, word := range strings.Fields(line[1:]) {
			number, _ := strconv.Atoi(word)
			game = append(game, number)
		}
		if len(game) == 0 {
			out.Flush()
		} else {
			noughtsServe(out, line[0], game, &places)
		}
	}
}
