"""``noughts prove``: a proof of who wins, in a file, and its check."""

import sys
from pathlib import Path
from time import perf_counter

import click
from click.core import ParameterSource

from noughts.cli import options
from noughts.cli.board import working
from noughts.cli.files import opened, source_name, text_output
from noughts.errors import InvalidRecord, InvalidRules, NoughtsError
from noughts.game.game import Game
from noughts.game.names import rules_text
from noughts.game.rules import Rules
from noughts.opponent.attack import prove as find
from noughts.opponent.exact.certificate import Proved, check_certificate
from noughts.opponent.exact.solver import MAX_CELLS
from noughts.picture import cell_name, read_cell


@click.command()
@options.rules
@click.option("--moves", default="", help='The moves that lead to the position: "B2 A1".')
@click.option(
    "--seconds", type=options.Number(min=0), help="Give up after this time.", show_default="never"
)
@options.out("Write the proof to this file.")
@click.option("--check", metavar="FILE", help="Check the proof in this file instead.")
@click.pass_context
def prove(
    context: click.Context,
    rules: Rules,
    moves: str,
    seconds: float | None,
    out: Path | None,
    check: str | None,
) -> None:
    """Prove who wins under best play, or check a proof.

    On more than 64 cells, up to 400, wins are proved and draws are not; without --seconds it looks
    for a win until Ctrl-C. The check knows the rules of the game and nothing of the search; a new
    proof is checked, too. Exit code 1 means that there was not enough time or memory for a proof,
    or that a proof is wrong: the message says where.
    """
    if (out is None) == (check is None):
        raise click.UsageError(
            "give either --out, where a new proof goes, or --check, the proof to check"
        )
    start = perf_counter()
    if check is not None:
        _refuse_position(context)
        with working("checking"), opened(check) as file:
            try:
                proved = check_certificate(file, source_name(check))
            except InvalidRecord as error:
                print(f"noughts: {error}", file=sys.stderr)
                sys.exit(1)
    else:
        game = _game(rules, moves)
        try:
            with working("searching"):
                lines = find(game, seconds=seconds)
        except (InvalidRules, MemoryError) as error:
            raise click.BadParameter(str(error)) from None
        if lines is None:
            message = "there was not enough time or memory for a proof"
            if rules.cells > MAX_CELLS:
                message += f"; on more than {MAX_CELLS} cells only wins are proved"
            print(f"noughts: {message}", file=sys.stderr)
            sys.exit(1)
        with working("checking"):
            proved = check_certificate(lines)
        with text_output(out) as text:
            text.writelines(f"{line}\n" for line in lines)
    _report(proved, perf_counter() - start)


def _refuse_position(context: click.Context) -> None:
    """Refuse what is about a new proof: the file to check says what it proves."""
    for name in ("rules", "moves", "seconds"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is for a new proof, so it does not go with --check")


def _game(rules: Rules, moves: str) -> Game:
    """The game after these moves."""
    try:
        game = Game.replay(rules, [read_cell(name, len(rules.shape)) for name in moves.split()])
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--moves'") from None
    if game.outcome:
        raise NoughtsError("the game is over after these moves")
    return game


def _report(proved: Proved, seconds: float) -> None:
    """Say what has been proved."""
    moves = " ".join(map(cell_name, proved.game.history))
    if proved.winner:
        what = f"player {proved.winner} wins"
    elif len(proved.held) == 2:
        what = "draw"
    else:
        what = f"player {min(proved.held)} cannot lose"
    print(f"{rules_text(proved.game.rules)}{moves and f', after {moves}'}\n")
    print(f"proved   {what}")
    print(f"lines    {proved.lines:,}")
    print(f"seconds  {seconds:.3f}")
