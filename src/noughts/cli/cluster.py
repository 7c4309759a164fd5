"""``noughts judge --scheduler``: a verdict on every game of many files, on many machines."""

import logging
import sys
from collections import Counter
from time import perf_counter

from noughts.bulk import cluster
from noughts.cli.files import say_why
from noughts.cli.report import counted, exit_code, games_of, print_summary, progress_bar
from noughts.records.addresses import Address, stamp


def judge_on_cluster(scheduler: str, patterns: list[str], out: Address) -> int:
    """Judge unfinished partitions, print a summary of all, and return the exit code."""
    for name in ("distributed", "distributed.client"):  # an error is one line of ours
        logging.getLogger(name).setLevel(logging.CRITICAL)
    found = cluster.partitions(patterns, out)
    with cluster.claimed(out):
        return _judge_partitions(scheduler, found)


def _judge_partitions(scheduler: str, found: list[cluster.Partition]) -> int:
    before, new, partitions, todo = Counter[str](), Counter[str](), Counter[str](), []
    for partition in found:
        counts = cluster.finished(partition)
        if counts is None:
            todo.append(partition)
        else:
            partitions["finished before"] += 1
            before += counts
    sizes = {partition: int(stamp(partition.games)["size"]) for partition in todo}
    start, done = perf_counter(), 0
    if todo:
        with cluster.connected(scheduler) as client, progress_bar() as show:
            if not client.nthreads():
                print(f"noughts: {scheduler} has no workers yet; waiting", file=sys.stderr)
            start = perf_counter()
            results = cluster.judge_partitions(client, todo)
            for number, (partition, result) in enumerate(results, 1):
                if isinstance(result, BaseException):
                    say_why(partition.games, result)
                    partitions["failed"] += 1
                else:
                    partitions["judged"] += 1
                    new += result
                done += sizes[partition]
                if show:
                    place = f"{number:,} of {counted(len(todo), 'partition')}"
                    show(new, place, done, sum(sizes.values()))
    states = [state for state in ("judged", "finished before", "failed") if partitions[state]]
    kinds = ", ".join(f"{partitions[state]:,} {state}" for state in states)
    print(f"{counted(partitions.total(), 'partition')}: {kinds}", file=sys.stderr)
    print_summary(before + new, games_of(new), perf_counter() - start)
    return exit_code(before + new, partitions["failed"] > 0)
