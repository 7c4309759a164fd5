"""``noughts check``: test `TicTacToe` solutions and explain their mistakes."""

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

import click

from noughts.cli.board import Terminal
from noughts.cli.options import Command, Number
from noughts.records.atomic import exit_on_signals
from noughts.system import interrupts_held_back

if TYPE_CHECKING:
    from noughts.checker import Report


def _requirements(
    _ctx: click.Context, _param: click.Parameter, written: tuple[str, ...]
) -> dict[str, str]:
    """Parse ``--require``, raising a usage error for unknown costs or complexities."""
    with interrupts_held_back():
        from noughts.checker.trial import ORDERS
    found = {}
    for each in written:
        what, _, order = each.replace(" ", "").replace("²", "^2").partition("=")
        if what not in ("time", "make", "memory") or order not in ORDERS:
            raise click.BadParameter(
                f"{each!r}: expected time=, make= or memory= with O(1), O(n) or O(n^2)"
            )
        found[what] = order
    return found


def _players(_ctx: click.Context, _param: click.Parameter, written: str | None) -> tuple[str, ...]:
    """Parse ``--players``, raising a usage error unless it has two different values."""
    if written is None:
        return ()
    both = tuple(each.strip() for each in written.split(","))
    if len(both) != 2 or both[0] == both[1] or not all(both):
        raise click.BadParameter(f"{written!r}: expected two different values, for example X,O")
    return both


def _interpreter(_ctx: click.Context, _param: click.Parameter, command: str | None) -> str | None:
    """Reject an interpreter that does not exist before every solution fails with it."""
    if command and not which(command):
        raise click.BadParameter(f"{command!r}: there is no such program")
    return command


def _file(name: str, help: str) -> Callable[[Command], Command]:
    """Return an option for an output file."""
    return click.option(
        name,
        f"{name[2:]}_file",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        callback=_existing_folder,
        help=help,
    )


def _existing_folder(
    _ctx: click.Context, _param: click.Parameter, path: Path | None
) -> Path | None:
    """Reject a file in a missing folder before the long check instead of after it."""
    if path and not path.absolute().parent.is_dir():
        raise click.BadParameter(f"the folder {path.parent} does not exist")
    return path


@click.command()
@click.argument(
    "paths",
    metavar="[FILE|FOLDER]...",
    nargs=-1,
    type=click.Path(path_type=Path, exists=True),
    help="Solutions, or folders that contain them.",
)
@click.option("--command", metavar="LINE", help="Check any program (see docs/check.md).")
@click.option(
    "--tests",
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Check your own tests instead: list the known mistakes that they miss.",
)
@click.option("--name", help="Class or function to check, if a file defines several.")
@click.option(
    "--players",
    metavar="FIRST,SECOND",
    callback=_players,
    help="Values of the players in all solutions, if the files do not tell: X,O or 1,-1.",
)
@click.option(
    "--python",
    metavar="COMMAND",
    callback=_interpreter,
    help="Interpreter for Python solutions.",
)
@click.option(
    "--require",
    metavar="COST=COMPLEXITY",
    multiple=True,
    callback=_requirements,
    help="Also require this complexity, for example time=O(1), make=O(n) or memory=O(n).",
)
@click.option(
    "--strict", is_flag=True, help="Fail a solution if a required complexity is not clear."
)
@click.option("--seed", default=0, help="Seed of the random games.")
@click.option(
    "--games", type=click.IntRange(min=0), default=1000, help="Approximate number of random games."
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="Number of solutions to check in parallel.",
    show_default="one per processor",
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON per solution.")
@_file("--junit", "Write the reports to this file as JUnit XML.")
@_file("--gradescope", "Write the reports to this file as Gradescope's results.json.")
@click.option(
    "--points",
    type=Number(0, 1_000_000),
    default=100,
    help="Points that --gradescope divides equally among all solutions.",
)
@_file("--html", "Write the reports on all solutions to this file as one HTML page.")
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Also show the checker's assumptions and the solutions' printed output.",
)
def check(
    paths: tuple[Path, ...],
    command: str | None,
    tests: Path | None,
    name: str | None,
    players: tuple[str, ...],
    python: str | None,
    require: dict[str, str],
    strict: bool,
    seed: int,
    games: int,
    jobs: int | None,
    as_json: bool,
    junit_file: Path | None,
    gradescope_file: Path | None,
    points: float,
    html_file: Path | None,
    verbose: bool,
) -> None:
    """Test solutions to the Design Tic-Tac-Toe problem.

    Solutions may be written in Python, Java, Kotlin, C, C++, C#, Go, Rust, JavaScript or
    TypeScript. Methods may have other names, and parameters may be in another order; the report
    then says how it interpreted them.

    For each wrong solution, print the smallest failing game, and name the mistake if it is a known
    one. Each solution runs in its own process with limits on time and memory. The exit status
    is

    - 0 if all solutions are right,

    - 1 if any is wrong or does not have a required complexity,

    - 2 if any cannot be run or read, or there are none.
    """
    # Importing the whole checker would take a quarter of the time of `noughts --help`.
    with interrupts_held_back():
        from noughts.checker import exporters
        from noughts.checker.sandbox import UNCONFINED, confined
        from noughts.checker.submissions import Submission, find_submissions
        from noughts.cli.verdicts import (
            by_reason,
            check_tests,
            coloured,
            list_skipped,
            reports_on,
            table,
            write_files,
        )
    if tests is not None:
        if paths or command is not None:
            raise click.UsageError("--tests checks tests, not solutions: name only their file.")
        sys.exit(check_tests(tests, as_json, junit_file, gradescope_file, points, html_file))
    found, skipped = find_submissions(paths)
    found += [Submission(command)] if command is not None else []
    others = by_reason(skipped)
    list_skipped(others, verbose)
    if not found and not paths:
        raise click.UsageError(
            "There are no solutions to check: name a file, a folder with solutions or a --command."
        )
    sources = [str(source.path) for source in found if source.path]
    for output in (junit_file, gradescope_file, html_file):
        if output is not None and output.resolve() in {Path(each).resolve() for each in sources}:
            raise click.UsageError(f"{output} is one of the solutions: write to another file.")
    if not confined():
        print(f"noughts: {UNCONFINED}", file=sys.stderr)
    terminal = Terminal()
    reports: list[Report] = []
    options = {
        "wanted": name, "players": players, "python": python,
        "seed": seed, "games": games, "require": require, "strict": strict,
    }  # fmt: skip
    with exit_on_signals(), closing(reports_on(found, jobs, options)) as judged:
        for report in judged:
            if as_json:
                click.echo(exporters.json_line(report))
            else:
                terminal.print(*([""] if reports else []), coloured(report, verbose), sep="\n")
            reports.append(report)
    if len(reports) > 1 and not as_json:
        terminal.print("", *table(reports), sep="\n")
    write_files(reports, others, sources, junit_file, gradescope_file, points, html_file)
    if not found:
        print("noughts: no solutions found", file=sys.stderr)
    verdicts = {report.verdict for report in reports}
    unusable = "unusable" in verdicts or not reports
    sys.exit(2 if unusable else 1 if verdicts != {"right"} else 0)
