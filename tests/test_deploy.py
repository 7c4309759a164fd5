"""What `deploy/` says is true: its options and metrics exist, its alerts ring, its unit is safe."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copy, which
from subprocess import run
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from commands import SECONDS
from noughts.service.metrics import exposition
from noughts.service.settings import SETTINGS

DEPLOY = Path(__file__).parents[1] / "deploy"
UNIT = DEPLOY / "noughts@.service"
ALERTS = DEPLOY / "alerts.yml"
OPTIONS = {setting.name for setting in SETTINGS}
OURS = re.compile(r"\b(?:noughts|process)_[a-z_]+")


def tool(name: str) -> str:
    """This program; skips the test without it, for its package is large (prometheus, systemd)."""
    found = which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def told(*command: str | Path) -> str:
    """What this command says; it must succeed."""
    done = run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def exposed() -> set[str]:
    """The names of everything that a server exposes."""
    names = set()
    for family in text_string_to_metric_families(exposition()[0].decode()):
        names |= {family.name, f"{family.name}_total"} | {one.name for one in family.samples}
    return names


def expressions(node: Any) -> Iterator[str]:
    """The expressions anywhere in a dashboard."""
    if isinstance(node, dict):
        yield from (node[key] for key in ("expr", "query") if isinstance(node.get(key), str))
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            yield from expressions(child)


def test_every_metric_that_is_watched_exists() -> None:
    dashboard = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))
    watched = [
        *expressions(dashboard),
        *re.findall(r"expr: (.*(?:\n {10}.*)*)", ALERTS.read_text()),
    ]
    named = {name for expression in watched for name in OURS.findall(expression)}
    assert len(named) > 10
    assert named <= exposed()
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)


@pytest.mark.parametrize("file", sorted(DEPLOY.iterdir()), ids=lambda file: file.name)
def test_every_option_exists(file: Path) -> None:
    text = file.read_text("utf-8")
    said = re.findall(r"noughts serve((?: --\S+(?: [^-\s]\S*)?)*)", text)
    options = {option for line in said for option in re.findall(r"--([a-z-]+)", line)}
    variables = set(re.findall(r"NOUGHTS_([A-Z_]+)", text))
    assert {option.replace("-", "_") for option in options} <= OPTIONS
    assert {variable.lower() for variable in variables} <= OPTIONS


def test_the_unit_is_hardened(tmp_path: Path) -> None:
    analyze = tool("systemd-analyze")
    unit = tmp_path / "noughts@8001.service"
    copy(UNIT, unit)
    rated = told(analyze, "security", "--offline=true", unit)
    level = re.search(r"Overall exposure level .*: ([\d.]+)", rated)
    assert level
    assert float(level[1]) < 2
    said = run([analyze, "verify", unit], capture_output=True, text=True, timeout=SECONDS).stderr
    wrong = [line for line in said.splitlines() if "noughts" in line]
    # The program is not installed here; nothing else may be wrong.
    assert all("/opt/noughts/8001/" in line for line in wrong), said


PROMTOOL = f"""
rule_files: [{ALERTS}]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {{series: 'up{{job="noughts", instance="dead"}}', values: "0x20"}}
      - {{series: 'up{{job="noughts", instance="well"}}', values: "1x20"}}
      - {{series: 'noughts_requests_total{{job="noughts", instance="dead", status="503"}}',
          values: "0+60x20"}}
      - {{series: 'noughts_requests_total{{job="noughts", instance="dead", status="500"}}',
          values: "_x14 1 1 1 1 1 1"}}
      - {{series: 'noughts_requests_total{{job="noughts", instance="well", status="200"}}',
          values: "0+60x20"}}
      - {{series: 'noughts_requests_total{{job="noughts", instance="well", status="500"}}',
          values: "7x20"}}
      - {{series: 'noughts_database_down{{job="noughts", instance="dead", database="one"}}',
          values: "1x20"}}
      - {{series: 'noughts_database_down{{job="noughts", instance="dead", database="two"}}',
          values: "0x20"}}
      - {{series: 'noughts_commit_seconds_bucket{{job="noughts", instance="dead", le="0.25"}}',
          values: "0+90x20"}}
      - {{series: 'noughts_commit_seconds_bucket{{job="noughts", instance="dead", le="0.5"}}',
          values: "0+100x20"}}
      - {{series: 'noughts_commit_seconds_bucket{{job="noughts", instance="dead", le="+Inf"}}',
          values: "0+100x20"}}
      - {{series: 'noughts_request_seconds_bucket{{job="noughts", instance="dead", le="0.5"}}',
          values: "0+90x20"}}
      - {{series: 'noughts_request_seconds_bucket{{job="noughts", instance="dead", le="1.0"}}',
          values: "0+100x20"}}
      - {{series: 'noughts_request_seconds_bucket{{job="noughts", instance="dead", le="+Inf"}}',
          values: "0+100x20"}}
      - {{series: 'process_cpu_seconds_total{{job="noughts", instance="dead"}}',
          values: "0+54x20"}}
      - {{series: 'process_cpu_seconds_total{{job="noughts", instance="well"}}',
          values: "0+30x20"}}
      - {{series: 'process_open_fds{{job="noughts", instance="dead"}}', values: "90x20"}}
      - {{series: 'process_max_fds{{job="noughts", instance="dead"}}', values: "100x20"}}
    promql_expr_test:
      - expr: count by (alertname, instance) (ALERTS{{alertstate="firing"}})
        eval_time: 18m
        exp_samples:
"""


def test_every_alert_is_raised_when_it_should_be_and_of_nobody_else(tmp_path: Path) -> None:
    promtool = tool("promtool")
    told(promtool, "check", "rules", ALERTS)
    alerts = re.findall(r"- alert: (\w+)", ALERTS.read_text())
    case = tmp_path / "test.yml"
    raised = "".join(
        f"""          - {{labels: '{{alertname="{name}", instance="dead"}}', value: 1}}\n"""
        for name in alerts
    )
    case.write_text(PROMTOOL + raised)
    told(promtool, "test", "rules", case)
