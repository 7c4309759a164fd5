"""Reports in other formats: JSON, JUnit XML, Gradescope results and an HTML page for a class."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from math import log
from typing import Any
from xml.etree import ElementTree as Xml

from noughts.checker.catalogue import known
from noughts.checker.report import (
    Complexity,
    Counterexample,
    Report,
    amount,
    complexity_in_words,
    counterexample_svg,
    counterexample_words,
    games_in_order,
)


def json_line(report: Report) -> str:
    """Return the report as one line of JSON, as described in docs/check.md."""
    return as_json(json_fields(report))


def json_fields(report: Report) -> dict[str, Any]:
    """Return the fields of a report's JSON."""
    example = report.counterexample
    return {
        "solution": report.solution,
        "problem": report.problem,
        "language": report.language,
        "verdict": report.verdict,
        "games": report.games,
        "counterexample": example
        and {
            **_example_fields(example),
            **({"larger": _example_fields(example.larger)} if example.larger else {}),
        },
        "diagnosis": report.diagnosis,
        "time": report.time.order,
        "memory": report.memory.order,
        "message": report.message,
        **({"claim": asdict(report.claim)} if report.claim else {}),
    }


def _example_fields(example: Counterexample) -> dict[str, Any]:
    return {
        "n": example.n,
        "moves": example.moves,
        "expected": example.expected,
        "answered": example.answered,
        "message": example.message,
    }


