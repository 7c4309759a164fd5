"""``noughts check``: other people's `TicTacToe`, judged and explained."""

import re
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.status import Status
from rich.text import Text

from noughts.checker import Report
from noughts.checker.check import ORDERS
from noughts.checker.html import order_in_words, page
from noughts.checker.machines import gradescope, json_line, junit, printable
from noughts.checker.many import Source, judge, judge_all, sources
from noughts.checker.process import UNCONFINED, confined
from noughts.cli.board import Terminal, working
from noughts.cli.files import text_output
from noughts.cli.options import Command, Number
from noughts.records.atomic import exit_on_signals
from noughts.system import processors

STYLES = (  # what is coloured in a report
    (r"(?m)^  ✓.*$", "green"),
    (r"(?m)^  ✗.*$", "red"),
    (r"(?m)^  · right:", "green"),
    (r"(?m)^  · wrong:", "red"),
    (r"(?ms)^    It answers like .*?\.$", "bold"),
    (r"(?m)^    (?:in order|another object): .*(?:\n {6}\S.*)*$", "dim"),
    (r"O\((?:1|n|n²)\)", "bold"),
)
MARKS = {"X": "bold cyan", "O": "bold red", "[": "bold yellow", "]": "bold yellow", "·": "dim"}


def _requirements(
    _ctx: click.Context, _param: click.Parameter, written: tuple[str, ...]
) -> dict[str, str]:
    """What must grow no faster than what; a usage error where that is not said so."""
    found = {}
    for each in written:
        what, _, order = each.replace(" ", "").replace("²", "^2").partition("=")
        if what not in ("time", "make", "memory") or order not in ORDERS:
            raise click.BadParameter(f"{each!r}: write it like time=O(1) or memory=O(n)")
        found[what] = order
    return found


def _file(name: str, what: str) -> Callable[[Command], Command]:
    """The option for a file to write."""
    return click.option(
        name,
        f"{name[2:]}_file",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        callback=_in_a_folder,
        help=what,
    )


def _in_a_folder(_ctx: click.Context, _param: click.Parameter, path: Path | None) -> Path | None:
    """The file, whose folder is there: judging takes long, and should not end with that error."""
    if path and not path.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {path.parent}")
    return path


@click.command()
@click.argument(
    "paths",
    metavar="[FILE|FOLDER]...",
    nargs=-1,
    type=click.Path(path_type=Path, exists=True),
    help="Solutions in Python, Java, C++ or JavaScript; in a folder, all of them.",
)
@click.option("--command", metavar="LINE", help="Judge a program that reads call lists.")
@click.option("--name", help="The class or function to judge, where a file defines several.")
@click.option(
    "--require",
    metavar="WHAT=ORDER",
    multiple=True,
    callback=_requirements,
    help="What the verdict needs besides: time=O(1), make=O(n), memory=O(n).",
)
@click.option("--seed", default=0, help="The same seed, the same games.")
@click.option("--games", type=click.IntRange(min=0), default=1000, help="How many are random.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="How many solutions are judged at once.",
    show_default="one a processor",
)
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON for each solution.")
@_file("--junit", "Write the reports here, in JUnit's XML.")
@_file("--gradescope", "Write the reports here, as Gradescope's results.json.")
@click.option(
    "--points",
    type=Number(0, 1_000_000),
    default=100,
    help="The points that --gradescope gives where all are right.",
)
@_file("--html", "Write the reports here, as one page for a class.")
@click.option("-v", "--verbose", is_flag=True, help="Show what is assumed and what is printed.")
def check(
    paths: tuple[Path, ...],
    command: str | None,
    name: str | None,
    require: dict[str, str],
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
    """Judge solutions of the problem Design Tic-Tac-Toe.

    A wrong solution is told the smallest game that shows it, and the mistake, where it is a known
    one. Each runs in a process of its own, with limits. The exit code is

    - 0 if every solution is right,

    - 1 if one is wrong, or misses a requirement,

    - 2 if one could not be run or read, or there is none.
    """
    found = [*sources(paths), *([Source(command)] if command is not None else [])]
    if not found:
        raise click.UsageError(
            "There is no solution to judge: name a file, a folder with some, or a --command."
        )
    if not confined():
        print(f"noughts: {UNCONFINED}", file=sys.stderr)
    terminal, reports = Terminal(), list[Report]()
    asked = {"wanted": name, "seed": seed, "games": games, "require": require}
    with exit_on_signals(), closing(_reports(found, jobs, asked)) as judged:
        for report in judged:
            if as_json:
                click.echo(json_line(report))
            else:
                terminal.print(*([""] if reports else []), _told(report, verbose), sep="\n")
            reports.append(report)
    if len(reports) > 1 and not as_json:
        terminal.print("", *_table(reports), sep="\n")
    for path, text in (
        (junit_file, junit(reports)),
        (gradescope_file, gradescope(reports, points)),
        (html_file, page(reports)),
    ):
        if path is not None:
            with text_output(path, [str(source.path) for source in found if source.path]) as file:
                file.write(text)
    verdicts = {report.verdict for report in reports}
    sys.exit(2 if "unreadable" in verdicts else 1 if verdicts != {"right"} else 0)


def _reports(
    found: Sequence[Source], jobs: int | None, asked: dict[str, Any]
) -> Generator[Report, None, None]:
    """The reports in their order; a terminal shows meanwhile what is being done."""
    jobs = min(len(found), jobs or processors())
    if jobs == 1:
        for source in found:
            with working(source.name) as status:
                report = judge(source, **asked, progress=partial(_show, status, source.name))
            yield report
        return
    with closing(judge_all(found, jobs, **asked)) as judged:
        for number in range(len(found) + 1):
            name = found[number].name if number < len(found) else ""
            with working(f"{number} of {len(found)} judged: {name}"):
                following = next(judged, None)
            if following:
                yield following


def _show(status: Status, name: str, doing: str) -> None:
    """Show what is being done with a solution."""
    status.update(f"{name}: {doing}")


def _told(report: Report, verbose: bool) -> Text:
    """The report, in colour; with what it printed if that is asked for."""
    lines = [str(report)]
    if verbose:
        lines += [f"  · {each}" for each in report.assumed]
        lines += ["  it printed:"] * bool(report.output)
        lines += [f"    {line}" for line in report.output.splitlines()]
    text = Text(printable("\n".join(lines)))
    for pattern, style in STYLES:
        text.highlight_regex(pattern, style)
    for row in re.finditer(r"(?m)^ {5,}\d+ ((?:[ \[][XO·][ \]])+)", text.plain):
        for at in range(*row.span(1)):
            text.stylize(MARKS.get(text.plain[at], ""), at, at + 1)
    text.stylize("bold", 0, len(report.solution))
    return text


def _table(reports: Sequence[Report]) -> Iterator[Text]:
    """A line for each, below a heading; then how many are right."""
    rows = [("solution", "", "time", "memory", "")]
    for report in reports:
        found = report.diagnosis or report.message.removeprefix("wrong on ")
        orders = (order_in_words(report.time), order_in_words(report.memory))
        mark = "✓" if report.right else "✗"
        row = (report.solution, f"{mark} {report.verdict}", *orders, "" if report.right else found)
        rows.append(row)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)]
        text = Text(printable("  ".join(cells).rstrip()), "dim" if number == 0 else "")
        text.highlight_regex("✓ right", "green")
        text.highlight_regex("✗ [a-z]+", "red")
        yield text
    yield Text(f"{sum(report.right for report in reports)} of {len(reports)} right", "bold")
