"""Progress, printed reports and report files of `noughts check`."""

import re
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Any

import click
from rich.status import Status
from rich.text import Text

from noughts.checker import Report, exporters, mutation
from noughts.checker.languages.compiling import shared_cache
from noughts.checker.solution import Failed
from noughts.checker.submissions import Skipped, Submission, judge, judge_all
from noughts.cli.board import Terminal, working
from noughts.cli.files import text_output
from noughts.records.atomic import exit_on_signals
from noughts.system import processors

STYLES = (  # patterns in a report and their styles
    (r"(?m)^  ✓.*$", "green"),
    (r"(?m)^  ✗.*$", "red"),
    (r"(?m)^  · right:", "green"),
    (r"(?m)^  · wrong:", "red"),
    (r"(?ms)^    It answers like .*?\.$", "bold"),
    (r"(?m)^    (?:moves|another object): .*(?:\n {6}\S.*)*$", "dim"),
    (r"O\((?:1|n|n²)\)", "bold"),
)
REMARK = 60  # characters about a solution in the table
NAMED = 3  # files per reason, unless -v
MARKS = {"X": "bold cyan", "O": "bold red", "[": "bold yellow", "]": "bold yellow", "·": "dim"}


def write_files(
    reports: Sequence[Report],
    skipped: Mapping[str, Sequence[str]],
    sources: Sequence[str],
    junit_file: Path | None,
    gradescope_file: Path | None,
    points: float,
    html_file: Path | None,
) -> None:
    """Write the reports to the requested files, which must not be among the sources."""
    for path, text in (
        (junit_file, exporters.junit(reports)),
        (gradescope_file, exporters.gradescope(reports, points)),
        (html_file, exporters.html_page(reports, skipped)),
    ):
        if path is not None:
            with text_output(path, sources) as file:
                file.write(text)


def check_tests(
    tests: Path,
    as_json: bool,
    junit_file: Path | None,
    gradescope_file: Path | None,
    points: float,
    html_file: Path | None,
) -> int:
    """Check a person's tests and print the report; return the exit status."""
    try:
        with exit_on_signals(), working(tests.name) as status:
            report = mutation.check_tests(tests, progress=partial(_show, status, tests.name))
    except Failed as failed:
        Terminal().print(f"{tests.name}\n  ✗ {failed}")
        return 2
    if as_json:
        for each in report.reports:
            click.echo(exporters.json_line(each))
    else:
        Terminal().print(exporters.printable(str(report)))
    write_files(report.reports, {}, [str(tests)], junit_file, gradescope_file, points, html_file)
    return 0 if report.right else 1


def by_reason(skipped: Sequence[Skipped]) -> dict[str, list[str]]:
    """Return the names of skipped files by why they were skipped."""
    reasons: dict[str, list[str]] = {}
    for name, why in skipped:
        reasons.setdefault(why, []).append(name)
    return reasons


def list_skipped(skipped: Mapping[str, Sequence[str]], verbose: bool) -> None:
    """Say on standard error what was not taken for a solution, by reason."""
    for why, names in skipped.items():
        shown = names if verbose else names[:NAMED]
        more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
        print(f"noughts: skipped ({why}): {', '.join(shown)}{more}", file=sys.stderr)


def reports_on(
    found: Sequence[Submission], jobs: int | None, options: dict[str, Any]
) -> Generator[Report, None, None]:
    """Yield the reports in order, showing progress on a terminal."""
    jobs = min(len(found), jobs or processors())
    if jobs <= 1:
        with shared_cache():
            for submission in found:
                with working(submission.name) as status:
                    show = partial(_show, status, submission.name)
                    report = judge(submission, **options, progress=show)
                yield report
        return
    with closing(judge_all(found, jobs, **options)) as judged:
        for number in range(len(found) + 1):
            name = found[number].name if number < len(found) else ""
            with working(f"{number} of {len(found)} checked: {name}"):
                following = next(judged, None)
            if following:
                yield following


def _show(status: Status, name: str, doing: str) -> None:
    """Show the current step of a solution's check."""
    status.update(f"{name}: {doing}")


def coloured(report: Report, verbose: bool) -> Text:
    """Return the report in colour, with assumptions and printed output if `verbose`."""
    lines = [str(report)]
    if verbose:
        lines += [f"  · {each}" for each in report.assumed]
        lines += ["  it printed:"] * bool(report.output)
        lines += [f"    {line}" for line in report.output.splitlines()]
    text = Text(exporters.printable("\n".join(lines)))
    for pattern, style in STYLES:
        text.highlight_regex(pattern, style)
    for row in re.finditer(r"(?m)^ {5,}\d+ ((?:[ \[][XO·][ \]])+)", text.plain):
        for at in range(*row.span(1)):
            text.stylize(MARKS.get(text.plain[at], ""), at, at + 1)
    text.stylize("bold", 0, len(report.solution))
    return text


def table(reports: Sequence[Report]) -> Iterator[Text]:
    """Yield a heading, one row per report, and the number of right solutions."""
    rows: list[tuple[str, ...]] = [("solution", "", "time", "memory", "")]
    for report in reports:
        found = report.diagnosis or report.message.removeprefix("wrong on ")
        time, memory = map(exporters.order_in_words, (report.time, report.memory))
        verdict = f"{'✓' if report.right else '✗'} {report.verdict}"
        remarks = [] if report.right else [shorten(found, REMARK, placeholder=" …")]
        if report.disproved:
            remarks.append(f"(handed in as {report.disproved})")
        rows.append((report.solution, verdict, time, memory, " ".join(remarks)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)]
        text = Text(exporters.printable("  ".join(cells).rstrip()), "dim" if number == 0 else "")
        text.highlight_regex("✓ right", "green")
        text.highlight_regex("✗ [a-z]+", "red")
        yield text
    yield Text(f"{sum(report.right for report in reports)} of {len(reports)} right", "bold")