def as_json(value: Any) -> str:
    """Return a value as one printable line of JSON."""
    return printable(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def junit(reports: Sequence[Report]) -> str:
    """Return the reports as a test suite in JUnit XML, which build servers read."""
    unread = [report for report in reports if report.verdict == "unusable"]
    failed = sum(not report.right for report in reports) - len(unread)
    suite = Xml.Element("testsuite", name="noughts check", tests=f"{len(reports)}",
                        failures=f"{failed}", errors=f"{len(unread)}", skipped="0",
                        time=f"{sum(report.seconds for report in reports):.3f}")  # fmt: skip
    for report in reports:
        case = Xml.SubElement(suite, "testcase", classname=report.problem,
                              name=printable(report.solution),
                              time=f"{report.seconds:.3f}")  # fmt: skip
        if not report.right:
            kind = "error" if report.verdict == "unusable" else "failure"
            short = {"type": report.verdict, "message": printable(report.message)}
            Xml.SubElement(case, kind, short).text = printable(str(report))
        if report.output:
            Xml.SubElement(case, "system-out").text = printable(report.output)
    suites = Xml.Element("testsuites")
    suites.append(suite)
    Xml.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(suites, "unicode") + "\n"


NOTHING = "The submission has no solution that can be checked."


def gradescope(reports: Sequence[Report], points: float = 100) -> str:
    """Return Gradescope's results.json; right solutions earn equal shares of the points."""
    share = points / max(1, len(reports))
    tests = [
        {
            "name": report.solution,
            "score": round(share * report.right, 6),
            "max_score": round(share, 6),
            "status": "passed" if report.right else "failed",
            "output": str(report),
            "output_format": "text",
        }
        for report in reports
    ]
    score = round(share * sum(report.right for report in reports), 6)
    seconds = round(sum(report.seconds for report in reports), 3)
    results = {"score": score, "execution_time": seconds, "tests": tests}
    if not reports:
        results["output"] = NOTHING
    return printable(json.dumps(results, ensure_ascii=False, indent=2)) + "\n"


def printable(text: str) -> str:
    """Replace characters that control a terminal or that XML and UTF-8 cannot represent."""
    return "".join(each if each.isprintable() or each in "\n\t" else "�" for each in text)


# The page for a class needs no scripts or other files, and follows the reader's colour scheme.

PLOT_WIDTH, PLOT_HEIGHT = 244, 84
LEFT = 72  # the width reserved for the costs on the left of a plot
STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#262c38;--soft:#667085;--rule:#dfe3ea;
--right:#1d7a43;--wrong:#b3271e;--plot:#2563c9}
@media (prefers-color-scheme:dark){:root{--paper:#14171d;--ink:#dfe4ee;--soft:#95a0b4;
--rule:#323947;--right:#6fd39a;--wrong:#ff8a80;--plot:#7fb0ff}}
body{margin:2rem auto;padding:0 1rem;max-width:62rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{margin:0;font-size:1.6rem}h2{margin:0;font-size:1.15rem}p{margin:.4rem 0}
.soft{color:var(--soft)}.right{color:var(--right)}.wrong{color:var(--wrong)}
.right,.wrong{font-weight:600}
.wide{overflow-x:auto}table{width:100%;margin:1.2rem 0;border-collapse:collapse}
th{text-align:left;font-weight:600;color:var(--soft)}
th,td{padding:.4rem .9rem .4rem 0;border-bottom:1px solid var(--rule);vertical-align:top}
td:not(:nth-child(4)){white-space:nowrap}a{color:inherit}
article{margin:2rem 0;padding-top:1.2rem;border-top:1px solid var(--rule)}
.example{display:flex;flex-wrap:wrap;gap:1.5rem;align-items:flex-start;margin:.8rem 0}
.example>svg{flex:none;max-width:min(100%,20rem)!important}.example>div{flex:1 1 18rem}
pre{overflow-x:auto;font:13px/1.45 ui-monospace,monospace}
figure{display:inline-block;margin:.8rem 1.5rem 0 0}figcaption{font-size:.85rem}
.plot{display:block}.plot path{fill:none;stroke:var(--plot);stroke-width:2;stroke-linejoin:round}
.plot circle{fill:var(--plot)}.plot text{font-size:10px;fill:var(--soft)}
.plot .axis{stroke:var(--rule);stroke-width:1}
"""


def html_page(reports: Sequence[Report], skipped: Mapping[str, Sequence[str]] = {}) -> str:
    """Return a page with a table of the solutions, counterexamples and plots of costs.

    Args:
        reports: the reports on the solutions.
        skipped: the names of other files in the folders, by why they are no solutions.
    """
    right = sum(report.right for report in reports)
    rows = "\n".join(_row(number, report) for number, report in enumerate(reports, 1))
    others = "".join(
        f'<p class="soft">Skipped ({why}): {escape(", ".join(names))}</p>\n'
        for why, names in skipped.items()
    )
    articles = "\n".join(_article(number, report) for number, report in enumerate(reports, 1))
    return printable(f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Solutions checked by noughts</title>
<style>{STYLE}</style>
</head>
<body>
<h1>Design Tic-Tac-Toe: solutions checked by noughts</h1>
<p class="soft">{right} of {len(reports)} right</p>
<div class="wide"><table>
<thead><tr><th>Solution</th><th>Language</th><th>Verdict</th><th>Result</th>
<th>Time per move</th><th>Memory</th></tr></thead>
<tbody>
{rows}
</tbody>
</table></div>
{others}{articles}
</body>
</html>
""")


def summary(report: Report) -> str:
    """Return the known mistake, or else the verdict, as a sentence."""
    mistake = known(report.diagnosis or "")
    return mistake.does if mistake else report.message


def order_in_words(complexity: Complexity) -> str:
    """Return an order as a table shows it."""
    return (complexity.order or ("not clear" if complexity.points else "")).replace("^2", "²")


def _row(number: int, report: Report) -> str:
    cells = (
        f'<a href="#s{number}">{escape(report.solution)}</a>',
        report.language,
        _verdict(report),
        escape(summary(report)),
        order_in_words(report.time),
        order_in_words(report.memory),
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _verdict(report: Report) -> str:
    kind, mark = ("right", "✓") if report.right else ("wrong", "✗")
    claimed = report.disproved
    handed_in = f' <span class="soft">handed in as {claimed}</span>' if claimed else ""
    return f'<span class="{kind}">{mark} {report.verdict}</span>{handed_in}'


def _article(number: int, report: Report) -> str:
    message = escape(report.message.removeprefix(report.verdict))
    message = message if message != report.message else f": {message}"
    parts = [
        f'<article id="s{number}"><h2>{escape(report.solution)}</h2>',
        f'<p class="soft">{escape(report.what)} · {report.language} · {report.games:,} games</p>',
        f"<p>{_verdict(report)}{message}</p>",
    ]
    for example in report.examples:
        words = counterexample_words(report.problem, example)
        words += games_in_order(report.problem, example)
        sentences = "".join(f"<p>{escape(each)}</p>" for each in words)
        drawn = counterexample_svg(example)
        parts.append(f'<div class="example">{drawn}<div>{sentences}</div></div>')
    if mistake := known(report.diagnosis or ""):
        parts.append(f"<p>It answers like a class that {escape(mistake.does)}. "
                     f"{escape(mistake.why)}</p>")  # fmt: skip
    parts += [f'<p class="soft">{escape(each)}</p>' for each in (*report.found, *report.notes)]
    parts += [_plot(name, complexity) for name, complexity in report.costs.items()]
    return "\n".join([*parts, "</article>"])


def _plot(name: str, complexity: Complexity) -> str:
    """Plot a cost against n on logarithmic axes, so that the slope shows the order."""
    points = [(n, cost) for n, cost in complexity.points if cost > 0]
    words = escape(f"{name}: {complexity_in_words(complexity, name == 'memory')}")
    if not points:
        return f"<p>{words}</p>"
    first, last = points[0][0], points[-1][0]
    least, most = (pick(cost for _, cost in points) for pick in (min, max))
    wide = log(last / first) or 1.0
    high = max(wide, log(most / least))  # an O(1) cost looks flat
    across, up = (PLOT_WIDTH - LEFT - 8) / wide, (PLOT_HEIGHT - 34) / high
    floor = PLOT_HEIGHT - 24
    places = [
        (LEFT + across * log(n / first), floor - up * log(cost / least)) for n, cost in points
    ]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in places)
    marks: dict[float, str] = {floor: amount(least, name == "memory")}
    if (top := floor - up * log(most / least)) < floor - 12:  # otherwise the labels would overlap
        marks[top] = amount(most, name == "memory")
    sides = "".join(
        f'<text x="{LEFT - 8}" y="{y + 3.5:.1f}" text-anchor="end">{cost}</text>'
        f'<path class="axis" d="M{LEFT - 5} {y:.1f}h5"/>'
        for y, cost in marks.items()
    )
    return (
        f'<figure><svg class="plot" viewBox="0 0 {PLOT_WIDTH} {PLOT_HEIGHT}" width="{PLOT_WIDTH}" '
        f'height="{PLOT_HEIGHT}" role="img" aria-label="{words}">'
        f'<path class="axis" d="M{LEFT} 4V{PLOT_HEIGHT - 15}H{PLOT_WIDTH - 4}"/>{sides}'
        f'<path d="{path}"/>{dots}<text x="{LEFT}" y="{PLOT_HEIGHT - 3}">n = {first}</text>'
        f'<text x="{PLOT_WIDTH - 4}" y="{PLOT_HEIGHT - 3}" text-anchor="end">{last:,}</text></svg>'
        f"<figcaption>{words}</figcaption></figure>"
    )
