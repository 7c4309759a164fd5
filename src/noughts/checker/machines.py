"""Reports for other programs: a line of JSON each, JUnit's XML, Gradescope's results."""

import json
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as Xml

from noughts.checker.report import Report


def json_line(report: Report) -> str:
    """The report as one line of JSON; docs/check.md describes it."""
    return as_json(facts(report))


def facts(report: Report) -> dict[str, Any]:
    """What a line of JSON says, by its names."""
    told = report.counterexample
    return {
        "solution": report.solution,
        "problem": report.problem,
        "language": report.language,
        "verdict": report.verdict,
        "games": report.games,
        "counterexample": told
        and {
            "n": told.n,
            "moves": told.moves,
            "expected": told.expected,
            "answered": told.answered,
            "message": told.message,
        },
        "diagnosis": report.diagnosis,
        "time": report.time.order,
        "memory": report.memory.order,
        "message": report.message,
    }


def as_json(found: Any) -> str:
    """This on one line."""
    return printable(json.dumps(found, ensure_ascii=False, separators=(",", ":")))


def junit(reports: Sequence[Report]) -> str:
    """The reports as a suite of tests, in the XML of JUnit that build servers read."""
    unread = [report for report in reports if report.verdict == "unreadable"]
    failed = sum(not report.right for report in reports) - len(unread)
    suite = Xml.Element("testsuite", name="noughts check", tests=f"{len(reports)}",
                        failures=f"{failed}", errors=f"{len(unread)}", skipped="0",
                        time=f"{sum(report.seconds for report in reports):.3f}")  # fmt: skip
    for report in reports:
        case = Xml.SubElement(suite, "testcase", classname=report.problem, name=report.solution,
                              time=f"{report.seconds:.3f}")  # fmt: skip
        if not report.right:
            kind = "error" if report.verdict == "unreadable" else "failure"
            short = {"type": report.verdict, "message": printable(report.message)}
            Xml.SubElement(case, kind, short).text = printable(str(report))
        if report.output:
            Xml.SubElement(case, "system-out").text = printable(report.output)
    suites = Xml.Element("testsuites")
    suites.append(suite)
    Xml.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(suites, "unicode") + "\n"


def gradescope(reports: Sequence[Report], points: float = 100) -> str:
    """The reports as Gradescope's results.json; each right solution has its share of the points."""
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
    return printable(json.dumps(results, ensure_ascii=False, indent=2)) + "\n"


def printable(text: str) -> str:
    """The text without what a terminal may obey, and XML or UTF-8 cannot hold."""
    return "".join(each if each.isprintable() or each in "\n\t" else "�" for each in text)
