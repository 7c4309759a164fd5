"""What operators watch, in the form that Prometheus reads at /metrics."""

from __future__ import annotations

import os
from contextlib import suppress
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
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

REQUESTS = Counter("noughts_requests", "Requests answered.", ["method", "status"])
REQUEST_SECONDS = Histogram(
    "noughts_request_seconds",
    "From a request to the end of its answer, event streams aside.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
COMMITTED = Counter("noughts_changes_committed", "Events and games written to the database.")
COMMIT_SECONDS = Histogram(
    "noughts_commit_seconds",
    "How long a transaction took.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
GROUP_SIZE = Histogram(
    "noughts_commit_group", "Changes in one transaction.", buckets=(1, 2, 5, 10, 20, 50, 100, 200)
)
STREAMS = Gauge("noughts_event_streams", "Open event streams.", multiprocess_mode="livesum")
DROPPED = Counter("noughts_event_streams_dropped", "Event streams of readers that were too slow.")
THINKING = Gauge("noughts_computers_thinking", "Moves sought.", multiprocess_mode="livesum")


def exposition() -> tuple[bytes, str]:
    """The page at /metrics and its content type; of all workers together."""
    registry: CollectorRegistry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:  # set for several workers
        _forget_the_dead(Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]))
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST


def _forget_the_dead(folder: Path) -> None:
    """Leave out what workers have open that have ended: they could not take it back themselves."""
    for pid in {path.stem.rpartition("_")[2] for path in folder.glob("gauge_live*_*.db")}:
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            with suppress(FileNotFoundError):  # another worker was faster
                # prometheus_client leaves this one function without types.
                mark_process_dead(int(pid), str(folder))  # type: ignore[no-untyped-call]
