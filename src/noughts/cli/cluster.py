"""``noughts judge --scheduler``: a verdict on every game of many files, on many machines."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from noughts.cli.report import Show, counted, print_summary, progress_bar, rate_of

if TYPE_CHECKING:
    from noughts.bulk.cluster import Partition

Results = Iterable[tuple["Partition", Counter[str] | BaseException]]


def judge_on_cluster(scheduler: str, patterns: list[str], out: Path) -> int:
    """Judge the partitions that are not finished, and print how all games stand.

    Returns:
        What the command exits with.
    """
    from noughts.bulk import cluster

    for name in ("distributed", "distributed.client"):  # an error is one line of ours
        logging.getLogger(name).setLevel(logging.CRITICAL)
    run = ClusterRun()
    todo = [
        partition
        for partition in cluster.partitions(patterns, out)
        if not run.knows(cluster.finished(partition))
    ]
    if todo:
        with cluster.connected(scheduler) as client, progress_bar() as bar:
            if not client.nthreads():
                print(f"noughts: {scheduler} has no workers yet; waiting", file=sys.stderr)
            run.follow(cluster.judge_partitions(client, todo), todo, bar)
    run.print_summary()
    return run.exit_code


class ClusterRun:
    """One run of the command: what was finished before it, and what has been judged since."""

    def __init__(self) -> None:
        self._standings: Counter[str] = Counter()
        self._partitions: Counter[str] = Counter()
        self._games = 0  # judged by this run
        self._start = perf_counter()

    def knows(self, finished: Counter[str] | None) -> bool:
        """Count a partition if it was finished before."""
        if finished is not None:
            self._partitions["finished before"] += 1
            self._standings += finished
        return finished is not None

    def follow(self, results: Results, todo: list[Partition], bar: Show | None) -> None:
        """Count the partitions as they are judged; those that cannot be are reported."""
        sizes = {partition: partition.games.stat().st_size for partition in todo}
        total, done = sum(sizes.values()), 0
        self._start = perf_counter()
        for number, (partition, result) in enumerate(results, 1):
            if isinstance(result, BaseException):
                reason = result.strerror if isinstance(result, OSError) else result
                print(f"noughts: {partition.games}: {reason}", file=sys.stderr)
                self._partitions["failed"] += 1
            else:
                self._partitions["judged"] += 1
                self._standings += result
                self._games += result.total()
            done += sizes[partition]
            if bar:
                bar(f"{number:,} of {counted(len(todo), 'partition')}", done, total, self._games)

    def print_summary(self) -> None:
        """Say on standard error how all games stand, and what has become of the partitions."""
        rate = rate_of(self._games, perf_counter() - self._start)
        counts = ", ".join(
            f"{self._partitions[state]:,} {state}"
            for state in ("judged", "finished before", "failed")
            if self._partitions[state]
        )
        print(f"{counted(self._partitions.total(), 'partition')}: {counts}", file=sys.stderr)
        readable = self._standings - Counter(unreadable=self._standings["unreadable"])
        print_summary(readable, self._standings["unreadable"], rate)

    @property
    def exit_code(self) -> int:
        """What the command exits with."""
        if self._partitions["failed"]:
            return 2
        return 1 if self._standings["illegal"] or self._standings["unreadable"] else 0
