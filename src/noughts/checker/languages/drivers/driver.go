package main

// Plays the solution beside it; noughts.checker.isolated describes the protocol.

import ("bufio"; "fmt"; "os"; "reflect"; "runtime"; "runtime/debug"; "strconv"; "strings"; "syscall"; "unsafe")

type noughtsPlace struct { object $object; failed any }
var noughtsPlaces [64]noughtsPlace

func noughtsMake(n int) $object { return $make }

func noughtsPlay(game *$object, marks []int, at int) any {
	n, row, col, player := marks[0], 0, 0, 0
	if !$whole { row, col, player = marks[at], marks[at+1], marks[at+2] }
	_, _, _, _, _ = n, row, col, player, game
	$act
	return $answer
}

func noughtsFirst[T any](value T, _ error) T { return value }
func noughtsPick[T any](first bool, one, other T) T { if first { return one }; return other }

func noughtsWritten(value any) string {
	if number, plain := value.(int); plain { return strconv.Itoa(number) }
	found := reflect.Indirect(reflect.ValueOf(value))
	if found.Kind() == reflect.String { return "'" + found.String() + "'" }
	if !found.IsValid() { return "nil" }
	return fmt.Sprint(found.Interface())
}

func noughtsCreate(n int) (place noughtsPlace) {
	defer func() { place.failed = recover() }()
	place.object = noughtsMake(n)
	return
}

func noughtsAttempt(place *noughtsPlace, marks []int, at int) (answer string) {
	defer func() { if failed := recover(); failed != nil { answer = "!panic: " + strings.Join(strings.Fields(fmt.Sprint(failed)), " ") } }()
	if place.failed != nil { panic(place.failed) }
	return noughtsWritten(noughtsPlay(&place.object, marks, at))
}

func noughtsNow() float64 {
	var now syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, 3, uintptr(unsafe.Pointer(&now)), 0) // CLOCK_THREAD_CPUTIME_ID
	return float64(now.Nano()) * 1e-9
}

func noughtsServe(verb byte, game []int) string {
	switch verb {
	case 'o':
		noughtsPlaces[game[0]] = noughtsCreate(game[1])
		return ""
	case 'm':
		return noughtsAttempt(&noughtsPlaces[game[0]], game[1:], 1) + "\n"
	case 'p':
		place, answers := noughtsCreate(game[0]), []string{}
		for at := 1; at < len(game) && !$whole; at += 3 { answers = append(answers, noughtsAttempt(&place, game, at)) }
		if $whole { answers = append(answers, noughtsAttempt(&place, game, 1)) }
		return strings.Join(answers, "\t") + "\n"
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	start, object, ready := noughtsNow(), noughtsMake(game[0]), noughtsNow()
	for at := 1; at < len(game); at += 3 { noughtsPlay(&object, game, at) }
	end := noughtsNow()
	if verb == 't' { return fmt.Sprintln(ready-start, end-ready) }
	return fmt.Sprintln(noughtsBytes(&object))
}

func main() {
	runtime.LockOSThread()
	in, out := bufio.NewReaderSize(os.NewFile(3, "requests"), 1<<16), bufio.NewWriter(os.NewFile(4, "answers"))
	out.WriteString("[]\n"); out.Flush()
	for line, err := in.ReadString('\n'); err == nil; line, err = in.ReadString('\n') {
		game, at := make([]int, strings.Count(line, " ")), -1
		for _, letter := range line[1:] { if letter == ' ' { at++ } else if letter > ' ' { game[at] = 10*game[at] + int(letter-'0') } }
		if len(game) == 0 { out.Flush() } else { out.WriteString(noughtsServe(line[0], game)) }
	}
}
