"""Judging whole files: split a file into chunks, judge them in parallel, keep their order.

A chunk is a batch of a Parquet file, a block of lines of JSON Lines, or a single game of another
format. `JudgePool` judges chunks on one or more threads; workers of a cluster use it, too.

Compiled code and PyArrow release the GIL, so threads scale over several cores. Python's own reader,
which handles call lists and blocks with irregular lines, always holds the GIL; processes take over
when there is much for it to read.
"""

import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from io import BufferedReader, BytesIO
from itertools import count, islice
from typing import Any, TypeVar, cast

from noughts.bulk.verdict import judge_record, standing
from noughts.compiled import load
from noughts.errors import IllegalMove, InvalidRecord, NoughtsError
from noughts.extras import missing
from noughts.game.rules import Rules
from noughts.records import MAX_LINE, CallList, Record, answers_to_json
from noughts.records.compression import decompressed
from noughts.records.formats import HEAD, Reading, format_of, read_named
from noughts.records.json_lines import EMPTY, missing_arguments, read_lines
from noughts.records.lines import NumberedLine
from noughts.records.storage import progress_of
from noughts.system import exit_with_parent, hold_interrupts_back, interrupts_held_back

BLOCK = 1 << 19  # bytes of lines per chunk
FEW = 4  # blocks read in Python before processes are started; starting them takes as long

T = TypeVar("T")


