"""Judging many files on many machines, with Dask. Needs ``noughts[cluster]``.

A partition is a file of games; its verdicts become a Parquet file of the same name. All machines
must see both under the same paths or URLs.

Files of verdicts are written atomically. The footer records the standings, and the size and the
modification time or ETag of the file of games, so that no worker and no later run judges a finished
partition again unless its games have changed.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from noughts.errors import InvalidRecord, NoughtsError
from noughts.extras import require_extra
from noughts.records.atomic import atomic_write, remove_parts
from noughts.records.formats import Reading
from noughts.records.storage import Location, find_files, fingerprint, join, open_raw
from noughts.system import lock, need_posix

with require_extra("judging on a cluster", "Dask", "cluster"):
    import pyarrow as pa
    import pyarrow.parquet as pq
    from distributed import Client, as_completed

    from noughts.bulk.chunks import BLOCK, JudgePool, split
    from noughts.bulk.parquet import VerdictFile

SECONDS = 10  # timeout of the connection to a scheduler
_KEY = b"noughts"
_STANDING = re.compile(
    "won by [1-8]|draw|pending|illegal|unreadable|confirmed|contradicted|undecided"
)


class NoScheduler(NoughtsError, ConnectionError):
    """The scheduler does not answer, or no longer does."""


class InvalidJob(NoughtsError, ValueError):
    """There is nothing to judge, or the verdicts cannot be written to the given place."""


@dataclass(frozen=True, slots=True)
class Partition:
    """A file of games and the file for its verdicts."""

    games: Location
    verdicts: Location


def partitions(patterns: Iterable[str], out: Location) -> list[Partition]:
    """Return the files that match the patterns, each with the file for its verdicts in `out`.

    A file keeps its name, and its path from the pattern's first wildcard on: with the pattern
    ``data/*/a.parquet``, ``data/2024/a.parquet`` becomes ``out/2024/a.parquet``. Files in `out`
    are ignored.

    Raises:
        InvalidJob: nothing matches a pattern, two files would have the same verdicts file, or `out`
            is a file.
    """
    if isinstance(out, Path):
        out = out.absolute()
        if out.exists() and not out.is_dir():
            raise InvalidJob(f"{out} is a file; the verdicts need a directory")
    found: dict[Location, Location] = {}  # verdicts: games
    for pattern in patterns:
        matches = [match for match in find_files(pattern) if not _inside(match[0], out)]
        if not matches:
            raise InvalidJob(f"no file matches {pattern}")
        for games, name in matches:
            verdicts = join(out, name)
            other = found.setdefault(verdicts, games)
            if os.path.realpath(other) != os.path.realpath(games):
                raise InvalidJob(f"{other} and {games} would both become {verdicts}")
    return [Partition(games, verdicts) for verdicts, games in sorted(found.items(), key=str)]


def _inside(file: Location, directory: Location) -> bool:
    if isinstance(file, Path) or isinstance(directory, Path):
        return Path(file).is_relative_to(directory)
    return file.startswith(f"{directory.rstrip('/')}/")


@contextmanager
def claimed(out: Location) -> Iterator[None]:
    """Create the directory of the verdicts if it is missing, and lock it for this run.

    Stores have neither directories nor locks; two runs there write the same verdicts twice.

    Raises:
        NeedsPosix: this system cannot lock directories.
        InvalidJob: another run holds the lock.
        OSError: the directory cannot be created.
    """
    if not isinstance(out, Path):
        yield
        return
    need_posix("a cluster that writes to a directory")
    out.mkdir(parents=True, exist_ok=True)
    directory = os.open(out, os.O_RDONLY)
    try:
        with suppress(OSError):  # the file system may not support locks
            try:
                lock(directory)
            except BlockingIOError:
                raise InvalidJob(f"another run is writing verdicts to {out}") from None
        yield
    finally:
        os.close(directory)


def finished(partition: Partition) -> Counter[str] | None:
    """Return the standings of a finished partition, or None if it has yet to be judged.

    Raises:
        InvalidJob: the file for the verdicts exists and contains something else.
        OSError: a file cannot be read.
    """
    try:
        with open_raw(partition.verdicts) as file:
            known = json.loads(pq.read_metadata(file).metadata[_KEY])
        counts = known.pop("counts")
        valid = all(_STANDING.fullmatch(name) and type(n) is int for name, n in counts.items())
    except FileNotFoundError:
        return None
    except (pa.ArrowException, KeyError, TypeError, ValueError, AttributeError, RecursionError):
        valid = False
    if not valid:
        raise InvalidJob(f"{partition.verdicts} exists and is not a file of verdicts: move it")
    return Counter(counts) if known == fingerprint(partition.games) else None


def judge_partition(partition: Partition) -> Counter[str]:
    """Judge a partition unless it is finished; return its standings.

    Raises:
        InvalidRecord: the games cannot be read, or changed while they were read.
        InvalidJob: the file for the verdicts exists and contains something else.
        OSError: a file cannot be read or written.
    """
    counts = finished(partition)
    if counts is not None:  # judged by a worker that died before it could report
        return counts
    if isinstance(partition.verdicts, Path):
        partition.verdicts.parent.mkdir(parents=True, exist_ok=True)
        remove_parts(partition.verdicts)
    before, counts = fingerprint(partition.games), Counter()
    with (
        BufferedReader(open_raw(partition.games), BLOCK) as games,
        atomic_write(partition.verdicts) as verdicts,
        JudgePool(1, as_json=False) as pool,
    ):
        output = VerdictFile(verdicts)
        for _, result in pool.judge(split(games, str(partition.games), Reading())):
            if result.failure:
                raise result.failure
            counts += result.counts
            for part in result.parts:
                if isinstance(part, InvalidRecord):
                    continue
                if isinstance(part, NoughtsError):
                    raise part
                output.add(part)
        output.close({_KEY: json.dumps(before | {"counts": counts})})
        if fingerprint(partition.games) != before:
            raise InvalidRecord("the file changed while it was being read")
    return counts


@contextmanager
def connected(scheduler: str) -> Iterator[Client]:
    """Connect a client to a scheduler; raise NoScheduler if none answers at this address."""
    try:
        client = Client(scheduler, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise NoScheduler(f"no Dask scheduler answers at {scheduler}") from error
    with client:
        yield client


def judge_partitions(
    client: Client, todo: Sequence[Partition]
) -> Iterator[tuple[Partition, Counter[str] | BaseException]]:
    """Judge partitions on the workers; yield each with its standings or error, as they finish.

    If a worker dies, its partition moves to another; after several deaths the result is Dask's
    `KilledWorker`. If the caller stops iterating, waiting partitions are cancelled. Raises
    NoScheduler if the scheduler no longer answers.
    """
    futures = client.map(judge_partition, todo, pure=False)
    waiting = dict(zip(futures, todo, strict=True))
    del futures  # lets the cluster release finished results
    try:
        for future in as_completed(list(waiting), loop=client.loop):
            if future.cancelled():
                raise NoScheduler(f"lost the Dask scheduler at {client.scheduler.address}")
            partition = waiting.pop(future)
            # Read the result from the file: the worker may have died since, which Dask notices
            # late. Fall back to the future, as a shared file system may not show the file yet.
            yield partition, future.exception() or finished(partition) or future.result()
    finally:
        with suppress(OSError):  # the scheduler may have stopped
            client.cancel(list(waiting))
