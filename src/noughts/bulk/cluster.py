"""Many files of games on many machines, with Dask. Needs ``noughts[cluster]``.

A partition is a file of games; its verdicts become a Parquet file of the same name. All machines
must see both under the same paths or addresses.

A file of verdicts is written atomically. Its footer has the size and the modification time or ETag
of the file of games, and the standings. So no worker and no run judges a finished partition again,
unless its games have changed.
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
from noughts.records.addresses import Address, below, matching, reading, stamp
from noughts.records.atomic import atomic_write, remove_parts
from noughts.system import lock, need_posix

with require_extra("judging on a cluster", "Dask", "cluster"):
    import pyarrow as pa
    import pyarrow.parquet as pq
    from distributed import Client, as_completed

    from noughts.bulk.parquet import VerdictFile
    from noughts.bulk.pieces import BLOCK, Judges, split

SECONDS = 10  # to wait for a scheduler's answer
_KEY = b"noughts"
_STANDING = re.compile(
    "won by [1-8]|draw|pending|illegal|unreadable|confirmed|contradicted|undecided"
)


class NoScheduler(NoughtsError, ConnectionError):
    """No scheduler answers, or no longer."""


class InvalidJob(NoughtsError, ValueError):
    """There is nothing to judge, or the verdicts cannot go where they should."""


@dataclass(frozen=True, slots=True)
class Partition:
    """A file of games, and its file of verdicts."""

    games: Address
    verdicts: Address


def partitions(patterns: Iterable[str], out: Address) -> list[Partition]:
    """The files that match the patterns, each with its place in the directory `out`.

    A file keeps its name, and its path from the pattern's first wildcard on: with the pattern
    ``data/*/a.parquet``, ``data/2024/a.parquet`` becomes ``out/2024/a.parquet``. Files in `out`
    are ignored.

    Raises:
        InvalidJob: nothing matches a pattern, two files would become the same, or `out` is a file.
    """
    if isinstance(out, Path):
        out = out.absolute()
        if out.exists() and not out.is_dir():
            raise InvalidJob(f"{out} is a file; the verdicts need a directory")
    found: dict[Address, Address] = {}  # verdicts: games
    for pattern in patterns:
        matches = [match for match in matching(pattern) if not _inside(match[0], out)]
        if not matches:
            raise InvalidJob(f"no file matches {pattern}")
        for games, name in matches:
            verdicts = below(out, name)
            other = found.setdefault(verdicts, games)
            if os.path.realpath(other) != os.path.realpath(games):
                raise InvalidJob(f"{other} and {games} would both become {verdicts}")
    return [Partition(games, verdicts) for verdicts, games in sorted(found.items(), key=str)]


def _inside(file: Address, directory: Address) -> bool:
    if isinstance(file, Path) or isinstance(directory, Path):
        return Path(file).is_relative_to(directory)
    return file.startswith(f"{directory.rstrip('/')}/")


@contextmanager
def claimed(out: Address) -> Iterator[None]:
    """Make the directory of the verdicts if it is missing, and lock it for this run.

    Stores have neither directories nor locks; two runs there write the same verdicts twice.

    Raises:
        NeedsPosix: directories cannot be locked here.
        InvalidJob: another run has it, on this machine or on one that shares its locks.
        OSError: it cannot be made.
    """
    if not isinstance(out, Path):
        yield
        return
    need_posix("a cluster that writes to a directory")
    out.mkdir(parents=True, exist_ok=True)
    directory = os.open(out, os.O_RDONLY)
    try:
        with suppress(OSError):  # file systems without such locks
            try:
                lock(directory)
            except BlockingIOError:
                raise InvalidJob(f"another run is writing verdicts to {out}") from None
        yield
    finally:
        os.close(directory)


def finished(partition: Partition) -> Counter[str] | None:
    """The standings of a partition, or None if it is still to be judged.

    Raises:
        InvalidJob: there is another file in the place of the verdicts.
        OSError: a file cannot be read.
    """
    try:
        with reading(partition.verdicts) as file:
            known = json.loads(pq.read_metadata(file).metadata[_KEY])
        counts = known.pop("counts")
        right = all(_STANDING.fullmatch(name) and type(n) is int for name, n in counts.items())
    except FileNotFoundError:
        return None
    except (pa.ArrowException, KeyError, TypeError, ValueError, AttributeError, RecursionError):
        right = False
    if not right:
        raise InvalidJob(f"{partition.verdicts} is in the way: it is not a file of verdicts")
    return Counter(counts) if known == stamp(partition.games) else None


def judge_partition(partition: Partition) -> Counter[str]:
    """Judge a partition unless it is finished; return its standings.

    Raises:
        InvalidRecord: the games cannot be read, or changed while they were read.
        InvalidJob, OSError: as `finished`; or the verdicts cannot be written.
    """
    counts = finished(partition)
    if counts is not None:  # the answer was lost with the worker that gave it
        return counts
    if isinstance(partition.verdicts, Path):
        partition.verdicts.parent.mkdir(parents=True, exist_ok=True)
        remove_parts(partition.verdicts)
    before, counts = stamp(partition.games), Counter()
    with (
        BufferedReader(reading(partition.games), BLOCK) as games,
        atomic_write(partition.verdicts) as verdicts,
        Judges(1, as_json=False) as judges,
    ):
        output = VerdictFile(verdicts)
        pieces = split(games, str(partition.games))
        for _, answers in judges.judged(pieces):
            if answers.failure:
                raise answers.failure
            counts += answers.counts
            for part in answers.parts:
                if isinstance(part, InvalidRecord):
                    continue
                if isinstance(part, NoughtsError):
                    raise part
                output.add(part)
        output.close({_KEY: json.dumps(before | {"counts": counts})})
        if stamp(partition.games) != before:
            raise InvalidRecord("the file was changed while it was read")
    return counts


@contextmanager
def connected(scheduler: str) -> Iterator[Client]:
    """A client of the scheduler at this address; raises NoScheduler if none answers."""
    try:
        client = Client(scheduler, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise NoScheduler(f"no Dask scheduler answers at {scheduler}") from error
    with client:
        yield client


def judge_partitions(
    client: Client, todo: Sequence[Partition]
) -> Iterator[tuple[Partition, Counter[str] | BaseException]]:
    """What `judge_partition` returns or raises on the workers, as they finish.

    A partition whose worker dies goes to another; after some deaths the result is Dask's
    `KilledWorker`. If the loop is left early, waiting partitions are cancelled. Raises NoScheduler
    if the scheduler no longer answers.
    """
    futures = client.map(judge_partition, todo, pure=False)
    waiting = dict(zip(futures, todo, strict=True))
    del futures  # so that the cluster forgets what is finished
    try:
        for future in as_completed(list(waiting), loop=client.loop):
            if future.cancelled():
                raise NoScheduler(f"the Dask scheduler at {client.scheduler.address} has gone")
            partition = waiting.pop(future)
            # The file has the answer; the worker may have died since, which Dask notices late. A
            # shared file system may not show the file yet.
            yield partition, future.exception() or finished(partition) or future.result()
    finally:
        with suppress(OSError):  # it may have gone
            client.cancel(list(waiting))