@dataclass(slots=True)
class ChunkResult:
    """Verdicts and errors of one chunk.

    Attributes:
        counts: the number of games of each standing, and of "unreadable" lines or rows.
        parts: lines of verdicts, batches of verdicts, (`Record`, `Verdict`) pairs and errors, in
            input order.
        failure: the error that prevents the rest of the file from being judged.
        names: the names of a call list whose arguments are in the next chunk.
    """

    counts: Counter[str] = field(default_factory=Counter)
    parts: list[Any] = field(default_factory=list)
    failure: OSError | NoughtsError | None = None
    names: NumberedLine | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a file.

    Attributes:
        source: the file's name, for messages.
        data: whole lines of JSON, an Arrow batch of games, a single game, the error in place of
            a game, a finished `ChunkResult`, or None after the last lines of a file.
        first: the number of the first line or row.
        live: whether the input may pause here, so that results must not wait for more of it.
        progress: the bytes read of the file so far, and its size if known.
        names: the names of a call list whose arguments begin this chunk.
        rules: the rules of games that do not name their own.
    """

    source: str
    data: Any
    first: int = 1
    live: bool = False
    progress: tuple[int, int | None] = (0, None)
    names: NumberedLine | None = None
    rules: Rules | None = None

    @property
    def many(self) -> bool:
        """Whether the chunk is large enough to be judged on another thread."""
        return not (
            self.live
            or isinstance(self.data, Record | CallList | InvalidRecord | ChunkResult | None)
        )


def bulk_module(name: str) -> Any:
    """Import a module of `noughts.bulk`; return None if NumPy or PyArrow is not installed."""
    try:
        with interrupts_held_back():
            return import_module(f"noughts.bulk.{name}")
    except ModuleNotFoundError as error:
        if error.name not in {"numpy", "pyarrow"}:
            raise
        return None


def parquet_module() -> Any:
    """Import `noughts.bulk.parquet`; raise NoughtsError if PyArrow is not installed."""
    parquet = bulk_module("parquet")
    if parquet is None:
        raise NoughtsError(missing("Parquet", "PyArrow", "batch"))
    return parquet


def split(
    file: "BufferedReader[Any]",
    source: str,
    reading: Reading,
) -> Iterator[Chunk]:
    """Yield the chunks of a file, or of all files in an archive.

    Args:
        file: a reader that buffers at least `BLOCK` bytes.
        source: the file's name, for messages.
        reading: how to read what the file leaves open.

    Raises:
        InvalidRecord: a Parquet file or compressed data cannot be read.
        NoughtsError: the file is Parquet, and PyArrow is not installed.
    """
    head = file.peek(HEAD)
    if not head:
        yield Chunk(source, None)  # another read would wait for a second Ctrl-D
        return
    if (files := decompressed(file, head, source)) is not None:
        empty = True
        for inner, inner_name in files:
            for chunk in split(cast("BufferedReader[Any]", inner), inner_name, reading):
                empty = False
                yield replace(chunk, progress=progress_of(file))
        if empty:
            yield Chunk(source, InvalidRecord(EMPTY, source))
        return
    name = reading.format or format_of(head, source)
    if name == "jsonl" and reading.origin is None:
        yield from _blocks(file, source, reading.rules)
    elif name != "parquet":
        for game, usual in read_named(file, source, reading):
            if isinstance(game, Record) and game.id is None:
                game = replace(game, id=usual)
            yield Chunk(source, game, progress=progress_of(file))
    else:
        row = 1
        for batch, progress in _ahead((each, progress_of(file)) for each in parquet_batches(file)):
            yield Chunk(source, batch, row, progress=progress, rules=reading.rules)
            row += len(batch)


def parquet_batches(file: BufferedReader) -> Iterator[Any]:
    """Yield the games of a Parquet file in batches; raise NoughtsError if they cannot be read."""
    parquet = parquet_module()
    if not file.seekable():
        raise InvalidRecord("Parquet cannot be read from a pipe: pass the file's name")
    yield from parquet.read_parquet(file)


def _blocks(file: BufferedReader, source: str, rules: Rules | None) -> Iterator[Chunk]:
    line, live = 1, not file.seekable()
    while block := _next_block(file):
        yield Chunk(source, block, line, live, progress_of(file), rules=rules)
        line += block.count(b"\n")
    yield Chunk(source, None)


def _next_block(file: BufferedReader) -> bytes:
    """Read the whole lines that are available; of a line that is too long, only the beginning."""
    block = file.read1(BLOCK)
    if block and not block.endswith(b"\n"):
        block += file.readline(MAX_LINE)
    end = block[-1:]
    while end not in (b"", b"\n"):
        end = file.readline(MAX_LINE)[-1:]
    # The arguments of a call list usually follow its names; keep both in one chunk if they do.
    if len(block) >= BLOCK and block.startswith(b'["', block.rfind(b"\n", 0, -1) + 1):
        block += file.readline(MAX_LINE)
    return block


def _ahead(batches: Iterator[T]) -> Iterator[T]:
    """Yield the batches; from the third on, read them ahead on another thread."""
    two = list(islice(batches, 2))
    yield from two
    if len(two) == 2:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1, initializer=hold_interrupts_back) as reader:
            waiting = deque(reader.submit(next, batches, None) for _ in range(2))
            while (batch := waiting.popleft().result()) is not None:
                waiting.append(reader.submit(next, batches, None))
                yield batch


def judge_chunk(chunk: Chunk, as_json: bool, read: Any = None) -> ChunkResult:
    """Judge a chunk; with `as_json`, verdicts become lines of JSON, not batches and pairs.

    For lines that Python has to read, `read` is called in place of `read_chunk`, if it is given.
    """
    data = chunk.data
    if isinstance(data, bytes):
        fast = load("noughts.bulk._judge") and not chunk.names and bulk_module("json_blocks")
        judged = fast.judge_json_block(data, chunk.rules) if fast else None
        if judged is None:
            return (read or read_chunk)(chunk, as_json)
    elif isinstance(data, Record | CallList | InvalidRecord):
        result = ChunkResult()
        _judge_into(result, data, as_json)
        return result
    elif data is None or isinstance(data, ChunkResult):
        return data or ChunkResult()
    else:
        try:
            judged = bulk_module("batches").judged_batch(data, rules=chunk.rules)
        except NoughtsError as error:
            return ChunkResult(failure=error)
    problems = [
        InvalidRecord(why, chunk.source, chunk.first + row) for row, why in judged.problems()
    ]
    counts = judged.counts() + Counter(unreadable=len(problems))
    whole = bulk_module("json_blocks").to_json(judged) if as_json else judged.to_batch()
    return ChunkResult(counts, [*problems, whole])


def read_chunk(chunk: Chunk, as_json: bool) -> ChunkResult:
    """Read lines in Python and judge them one by one."""
    result = ChunkResult()

    def read() -> Iterator[Any]:
        lines = BytesIO(chunk.data)
        result.names = yield from read_lines(
            lines, chunk.source, chunk.first, chunk.names, chunk.rules
        )

    for game in read():
        _judge_into(result, game, as_json)
    return result


def _judge_into(
    result: ChunkResult, game: Record | CallList | InvalidRecord, as_json: bool
) -> None:
    """Judge one game and add its verdict or error to the result."""
    if isinstance(game, InvalidRecord):
        result.counts["unreadable"] += 1
        result.parts.append(game)
    elif isinstance(game, CallList):
        answers = game.answers()
        refused = any(isinstance(answer, IllegalMove) for answer in answers)
        result.counts["illegal" if refused else "answered"] += 1
        error = NoughtsError("answers to call lists cannot be written as Parquet")
        result.parts.append(f"{answers_to_json(answers)}\n".encode() if as_json else error)
    else:
        verdict = judge_record(game)
        result.counts[standing(verdict.status, verdict.winner)] += 1
        result.counts.update(filter(None, [verdict.claim]))
        result.parts.append(f"{verdict.to_json()}\n".encode() if as_json else (game, verdict))


class JudgePool:
    """A pool of threads that judge chunks; as a context manager, it stops them on exit.

    Threads start with the second chunk. Processes start only when Python has many blocks to read.
    """

    def __init__(self, jobs: int, as_json: bool) -> None:
        self.jobs: int = jobs
        self._as_json = as_json
        self._threads: Any = None
        self._processes: Any = None
        self._few = count()  # of the blocks that Python reads
        self._starting = threading.Lock()

    def judge(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, ChunkResult]]:
        """Yield each chunk with its result, in the order of the chunks."""
        names, found = None, False  # both of the file that the chunk belongs to
        for chunk, result in self._in_order(chunks):
            if names and chunk.data is not None:  # rare: a call list is cut between two chunks
                result = judge_chunk(replace(chunk, names=names), self._as_json)
            if chunk.data is None and (names or not found):
                empty = InvalidRecord(EMPTY, chunk.source)
                error = missing_arguments(names, chunk.source) if names else empty
                _judge_into(result, error, self._as_json)
            names = result.names
            found = isinstance(chunk.data, bytes) and (found or bool(result.counts))
            yield chunk, result

    def _in_order(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, ChunkResult]]:
        waiting: deque[tuple[Chunk, Any]] = deque()

        def take() -> tuple[Chunk, ChunkResult]:
            chunk, future = waiting.popleft()
            return chunk, future.result() if future else judge_chunk(chunk, self._as_json)

        for chunk in chunks:
            waiting.append((chunk, None))
            if self.jobs > 1 and chunk.many and sum(each.many for each, _ in waiting) > 1:
                waiting = deque((each, future or self._submit(each)) for each, future in waiting)
            while waiting and (self.jobs == 1 or chunk.live or len(waiting) > 2 * self.jobs):
                yield take()
        while waiting:
            yield take()

    def _submit(self, chunk: Chunk) -> Any:
        """Submit a large chunk to the threads, and return its future; return None for others."""
        if not chunk.many:
            return None
        if self._threads is None:
            from concurrent.futures import ThreadPoolExecutor  # slow to import, and rarely needed

            self._threads = ThreadPoolExecutor(self.jobs, initializer=hold_interrupts_back)
        return self._threads.submit(judge_chunk, chunk, self._as_json, self._read)

    def _read(self, chunk: Chunk, as_json: bool) -> ChunkResult:
        """Read and judge lines in Python; after the first `FEW` chunks, do so in a process."""
        from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
        from multiprocessing import get_context

        if next(self._few) >= FEW:
            with self._starting:
                self._processes = self._processes or ProcessPoolExecutor(
                    self.jobs, mp_context=get_context("spawn"), initializer=exit_with_parent
                )
                hold_interrupts_back()  # multiprocessing unblocks them when it starts its tracker
            with suppress(BrokenExecutor):  # a process was killed
                result: ChunkResult = self._processes.submit(read_chunk, chunk, as_json).result()
                return result
        return read_chunk(chunk, as_json)

    def __enter__(self) -> "JudgePool":
        return self

    def __exit__(self, *_: object) -> None:
        # Running chunks finish within a second. Stop the processes before waiting for the threads:
        # if a process is killed at this point, the thread that feeds it may wait for ever.
        if self._threads:
            self._threads.shutdown(wait=False, cancel_futures=True)
        if self._processes:
            self._processes.shutdown(cancel_futures=True)
        if self._threads:
            self._threads.shutdown()
