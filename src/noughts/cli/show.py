"""``noughts show``: draw a recorded game."""

import sys
from pathlib import Path

import click

from noughts.cli import options
from noughts.cli.board import Terminal, print_board
from noughts.cli.files import source_name, text_output
from noughts.cli.report import counted
from noughts.errors import IllegalMove, NoughtsError, size
from noughts.game.game import Game
from noughts.game.names import rules_text
from noughts.picture import MAX_CELLS, standing, svg, text
from noughts.records import CallList
from noughts.records.formats import Reading


@click.command()
@options.source
@options.game_id
@options.reading
@click.option("--ply", type=click.IntRange(min=0), help="Show the board after this many moves.")
@click.option("--svg", "as_svg", is_flag=True, help="Draw an SVG picture instead of text.")
@options.out("Write to this file instead of standard output.")
def show(
    source: str,
    game_id: str | None,
    reading: Reading,
    ply: int | None,
    as_svg: bool,
    out: Path | None,
) -> None:
    """Show a recorded game as text, or as SVG with its winning line.

    If a move is illegal, show the game up to that move, print the reason to standard error and exit
    with status 1.
    """
    record = options.pick_record(source, game_id, reading)
    if isinstance(record, CallList):
        raise NoughtsError("cannot show a call list; use noughts trace")
    if record.rules.cells > MAX_CELLS:  # check before replaying, which is slow on vast boards
        raise NoughtsError(f"a {size(record.rules.shape)} board is too large to draw")
    if record.impossible:
        raise NoughtsError(record.impossible)
    game, refused = Game(record.rules), None
    for cell in record.moves[:ply]:
        try:
            game.play(cell)
        except IllegalMove as error:
            refused = error
            break
    picture = svg(game) if as_svg else text(game, record.notation) + "\n"
    if as_svg or out not in (None, Path("-")):
        with text_output(out, [source]) as file:
            file.write(picture)
    else:
        name = str(source_name(source) if record.id is None else record.id)
        name = name if name.isprintable() else repr(name)
        console = Terminal()
        console.print(f"{name} · {rules_text(record.rules)} · ply {game.ply} · {standing(game)}\n")
        print_board(console, game, record.notation)
    if ply is not None and ply > len(record.moves):
        print(f"noughts: the game has only {counted(game.ply, 'move')}", file=sys.stderr)
    if refused:
        print(f"noughts: move {game.ply + 1} is illegal: {refused}", file=sys.stderr)
        sys.exit(1)
