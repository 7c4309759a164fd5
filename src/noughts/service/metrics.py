"""Metrics for operators, in the format that Prometheus reads at /metrics."""

import os
from pathlib import Path

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

SECONDS = 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5
SIZES = 1, 2, 5, 10, 20, 50, 100, 200

REQUESTS = Counter("noughts_requests", "Requests answered.", ["method", "status"])
REQUEST_SECONDS = Histogram(
    "noughts_request_seconds",
    "Time from a request to the end of its answer, without streams of events or verdicts.",
    buckets=SECONDS,
)
COMMITTED = Counter("noughts_changes_committed", "Events and games written to the database.")
COMMIT_SECONDS = Histogram("noughts_commit_seconds", "Duration of a transaction.", buckets=SECONDS)
GROUP_SIZE = Histogram("noughts_commit_group", "Changes in one transaction.", buckets=SIZES)
FORGOTTEN = Counter("noughts_games_forgotten", "Games deleted after being idle too long.")
DOWN = Gauge(
    "noughts_database_down",
    "1 if the database is not responding, else 0.",
    ["database"],
    multiprocess_mode="livemax",
)
STREAMS = Gauge("noughts_event_streams", "Open event streams.", multiprocess_mode="livesum")
DROPPED = Counter(
    "noughts_event_streams_dropped", "Event streams dropped because their readers were too slow."
)
THINKING = Gauge(
    "noughts_computers_thinking",
    "Moves that the computer is thinking about.",
    multiprocess_mode="livesum",
)


def exposition() -> tuple[bytes, str]:
    """Return the metrics of all workers together, and their content type."""
    registry: CollectorRegistry = REGISTRY
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):  # set for several workers
        _forget_the_dead(folder)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST


def _forget_the_dead(folder: str) -> None:
    """Remove the gauges of workers that have ended, which are not reset otherwise."""
    for path in Path(folder).glob("gauge_live*_*.db"):
        try:
            os.kill(int(path.stem.rpartition("_")[2]), 0)
        except ProcessLookupError:
            path.unlink(missing_ok=True)  # another worker may remove it first
