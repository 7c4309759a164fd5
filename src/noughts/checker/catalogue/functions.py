"""Mistakes in ``tictactoe(moves)``, which judges a whole game of 3×3."""

from collections.abc import Sequence

Moves = Sequence[Sequence[int]]


def _board(moves: Moves) -> list[list[str]]:
    board = [[""] * 3 for _ in range(3)]
    for ply, (row, col) in enumerate(moves):
        board[row][col] = "AB"[ply % 2]
    return board


def _lines(board: list[list[str]]) -> list[list[str]]:
    columns = [[line[at] for line in board] for at in range(3)]
    diagonal = [board[at][at] for at in range(3)]
    return [*board, *columns, diagonal, [board[at][2 - at] for at in range(3)]]


def _winner(lines: list[list[str]]) -> str | None:
    return next((player for player in "AB" if [player] * 3 in lines), None)


def _verdict(winner: str | None, moves: Moves) -> str:
    return winner or ("Draw" if len(moves) == 9 else "Pending")


def draw_before_winner(moves: Moves) -> str:
    """Answers "Draw" when the board is full, though the last move may have won.

    The number of moves is looked at first, and a game of nine moves may end with a line.
    """
    return "Draw" if len(moves) == 9 else _verdict(_winner(_lines(_board(moves))), moves)


def no_draw(moves: Moves) -> str:
    """Answers "Pending" when the board is full and nobody has won.

    The draw is forgotten: what is no win is taken for a game that goes on.
    """
    return _winner(_lines(_board(moves))) or "Pending"


def no_pending(moves: Moves) -> str:
    """Answers "Draw" while the game goes on.

    What is no win is taken for a draw, before the board is full.
    """
    return _winner(_lines(_board(moves))) or "Draw"


def none_for_pending(moves: Moves) -> str | None:
    """Answers None while the game goes on.

    The last line, return "Pending", is forgotten: a function that ends without return gives None.
    """
    return _winner(_lines(_board(moves))) or ("Draw" if len(moves) == 9 else None)


def b_begins(moves: Moves) -> str:
    """Takes the player who begins for B.

    ply % 2 is 0 for the first move, and 0 is falsy; A begins.
    """
    winner = _winner(_lines(_board(moves)))
    return _verdict(winner and "BA"["AB".index(winner)], moves)


def x_and_o(moves: Moves) -> str:
    """Answers X or O, not A or B.

    The marks on the board are X and O; the players are called A and B.
    """
    winner = _winner(_lines(_board(moves)))
    return _verdict(winner and "XO"["AB".index(winner)], moves)


def anti_diagonal_missed(moves: Moves) -> str:
    """Does not see the anti-diagonal, or not its centre, which an elif leaves to the diagonal.

    A cell is on neither diagonal or on one, and only the centre is on both.
    """
    return _verdict(_winner(_lines(_board(moves))[:-1]), moves)


def no_diagonals_of_three(moves: Moves) -> str:
    """Does not look at the diagonals.

    Rows and columns are read in a loop, and the diagonals need lines of their own.
    """
    return _verdict(_winner(_lines(_board(moves))[:-2]), moves)


def no_columns_of_three(moves: Moves) -> str:
    """Does not look at columns.

    Where rows and columns are written alike, one is copied and both then read rows.
    """
    lines = _lines(_board(moves))
    return _verdict(_winner([*lines[:3], *lines[6:]]), moves)


def only_a_wins(moves: Moves) -> str:
    """Never answers "B".

    Sums are compared with 3 only, and B counts down to -3.
    """
    return _verdict("A" if [*"AAA"] in _lines(_board(moves)) else None, moves)


def rows_of_one_list(moves: Moves) -> str:
    """Makes the board by [[""] * 3] * 3, in which all rows are one list.

    The outer * copies the reference, not the list: a mark in one row is in every row.
    """
    board = [[""] * 3] * 3
    for ply, (row, col) in enumerate(moves):
        board[row][col] = "AB"[ply % 2]
    return _verdict(_winner(_lines(board)), moves)


def five_moves_at_least(moves: Moves) -> str:
    """Answers "Pending" for every game of at most five moves, though five may win.

    It saves time not to look while nobody can have a line; the count is one off.
    """
    return "Pending" if len(moves) <= 5 else _verdict(_winner(_lines(_board(moves))), moves)


def last_mover_only(moves: Moves) -> str:
    """Looks at the marks of A only when all moves are made, and takes B for the winner otherwise.

    else stands for the other player, where nobody may have won.
    """
    if len(moves) == 9 and not _winner(_lines(_board(moves))):
        return "Draw"
    if [*"AAA"] in _lines(_board(moves)):
        return "A"
    return "B" if len(moves) >= 6 else "Pending"


def board_kept_between_calls(
    moves: Moves,
    board: list[list[str]] = [[""] * 3 for _ in range(3)],  # noqa: B006 (wrong)
) -> str:
    """Keeps the board in a default argument, so that a call sees the marks of the calls before.

    A default value is made once, with the function, and a list that is changed stays changed.
    """
    for ply, (row, col) in enumerate(moves):
        board[row][col] = "AB"[ply % 2]
    return _verdict(_winner(_lines(board)), moves)
