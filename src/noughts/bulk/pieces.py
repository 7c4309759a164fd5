"""Files of games in pieces: one way to split a file, to judge a piece, to join the verdicts.

The pieces are the batches of a Parquet file, the blocks of lines of JSON Lines, and the single
games of other formats. `Judges` has them judged by one thread or several, in their order; a worker
of a cluster does the same with each of its files.

Compiled code and PyArrow release the GIL: with Parquet a thread holds it for 3 % of its time, with
JSON Lines for 5 to 25 %, so threads fill several cores. Python's own reader, which reads call lists
and blocks with odd lines, always holds it; once there is much for it to read, processes do that.
"""

import os
import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from io import BufferedReader, BytesIO
from itertools import count, islice
from typing import Any, TypeVar

from noughts.bulk.verdict import judge_record, standing
from noughts.compiled import load
from noughts.errors import IllegalMove, InvalidRecord, NoughtsError
from noughts.extras import missing
from noughts.game.rules import Rules
from noughts.records import MAX_LINE, CallList, Record, answers_to_json, read_records
from noughts.records.addresses import place
from noughts.records.formats import HEAD, format_of
from noughts.records.json_lines import EMPTY, NumberedLine, read_lines, without_arguments
from noughts.system import hold_interrupts_back, interrupts_held_back

BLOCK = 1 << 19  # bytes of lines judged at once
FEW = 4  # blocks that Python reads before processes are started, which takes as long


T = TypeVar("T")


