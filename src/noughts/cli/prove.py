"""``noughts prove``: write a proof of who wins to a file, or check one."""

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
@click.option("--moves", default="", help='Moves that lead to the position, such as "B2 A1".')
@click.option("--seconds", type=options.Number(min=0), help="Time limit.", show_default="none")
@options.out("File for the new proof.")
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
    """Prove who wins with best play, or check a proof.

    On boards of 65 to 400 cells, only wins can be proved, and without --seconds the search runs
    until Ctrl-C. The checker depends only on the rules of the game, not on the search, and also
    checks every new proof. Exit status: 0 for a correct proof, 1 if time or memory runs out or the
    proof is wrong.
    """
    if (out is None) == (check is None):
        raise click.UsageError("give either --out FILE for a new proof or --check FILE")
    start = perf_counter()
    if check is not None:
        for name in ("rules", "moves", "seconds"):
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                raise click.UsageError(
                    f"--{name} is for a new proof and cannot be combined with --check"
                )
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
            message = "no proof found within the limits of time and memory"
            if rules.cells > MAX_CELLS:
                message += f"; on more than {MAX_CELLS} cells only wins can be proved"
            print(f"noughts: {message}", file=sys.stderr)
            sys.exit(1)
        with working("checking"):
            proved = check_certificate(lines)
        with text_output(out) as text:
            text.writelines(f"{line}\n" for line in lines)
    _report(proved, perf_counter() - start)


def _game(rules: Rules, moves: str) -> Game:
    """Return the game after these moves."""
    try:
        game = Game.replay(rules, [read_cell(name, len(rules.shape)) for name in moves.split()])
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--moves'") from None
    if game.outcome:
        raise NoughtsError("the game is over after these moves")
    return game


def _report(proved: Proved, seconds: float) -> None:
    """Print what has been proved."""
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
