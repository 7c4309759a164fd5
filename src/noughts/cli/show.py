"""``noughts show``: a recorded game as a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.board import Terminal, print_board
from noughts.cli.options import GameId, Source, pick_record, source_name
from noughts.errors import IllegalMove, size
from noughts.game import Game
from noughts.picture import standing, svg, text
from noughts.records import CallList


def show(
    source: Source = "-",
    game_id: GameId = None,
    ply: Annotated[
        int | None, typer.Option(min=0, help="Show the board after so many moves.")
    ] = None,
    as_svg: Annotated[bool, typer.Option("--svg", help="Draw an SVG picture, not text.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write here, not to standard output.")
    ] = None,
) -> None:
    """Show a recorded game as text, or as SVG with the winning line drawn.

    A game with an illegal move is shown up to it, with the reason on standard error and exit
    code 1.
    """
    record = pick_record(source, game_id)
    if isinstance(record, CallList):
        print(
            "noughts: show needs a game in JSON Lines; noughts trace follows a call list",
            file=sys.stderr,
        )
        raise typer.Exit(2)
    game, refused = Game(record.rules), None
    for cell in record.moves[:ply]:
        try:
            game.play(cell)
        except IllegalMove as error:
            refused = error
            break
    try:
        picture = svg(game) if as_svg else text(game) + "\n"
    except ValueError as error:
        print(f"noughts: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
    if out is not None:
        out.write_text(picture, encoding="utf-8")
    elif as_svg:
        sys.stdout.write(picture)
    else:
        name = str(source_name(source) if record.id is None else record.id)
        name = name if name.isprintable() else repr(name)
        rules = f"{size(record.rules.shape)}, {record.rules.k} in a row"
        console = Terminal()
        console.print(f"{name} · {rules} · ply {game.ply} · {standing(game)}\n")
        print_board(console, game)
    if refused:
        print(f"noughts: move {game.ply + 1} is illegal: {refused}", file=sys.stderr)
        raise typer.Exit(1)
