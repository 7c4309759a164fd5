"""The sentences of a report."""

from noughts.checker.games import lines
from noughts.checker.solution import Answer, Flat, Move, Problem
from noughts.picture import cell_name, column_name, symbol

ASSUMED = "The moves are legal, the players take turns, either may begin, nothing follows a win."
DIFFERS = "It answers differently the second time: the same games were answered otherwise before."
MERGED = "Where board and state are the same, one of the games that lead there is played on."
NOT_ALL = "There was no time for every game up to 3×3; what is left out is spread evenly."
CUT_SHORT = "There was no time for every line of the largest boards."


def line_names(n: int) -> list[str]:
    """The names of the lines, in the order of `lines`: ``the diagonal``, …, ``row 1``."""
    rows = [f"row {at + 1}" for at in range(n)]
    return [
        "the diagonal",
        "the anti-diagonal",
        *rows,
        *(f"column {column_name(at)}" for at in range(n)),
    ]


def through(n: int, moves: tuple[Move, ...]) -> list[tuple[str, list[Flat], int]]:
    """Each line through the last move: its name, its cells, and how many its player has there."""
    row, col, player = moves[-1]
    mine = {move[:2] for move in moves if move[2] == player}
    pairs = zip(line_names(n), lines(n), strict=True)
    return [
        (name, line, len(mine.intersection(line))) for name, line in pairs if (row, col) in line
    ]


def who(problem: Problem, player: int) -> str:
    """A player in words."""
    return symbol(player) if problem == "TicTacToe" else "AB"[player - 1]


def why(problem: Problem, n: int, moves: tuple[Move, ...]) -> str:
    """Why the right answer is right: which line is complete, or that none is."""
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
    if len(longest) > 1:  # nobody knows which of them was taken for complete
        return "no line is complete"
    return f"no line is complete: {player} has {most} of {n} cells of {longest[0]}"


def _cells(line: list[Flat]) -> str:
    names = [cell_name(cell) for cell in line]
    return " ".join(names) if len(names) <= 6 else f"{names[0]} to {names[-1]}"


def answer_in_words(answered: Answer) -> str:
    """What was answered, as a part of a sentence."""
    if not answered:
        return "no answer"
    if answered.startswith("!"):
        return f"it raises {answered[1:]}"
    other_type = {"True": "a bool", "False": "a bool", "1.0": "a float", "0.0": "a float"}
    kind = other_type.get(answered) or ("a string" if answered in ("'0'", "'1'", "'2'") else "")
    return f"your answer {answered}" + (f", {kind}" if kind else "")


def counterexample_message(
    problem: Problem, n: int, moves: tuple[Move, ...], others: bool, again: bool
) -> str:
    """What a counterexample shows, in a sentence or two.

    Args:
        problem: which.
        n: the side of the board.
        moves: those of the game.
        others: whether it takes games of other objects.
        again: whether a fresh solution answers as wrongly.
    """
    reason = why(problem, n, moves)
    if not again:
        return f"{reason}. Asked again, the same game was answered rightly"
    if not others:
        return reason
    each = "objects share" if problem == "TicTacToe" else "calls share"
    return f"{reason}. Alone, the same game is answered rightly: {each} their state"


def where(n: int, moves: int) -> str:
    """When it happens: ``on 3×3 after 5 moves``."""
    return f"on {n}×{n} after {moves} move{'s' if moves > 1 else ''}"


def wrong_message(n: int, moves: int, others: bool) -> str:
    """The verdict on a wrong solution."""
    shown = "the shortest game that shows it" if n <= 3 else "none of which can be left out"
    if others:
        shown = "when another game was played before"
    return f"wrong {where(n, moves)}, {shown}"


def right_message(problem: Problem, games: int, complete: bool) -> str:
    """The verdict on a right solution."""
    every = (
        "every game on 3×3"
        if problem == "tictactoe"
        else "every game up to 3×3, and on larger boards"
    )
    return f"right in {games:,} games: " + (
        every if complete else "there was no time for every one up to 3×3"
    )
