"""The files of `deploy/`: options and metrics exist, alerts fire, the systemd unit is hardened."""

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
from noughts.service.app import PROBES
from noughts.service.metrics import exposition
from noughts.service.server import LAST
from noughts.service.settings import SETTINGS

DEPLOY = Path(__file__).parents[1] / "deploy"
UNIT = DEPLOY / "noughts@.service"
ALERTS = DEPLOY / "alerts.yml"
MANIFEST = DEPLOY / "kubernetes.yaml"
OPTIONS = {setting.name for setting in SETTINGS}
OURS = re.compile(r"\b(?:noughts|process)_[a-z_]+")


def tool(name: str) -> str:
    """Find a program of a large package (prometheus, systemd); skip the test without it."""
    found = which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def output(*command: str | Path) -> str:
    """Run a command, which must succeed, and return its output."""
    done = run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def exposed() -> set[str]:
    """Return the names of all metrics that a server exposes."""
    names = set()
    for family in text_string_to_metric_families(exposition()[0].decode()):
        names |= {family.name, f"{family.name}_total"} | {one.name for one in family.samples}
    return names


def expressions(node: Any) -> Iterator[str]:
    """Yield all expressions in a dashboard."""
    if isinstance(node, dict):
        yield from (node[key] for key in ("expr", "query") if isinstance(node.get(key), str))
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            yield from expressions(child)


def test_deploy_watches_existing_metrics() -> None:
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
def test_deploy_uses_existing_options(file: Path) -> None:
    text = file.read_text("utf-8")
    lines = re.findall(r"noughts serve((?: --\S+(?: [^-\s]\S*)?)*)", text)
    options = {option for line in lines for option in re.findall(r"--([a-z-]+)", line)}
    variables = set(re.findall(r"NOUGHTS_([A-Z_]+)", text))
    assert {option.replace("-", "_") for option in options} <= OPTIONS
    assert {variable.lower() for variable in variables} <= OPTIONS


def test_systemd_unit_is_hardened(tmp_path: Path) -> None:
    analyze = tool("systemd-analyze")
    unit = tmp_path / "noughts@8001.service"
    copy(UNIT, unit)
    rated = output(analyze, "security", "--offline=true", unit)
    level = re.search(r"Overall exposure level .*: ([\d.]+)", rated)
    assert level
    assert float(level[1]) < 2
    errors = run([analyze, "verify", unit], capture_output=True, text=True, timeout=SECONDS).stderr
    wrong = [line for line in errors.splitlines() if "noughts" in line]
    # The program is not installed here; nothing else may be wrong.
    assert all("/opt/noughts/8001/" in line for line in wrong), errors


def test_kubernetes_manifest_is_valid_and_drains_servers_before_they_end() -> None:
    kubernetes_validate = pytest.importorskip("kubernetes_validate")
    yaml = pytest.importorskip("yaml")
    parts = {each["kind"]: each for each in yaml.safe_load_all(MANIFEST.read_text("utf-8"))}
    for part in parts.values():
        for version in ("1.30", kubernetes_validate.latest_version()):  # `sleep` is new in 1.30
            kubernetes_validate.validate(part, version, strict=True)
    deployment = parts["Deployment"]["spec"]
    assert deployment["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert 0 < parts["PodDisruptionBudget"]["spec"]["minAvailable"] < deployment["replicas"]
    pod = deployment["template"]
    for part in ("Deployment", "PodDisruptionBudget"):
        assert parts[part]["spec"]["selector"]["matchLabels"] == pod["metadata"]["labels"]
    assert parts["Service"]["spec"]["selector"] == pod["metadata"]["labels"]
    (container,) = pod["spec"]["containers"]
    probes = {name: container[f"{name}Probe"] for name in ("startup", "liveness", "readiness")}
    paths = {name: probe["httpGet"]["path"] for name, probe in probes.items()}
    assert paths == {"startup": "/healthz", "liveness": "/healthz", "readiness": "/readyz"}
    assert set(paths.values()) <= PROBES
    pause = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    # A server is left out of the service before it stops, and is not killed while it ends.
    assert probes["readiness"]["periodSeconds"] * probes["readiness"]["failureThreshold"] < pause
    assert pause + LAST < pod["spec"]["terminationGracePeriodSeconds"]
    assert pod["spec"]["enableServiceLinks"] is False  # NOUGHTS_PORT would be tcp://…


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


def test_alerts_fire_only_for_failing_servers(tmp_path: Path) -> None:
    promtool = tool("promtool")
    output(promtool, "check", "rules", ALERTS)
    alerts = re.findall(r"- alert: (\w+)", ALERTS.read_text())
    case = tmp_path / "test.yml"
    raised = "".join(
        f"""          - {{labels: '{{alertname="{name}", instance="dead"}}', value: 1}}\n"""
        for name in alerts
    )
    case.write_text(PROMTOOL + raised)
    output(promtool, "test", "rules", case)