@dataclass(slots=True)
class Answers:
    """What there is to say about a piece.

    Attributes:
        counts: how many games have each standing, and how many lines or rows are "unreadable".
        parts: in their order lines of verdicts, batches of verdicts, pairs of a `Record` and its
            `Verdict`, and errors.
        failure: why the rest of the file cannot be judged.
        names: of a call list whose arguments are in the next piece.
    """

    counts: Counter[str] = field(default_factory=Counter)
    parts: list[Any] = field(default_factory=list)
    failure: OSError | NoughtsError | None = None
    names: NumberedLine | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a file.

    Attributes:
        source: the file's name, for messages.
        data: whole lines of JSON; games as an Arrow batch; one game that was read, or the error in
            its place; None after the last lines of a file; or already the `Answers`.
        first: the number of the first line or row.
        live: more may come late: the piece is to be answered at once.
        place: how many bytes of the file were read, and of how many if known.
        names: of a call list whose arguments are the first of these lines.
    """

    source: str
    data: Any
    first: int = 1
    live: bool = False
    place: tuple[int, int | None] = (0, None)
    names: NumberedLine | None = None

    @property
    def many(self) -> bool:
        """Whether a thread of its own pays."""
        return not (
            self.live or isinstance(self.data, Record | CallList | InvalidRecord | Answers | None)
        )


def bulk(name: str) -> Any:
    """A module of `noughts.bulk`, or None if what it needs is not installed."""
    try:
        with interrupts_held_back():
            return import_module(f"noughts.bulk.{name}")
    except ModuleNotFoundError as error:
        if error.name not in {"numpy", "pyarrow"}:
            raise
        return None


def parquet_module() -> Any:
    """`noughts.bulk.parquet`; raises NoughtsError if PyArrow is not installed."""
    parquet = bulk("parquet")
    if parquet is None:
        raise NoughtsError(missing("Parquet", "PyArrow", "batch"))
    return parquet


def split(file: "BufferedReader[Any]", source: str, rules: Rules | None = None) -> Iterator[Piece]:
    """The pieces of a file.

    Args:
        file: buffers at least `BLOCK` bytes.
        source: its name, for messages.
        rules: what was played, in formats whose files need not say so.

    Raises:
        InvalidRecord: it is a Parquet file that cannot be read.
        NoughtsError: it is a Parquet file, and PyArrow is not installed.
    """
    head = file.peek(HEAD)
    if not head:
        yield Piece(source, None)  # to look again would wait for a second Ctrl-D
        return
    name = format_of(head, source)
    if name == ".jsonl":
        yield from _blocks(file, source)
    elif name != ".parquet":
        for number, game in enumerate(read_records(file, source, rules), 1):
            if isinstance(game, Record) and game.id is None:
                game = replace(game, id=source if number == 1 else f"{source}:{number}")
            yield Piece(source, game, place=place(file))
    else:
        row = 1
        for batch, read in _ahead((batch, place(file)) for batch in parquet_batches(file)):
            yield Piece(source, batch, row, place=read)
            row += len(batch)


def parquet_batches(file: BufferedReader) -> Iterator[Any]:
    """The games of a Parquet file, batch by batch; raises NoughtsError if they cannot be read."""
    parquet = parquet_module()
    if not file.seekable():
        raise InvalidRecord("Parquet cannot be read from a pipe: name the file")
    yield from parquet.read_parquet(file)


def _blocks(file: BufferedReader, source: str) -> Iterator[Piece]:
    line, live = 1, not file.seekable()
    while block := _next_block(file):
        yield Piece(source, block, line, live, place(file))
        line += block.count(b"\n")
    yield Piece(source, None)


def _next_block(file: BufferedReader) -> bytes:
    """As many whole lines as can be read now; only the beginning of a line that is too long."""
    block = file.read1(BLOCK)
    if block and not block.endswith(b"\n"):
        block += file.readline(MAX_LINE)
    end = block[-1:]
    while end not in (b"", b"\n"):
        end = file.readline(MAX_LINE)[-1:]
    # The arguments of a call list mostly follow its names. Judging does not depend on that.
    if len(block) >= BLOCK and block.startswith(b'["', block.rfind(b"\n", 0, -1) + 1):
        block += file.readline(MAX_LINE)
    return block


def _ahead(batches: Iterator[T]) -> Iterator[T]:
    """The same; after the second, the next are read by another thread meanwhile."""
    two = list(islice(batches, 2))
    yield from two
    if len(two) == 2:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1, initializer=hold_interrupts_back) as reader:
            waiting = deque(reader.submit(next, batches, None) for _ in range(2))
            while (batch := waiting.popleft().result()) is not None:
                waiting.append(reader.submit(next, batches, None))
                yield batch


def judge_piece(piece: Piece, as_json: bool, elsewhere: Any = None) -> Answers:
    """Judge a piece; verdicts are lines of JSON, or batches and pairs.

    `elsewhere` is called with what Python has to read, and these arguments, to have it done.
    """
    data = piece.data
    if isinstance(data, bytes):
        fast = bulk("json_lines") if load("noughts.bulk._judge") and not piece.names else None
        judged = fast and fast.judge_json_block(data)
        if judged is None:
            return (elsewhere or read_piece)(piece, as_json)
    elif isinstance(data, Record | CallList | InvalidRecord):
        answers = Answers()
        _answer(data, as_json, answers)
        return answers
    elif data is None or isinstance(data, Answers):
        return data or Answers()
    else:
        try:
            judged = bulk("batches").judged_batch(data)
        except NoughtsError as error:
            return Answers(failure=error)
    problems = [
        InvalidRecord(why, piece.source, piece.first + row) for row, why in judged.problems()
    ]
    counts = judged.counts() + Counter(unreadable=len(problems))
    whole = bulk("json_lines").to_json(judged) if as_json else judged.to_batch()
    return Answers(counts, [*problems, whole])


def read_piece(piece: Piece, as_json: bool) -> Answers:
    """Judge lines as Python reads them, one by one."""
    answers = Answers()

    def read() -> Iterator[Any]:
        lines = BytesIO(piece.data)
        answers.names = yield from read_lines(lines, piece.source, piece.first, piece.names)

    for game in read():
        _answer(game, as_json, answers)
    return answers


def _answer(game: Record | CallList | InvalidRecord, as_json: bool, answers: Answers) -> None:
    """Add what there is to say about one game."""
    if isinstance(game, InvalidRecord):
        answers.counts["unreadable"] += 1
        answers.parts.append(game)
    elif isinstance(game, CallList):
        given = game.answers()
        refused = any(isinstance(answer, IllegalMove) for answer in given)
        answers.counts["illegal" if refused else "answered"] += 1
        error = NoughtsError("answers to call lists cannot be written as Parquet")
        answers.parts.append(f"{answers_to_json(given)}\n".encode() if as_json else error)
    else:
        verdict = judge_record(game)
        answers.counts[standing(verdict.status, verdict.winner)] += 1
        answers.counts.update(filter(None, [verdict.claim]))
        answers.parts.append(f"{verdict.to_json()}\n".encode() if as_json else (game, verdict))


class Judges:
    """Judges pieces, several at a time; a context manager that leaves nobody at work.

    Not before a second piece is there are threads started, and processes only for much that Python
    has to read.
    """

    def __init__(self, jobs: int, as_json: bool) -> None:
        self.jobs: int = jobs
        self._as_json = as_json
        self._threads: Any = None
        self._processes: Any = None
        self._few = count()  # of the blocks that Python reads
        self._starting = threading.Lock()

    def judged(self, pieces: Iterator[Piece]) -> Iterator[tuple[Piece, Answers]]:
        """Each piece with what there is to say about it, in their order."""
        names, said = None, False  # of the file that the piece belongs to
        for piece, answers in self._in_order(pieces):
            if names and piece.data is not None:  # seldom: the pieces before were guessed well
                answers = judge_piece(replace(piece, names=names), self._as_json)
            if piece.data is None and (names or not said):
                empty = InvalidRecord(EMPTY, piece.source)
                _answer(
                    without_arguments(names, piece.source) if names else empty,
                    self._as_json,
                    answers,
                )
            names = answers.names
            said = isinstance(piece.data, bytes) and (said or bool(answers.counts))
            yield piece, answers

    def _in_order(self, pieces: Iterator[Piece]) -> Iterator[tuple[Piece, Answers]]:
        waiting: deque[tuple[Piece, Any]] = deque()

        def take() -> tuple[Piece, Answers]:
            piece, future = waiting.popleft()
            return piece, future.result() if future else judge_piece(piece, self._as_json)

        for piece in pieces:
            waiting.append((piece, None))
            if self.jobs > 1 and piece.many and sum(each.many for each, _ in waiting) > 1:
                waiting = deque((each, future or self._submit(each)) for each, future in waiting)
            while waiting and (self.jobs == 1 or piece.live or len(waiting) > 2 * self.jobs):
                yield take()
        while waiting:
            yield take()

    def _submit(self, piece: Piece) -> Any:
        """Have a piece judged by a thread."""
        if not piece.many:
            return None
        if self._threads is None:
            from concurrent.futures import ThreadPoolExecutor  # slow to import, and seldom needed

            self._threads = ThreadPoolExecutor(self.jobs, initializer=hold_interrupts_back)
        return self._threads.submit(judge_piece, piece, self._as_json, self._elsewhere)

    def _elsewhere(self, piece: Piece, as_json: bool) -> Answers:
        """Judge what Python has to read; in a process if there was much of that."""
        from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
        from multiprocessing import get_context

        if next(self._few) >= FEW:
            with self._starting:
                self._processes = self._processes or ProcessPoolExecutor(
                    self.jobs, mp_context=get_context("spawn"), initializer=_end_with_parent
                )
                hold_interrupts_back()  # again: multiprocessing, starting its tracker, lets them in
            with suppress(BrokenExecutor):  # somebody has killed one
                answers: Answers = self._processes.submit(read_piece, piece, as_json).result()
                return answers
        return read_piece(piece, as_json)

    def __enter__(self) -> "Judges":
        return self

    def __exit__(self, *_: object) -> None:
        # What is being judged takes a second at most. Processes that are killed meanwhile may leave
        # the thread that feeds them waiting for ever.
        if self._threads:
            self._threads.shutdown(wait=False, cancel_futures=True)
        if self._processes:
            self._processes.shutdown(cancel_futures=True)
        if self._threads:
            self._threads.shutdown()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    def wait() -> None:
        parent_process().join()  # type: ignore[union-attr]  # there is one
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
