"""Reports on a class of solutions as one page: a table, counterexamples as pictures, plots.

It needs no script and no other file, and is light or dark as the reader prefers.
"""

from collections.abc import Sequence
from html import escape
from math import log

from noughts.checker.catalogue import known
from noughts.checker.drawing import (
    amount,
    counterexample_svg,
    counterexample_words,
    games_in_order,
    growth_words,
)
from noughts.checker.findings import Growth
from noughts.checker.machines import printable
from noughts.checker.report import Report

WIDTH, HEIGHT = 244, 84  # of a plot
LEFT = 72  # for the costs beside it
PAGE = """
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
td:not(:nth-child(3)){white-space:nowrap}a{color:inherit}
article{margin:2rem 0;padding-top:1.2rem;border-top:1px solid var(--rule)}
.told{display:flex;flex-wrap:wrap;gap:1.5rem;align-items:flex-start;margin:.8rem 0}
.told>svg{flex:none;max-width:min(100%,20rem)!important}.told>div{flex:1 1 18rem}
pre{overflow-x:auto;font:13px/1.45 ui-monospace,monospace}
figure{display:inline-block;margin:.8rem 1.5rem 0 0}figcaption{font-size:.85rem}
.plot{display:block}.plot path{fill:none;stroke:var(--plot);stroke-width:2;stroke-linejoin:round}
.plot circle{fill:var(--plot)}.plot text{font-size:10px;fill:var(--soft)}
.plot .axis{stroke:var(--rule);stroke-width:1}
"""


def page(reports: Sequence[Report]) -> str:
    """The page. Size: some kilobytes a solution."""
    right = sum(report.right for report in reports)
    rows = "\n".join(_row(number, report) for number, report in enumerate(reports, 1))
    articles = "\n".join(_article(number, report) for number, report in enumerate(reports, 1))
    return printable(f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Solutions judged by noughts</title>
<style>{PAGE}</style>
</head>
<body>
<h1>Design Tic-Tac-Toe, judged by noughts</h1>
<p class="soft">{right} of {len(reports)} right</p>
<div class="wide"><table>
<thead><tr><th>solution</th><th>verdict</th><th>what was found</th><th>time of a move</th>
<th>memory</th></tr></thead>
<tbody>
{rows}
</tbody>
</table></div>
{articles}
</body>
</html>
""")


def summary(report: Report) -> str:
    """What was found, in a sentence."""
    mistake = known(report.diagnosis or "")
    return mistake.does if mistake else report.message


def order_in_words(growth: Growth) -> str:
    """How something grows, in a column of a table."""
    return (growth.order or ("not clear" if growth.points else "")).replace("^2", "²")


def _row(number: int, report: Report) -> str:
    cells = (
        f'<a href="#s{number}">{escape(report.solution)}</a>',
        _verdict(report),
        escape(summary(report)),
        order_in_words(report.time),
        order_in_words(report.memory),
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _verdict(report: Report) -> str:
    kind, mark = ("right", "✓") if report.right else ("wrong", "✗")
    return f'<span class="{kind}">{mark} {report.verdict}</span>'


def _article(number: int, report: Report) -> str:
    """All that the report says."""
    said = escape(report.message.removeprefix(report.verdict))
    said = said if said != report.message else f": {said}"
    parts = [
        f'<article id="s{number}"><h2>{escape(report.solution)}</h2>',
        f'<p class="soft">{escape(report.what)} · {report.language} · {report.games:,} games</p>',
        f"<p>{_verdict(report)}{said}</p>",
    ]
    if (told := report.counterexample) and told.moves:
        words = [*counterexample_words(report.problem, told), *games_in_order(told)]
        said = "".join(f"<p>{escape(each)}</p>" for each in words)
        parts.append(f'<div class="told">{counterexample_svg(told)}<div>{said}</div></div>')
    if mistake := known(report.diagnosis or ""):
        parts.append(f"<p>It answers like a class that {escape(mistake.does)}. "
                     f"{escape(mistake.why)}</p>")  # fmt: skip
    parts += [f'<p class="soft">{escape(each)}</p>' for each in (*report.found, *report.notes)]
    parts += [_plot(name, growth) for name, growth in report.costs.items()]
    return "\n".join([*parts, "</article>"])


def _plot(name: str, growth: Growth) -> str:
    """A cost against n, both on a scale of powers: a line that rises as steeply as the order."""
    points = [(n, cost) for n, cost in growth.points if cost > 0]
    words = escape(f"{name}: {growth_words(growth, name == 'memory')}")
    if not points:
        return f"<p>{words}</p>"
    first, last = points[0][0], points[-1][0]
    least, most = (pick(cost for _, cost in points) for pick in (min, max))
    wide = log(last / first) or 1.0
    high = max(wide, log(most / least))  # what is O(1) looks flat
    across, up = (WIDTH - LEFT - 8) / wide, (HEIGHT - 34) / high
    floor = HEIGHT - 24
    places = [
        (LEFT + across * log(n / first), floor - up * log(cost / least)) for n, cost in points
    ]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in places)
    marks: dict[float, str] = {floor: amount(least, name == "memory")}
    if (top := floor - up * log(most / least)) < floor - 12:  # or the two would be one
        marks[top] = amount(most, name == "memory")
    sides = "".join(
        f'<text x="{LEFT - 8}" y="{y + 3.5:.1f}" text-anchor="end">{cost}</text>'
        f'<path class="axis" d="M{LEFT - 5} {y:.1f}h5"/>'
        for y, cost in marks.items()
    )
    return (
        f'<figure><svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-label="{words}">'
        f'<path class="axis" d="M{LEFT} 4V{HEIGHT - 15}H{WIDTH - 4}"/>{sides}'
        f'<path d="{path}"/>{dots}<text x="{LEFT}" y="{HEIGHT - 3}">n = {first}</text>'
        f'<text x="{WIDTH - 4}" y="{HEIGHT - 3}" text-anchor="end">{last:,}</text></svg>'
        f"<figcaption>{words}</figcaption></figure>"
    )
