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
    """Returns "Draw" if the board is full, even if the last move won.

    The number of moves is checked first, but a game of nine moves may end with a complete line.
    """
    return "Draw" if len(moves) == 9 else _verdict(_winner(_lines(_board(moves))), moves)


def no_draw(moves: Moves) -> str:
    """Returns "Pending" if the board is full and neither player has won.

    The draw is forgotten: every game without a winner counts as unfinished.
    """
    return _winner(_lines(_board(moves))) or "Pending"


def no_pending(moves: Moves) -> str:
    """Returns "Draw" for unfinished games.

    Every game without a winner counts as a draw, even before the board is full.
    """
    return _winner(_lines(_board(moves))) or "Draw"


def none_for_pending(moves: Moves) -> str | None:
    """Returns None for unfinished games.

    The last line, return "Pending", is missing: a function that ends without a return gives None.
    """
    return _winner(_lines(_board(moves))) or ("Draw" if len(moves) == 9 else None)


def b_begins(moves: Moves) -> str:
    """Assumes that B moves first.

    ply % 2 is 0 for the first move, and 0 is falsy; A moves first.
    """
    winner = _winner(_lines(_board(moves)))
    return _verdict(winner and "BA"["AB".index(winner)], moves)


def x_and_o(moves: Moves) -> str:
    """Returns X or O instead of A or B.

    The marks on the board are X and O, but the players are called A and B.
    """
    winner = _winner(_lines(_board(moves)))
    return _verdict(winner and "XO"["AB".index(winner)], moves)


def anti_diagonal_missed(moves: Moves) -> str:
    """Never checks the anti-diagonal, or leaves out its centre because of an elif.

    Each cell is on at most one diagonal, except the centre, which is on both.
    """
    return _verdict(_winner(_lines(_board(moves))[:-1]), moves)


def no_diagonals_of_three(moves: Moves) -> str:
    """Never checks the diagonals.

    Rows and columns are checked in a loop; the diagonals need code of their own.
    """
    return _verdict(_winner(_lines(_board(moves))[:-2]), moves)


def no_columns_of_three(moves: Moves) -> str:
    """Never checks columns.

    The code for rows was copied for columns and never changed, so both check rows.
    """
    lines = _lines(_board(moves))
    return _verdict(_winner([*lines[:3], *lines[6:]]), moves)


def only_a_wins(moves: Moves) -> str:
    """Never returns "B".

    Sums are compared only with 3, but B counts down to -3.
    """
    return _verdict("A" if [*"AAA"] in _lines(_board(moves)) else None, moves)


def rows_of_one_list(moves: Moves) -> str:
    """Creates the board with [[""] * 3] * 3, where all rows are the same list.

    The outer * copies the reference, not the list: a mark in one row appears in every row.
    """
    board = [[""] * 3] * 3
    for ply, (row, col) in enumerate(moves):
        board[row][col] = "AB"[ply % 2]
    return _verdict(_winner(_lines(board)), moves)


def five_moves_at_least(moves: Moves) -> str:
    """Returns "Pending" for every game of up to five moves, though five moves can win.

    Skipping the check while no line can be complete saves time, but the count is off by one.
    """
    return "Pending" if len(moves) <= 5 else _verdict(_winner(_lines(_board(moves))), moves)


def last_mover_only(moves: Moves) -> str:
    """Checks the marks of A only after all moves, and otherwise declares B the winner.

    The else branch stands for the other player, but there may be no winner at all.
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
    """Keeps the board in a default argument, so that each call sees the marks of earlier calls.

    A default value is created once, with the function, and changes to it persist.
    """
    for ply, (row, col) in enumerate(moves):
        board[row][col] = "AB"[ply % 2]
    return _verdict(_winner(_lines(board)), moves)
