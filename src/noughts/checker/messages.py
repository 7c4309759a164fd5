"""The sentences of a report."""

from collections.abc import Iterator, Sequence

from noughts.checker.games import lines
from noughts.checker.solution import Answer, Flat, Move, Problem
from noughts.picture import cell_name, column_name, symbol

ASSUMED = "All moves are legal, players alternate, either may begin, and no move follows a win."
DIFFERS = "Its answers are not reproducible: the same games got different answers the second time."
MERGED = "If several games lead to the same board and state, only one of them is continued."
FROM_ONE = "it fails on row 0 and column 0: rows and columns are counted from 0, not from 1"
UNFINISHED = {
    "<coroutine": "its method is async, so a call returns a coroutine: remove async",
    "<generator": "its method has a yield, so a call returns a generator: use return",
    "<function": "it returns a function instead of calling it: add ()",
    "<bound method": "it returns a method instead of calling it: add ()",
}
"""How answers begin that a call was to make first, with what to do."""
NOT_ALL = "Time ran out before every game up to 3×3 was played; those left out are spread evenly."
CUT_SHORT = "Time ran out before every line of the largest boards was played."


BOARDS = ("winner", "possible")
"""The problems that ask about a board, whatever the order of its marks."""


def named_lines(n: int) -> Iterator[tuple[str, list[Flat]]]:
    """Return the lines of a board with their names."""
    rows = [f"row {at + 1}" for at in range(n)]
    columns = [f"column {column_name(at)}" for at in range(n)]
    return zip(["the diagonal", "the anti-diagonal", *rows, *columns], lines(n), strict=True)


def through(n: int, moves: tuple[Move, ...]) -> list[tuple[str, list[Flat], int]]:
    """Return each line through the last move: its name, its cells and its player's mark count."""
    row, col, player = moves[-1]
    mine = {move[:2] for move in moves if move[2] == player}
    return [
        (name, line, len(mine & {*line})) for name, line in named_lines(n) if (row, col) in line
    ]


def lines_of(n: int, moves: tuple[Move, ...], player: int) -> list[tuple[str, list[Flat]]]:
    """Return a player's complete lines with their names."""
    mine = {move[:2] for move in moves if move[2] == player}
    return [(name, line) for name, line in named_lines(n) if mine.issuperset(line)]


def who(problem: Problem, player: int) -> str:
    """Return the name of a player."""
    return "AB"[player - 1] if problem == "tictactoe" else symbol(player)


def why(problem: Problem, n: int, moves: tuple[Move, ...]) -> str:
    """Explain the right answer: which line is complete, or that none is."""
    if problem in BOARDS:
        return _why_possible(n, moves) if problem == "possible" else _why_won(n, moves)
    found, player = through(n, moves), who(problem, moves[-1][2])
    complete = [f"{_cells(line)}, {name}" for name, line, marks in found if marks == n]
    if n == 1:
        return f"{player} has the only cell"
    if complete:
        return f"{player} has {', and '.join(complete)}"
    if len(moves) == n * n:
        return "the board is full, and no line is complete"
    most = max(marks for _, _, marks in found)
    longest = [name for name, _, marks in found if marks == most]
    if len(longest) > 1:  # it is unknown which of them the solution counted as complete
        return "no line is complete"
    return f"no line is complete: {player} has {most} of {n} cells in {longest[0]}"


def _why_won(n: int, moves: tuple[Move, ...]) -> str:
    """Explain who has won on a board."""
    complete = [
        f"{symbol(player)} has {_cells(line)}, {name}"
        for player in (1, 2)
        for name, line in lines_of(n, moves, player)
    ]
    return ", and ".join(complete) or "no line is complete"


def _why_possible(n: int, moves: tuple[Move, ...]) -> str:
    """Explain whether a game can lead to a board."""
    first, second = (sum(move[2] == player for move in moves) for player in (1, 2))
    won = [bool(lines_of(n, moves, player)) for player in (1, 2)]
    if first - second not in (0, 1):
        return f"marks of X: {first}, of O: {second}; but X begins, and they take turns"
    if all(won):
        return "both players have a line"
    if won[0] and first == second:
        return "X has a line, but O moved last"
    if won[1] and first > second:
        return "O has a line, but X moved last"
    return "a game can lead to this board"


def _cells(line: list[Flat]) -> str:
    names = [cell_name(cell) for cell in line]
    return " ".join(names) if len(names) <= 6 else f"{names[0]} to {names[-1]}"


def answer_in_words(answered: Answer, expected: Answer) -> str:
    """Return a phrase for the solution's answer, with its type if that is the mistake."""
    if not answered:
        return "no answer"
    if answered.startswith("!"):
        return f"it raises {answered[1:]}"
    other_type = {"True": "a bool", "False": "a bool", "1.0": "a float", "0.0": "a float"}
    kind = other_type.get(answered) or ("a string" if answered in ("'0'", "'1'", "'2'") else "")
    kind = kind if expected.isdecimal() else ""
    return f"your answer {answered}" + (f", {kind}" if kind else "")


def counterexample_message(
    problem: Problem, n: int, moves: tuple[Move, ...], others: bool, again: bool
) -> str:
    """Explain a counterexample in one or two sentences.

    `others` is whether the mistake depends on games of other objects, and `again` whether a fresh
    solution gives the wrong answer too.
    """
    reason = why(problem, n, moves)
    if not again:
        return f"{reason}. Played again, the same game gets the right answer"
    if not others:
        return reason
    each = "objects share state" if problem == "TicTacToe" else "calls share state"
    return f"{reason}. Played on its own, the same game gets the right answer: {each}"


def where(problem: Problem, n: int, moves: int) -> str:
    """Return where a game fails, such as "on 3×3 after 5 moves"; or a board, by its marks."""
    many = "" if moves == 1 else "s"
    if problem in BOARDS:
        return f"on a board with {moves or 'no'} mark{many}"
    return f"on {n}×{n} after {moves} move{many}"


def wrong_message(problem: Problem, n: int, moves: int, others: bool) -> str:
    """Return the verdict on a wrong solution."""
    note = "no shorter game fails" if n <= 3 else "no move can be left out"
    if problem in BOARDS:
        note = "no board with fewer marks fails"
    said = "only if another game is played first" if others else note
    return f"wrong {where(problem, n, moves)}" + (f" ({said})" if moves else "")


def right_message(games: int, complete: bool, n: int | None, boards: bool) -> str:
    """Return the verdict on a right solution, whose only size of board is `n`, if it has one."""
    each = "board" if boards else "game"
    every = f"every {each} on {n}×{n}" if n else f"every {each} up to 3×3"
    played = every if n else f"{every}, then larger boards"
    if not complete:
        played = f"time ran out before {every} was played"
    return f"right in {games:,} {each}s: {played}"


def learned_note(learned: Sequence[tuple[str, str]]) -> str:
    """Return what other answers were taken for."""
    meant = {"0": "no winner", "1": "a win of the first player", "2": "a win of the second player"}
    meant["mover"] = "a win of the player who moved"
    pairs = [f"{text} was taken for {meant.get(meaning, meaning)}" for text, meaning in learned]
    return "; ".join(pairs)


def unclear_note(found: str, wanted: str) -> str:
    """Return the note on a requirement that could not be decided, such as "time is not clear"."""
    return f"{found.capitalize()}. {wanted} is required; this counts as met without --strict."
