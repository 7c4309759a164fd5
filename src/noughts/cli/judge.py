"""``noughts judge``: judge recorded games."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from noughts.bulk.chunks import Chunk, ChunkResult, JudgePool, parquet_module, split
from noughts.cli import options
from noughts.cli.files import PROGRESS_EVERY, opened, print_read_error, source_name, text_output
from noughts.cli.report import counted, exit_code, games_of, print_summary, progress_bar
from noughts.errors import InvalidRecord, NoughtsError
from noughts.records.atomic import atomic_write
from noughts.records.formats import Reading
from noughts.records.record import NO_RULES
from noughts.records.storage import Location, fingerprint
from noughts.system import processors

Add = Callable[[Any], object]
Flush = Callable[[], None]


@click.command()
@click.argument(
    "files",
    metavar="[FILE|-]...",
    nargs=-1,
    type=click.Path(allow_dash=True),
    help="Files of games in any format, as paths or URLs; - or no argument reads standard input.",
)
@options.out(
    "Write the verdicts to this file; as Parquet if its name ends in .parquet.",
    kind=options.LocationType(path_type=Path),
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Judge Parquet files on workers of this Dask scheduler, for example "
    "tcp://host:8786; --out is then a directory.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="Number of threads, and of processes that read irregular input.",
    show_default="one per processor",
)
@options.reading
def judge(
    files: tuple[str, ...],
    out: Location | None,
    scheduler: str | None,
    jobs: int | None,
    reading: Reading,
) -> None:
    """Judge recorded games and print one verdict per game, in input order.

    Illegal games and unreadable lines do not affect other games. If no game can be read, --out is
    not written. The exit status is

    - 0 if every game is legal and no claimed result is contradicted,

    - 1 if a game is illegal, a claimed result is contradicted or a line is unreadable,

    - 2 if a file cannot be read or an option is invalid.
    """
    sources = list(files) or ["-"]
    if scheduler is not None:
        if "-" in sources or out is None:
            raise click.BadParameter("--scheduler needs files, and a directory as --out")
        if reading != Reading():
            raise click.BadParameter(
                "--scheduler judges Parquet files whose games name their rules: leave out --rules, "
                "--format and --origin"
            )
        sys.exit(_judge_on_cluster(scheduler, sources, out))
    out = None if out == Path("-") else out
    as_json = out is None or not str(out).endswith(".parquet")
    start, standings, failed = perf_counter(), Counter[str](), list[str]()
    problems = _Problems()
    with (
        _output(out, as_json, sources) as (add, flush),
        # On a terminal the verdicts themselves show the progress.
        progress_bar(out is not None or not sys.stdout.isatty()) as show,
        JudgePool(jobs or processors(), as_json) as pool,
    ):
        for number, (chunk, result) in enumerate(pool.judge(_chunks(sources, reading, failed))):
            if chunk.source in failed:
                continue
            standings.update(result.counts)
            _write(result, add, flush, problems)
            if result.failure:
                print_read_error(chunk.source, result.failure)
                failed.append(chunk.source)
            if show and (chunk.many or number % PROGRESS_EVERY == 0):
                show(standings, chunk.source, *chunk.progress)
        code = exit_code(standings, bool(failed))
        if code and not games_of(standings):
            if standings:
                print_summary(standings, 0, 0.0)
            sys.exit(code)  # inside `_output`, so that --out is not written
    print_summary(standings, games_of(standings), perf_counter() - start)
    sys.exit(code)


def _chunks(sources: list[str], reading: Reading, failed: list[str]) -> Iterator[Chunk]:
    """Yield the chunks of all sources; skip the rest of a source that is in `failed`."""
    for source in sources:
        name = source_name(source)
        try:
            with opened(source) as file:
                for chunk in split(file, name, reading):
                    if name in failed:
                        break
                    yield chunk
        except (OSError, NoughtsError) as error:
            yield Chunk(name, ChunkResult(failure=error))


@contextmanager
def _output(path: Location | None, as_json: bool, inputs: list[str]) -> Iterator[tuple[Add, Flush]]:
    """Open the output; yield a function that adds a part of a result, and one that flushes."""
    if as_json:
        with text_output(path, inputs) as text:
            yield text.buffer.write, text.buffer.flush
        return
    parquet = parquet_module()
    with atomic_write(path or Path("-"), inputs) as binary:
        file = parquet.VerdictFile(binary)
        yield file.add, lambda: None
        file.close()


class _Problems:
    """Prints the problems of unreadable lines; that a file names no rules, only once."""

    def __init__(self) -> None:
        self._told: set[str] = set()  # the files

    def print(self, problem: InvalidRecord) -> None:
        """Print a problem on standard error."""
        if problem.args[0] == NO_RULES:
            if problem.source in self._told:
                return
            self._told.add(problem.source)
        print(problem, file=sys.stderr)


def _write(result: ChunkResult, add: Add, flush: Flush, problems: _Problems) -> None:
    """Write verdicts and print errors; flush so that a terminal shows them in order."""
    for part in result.parts:
        if isinstance(part, InvalidRecord):
            flush()
            problems.print(part)
        elif isinstance(part, NoughtsError):
            raise part
        else:
            add(part)
    flush()


def _judge_on_cluster(scheduler: str, patterns: list[str], out: Location) -> int:
    """Judge unfinished partitions, print a summary of all, and return the exit status."""
    import logging

    from noughts.bulk import cluster  # imports Dask

    for name in ("distributed", "distributed.client"):  # print our one-line errors instead
        logging.getLogger(name).setLevel(logging.CRITICAL)
    before, new, partitions, todo = Counter[str](), Counter[str](), Counter[str](), []
    found = cluster.partitions(patterns, out)
    with cluster.claimed(out):
        for partition in found:
            counts = cluster.finished(partition)
            if counts is None:
                todo.append(partition)
            else:
                partitions["finished before"] += 1
                before += counts
        sizes = {partition: int(fingerprint(partition.games)["size"]) for partition in todo}
        start, done = perf_counter(), 0
        if todo:
            with cluster.connected(scheduler) as client, progress_bar() as show:
                if not client.nthreads():
                    print(f"noughts: {scheduler} has no workers yet; waiting", file=sys.stderr)
                start = perf_counter()
                results = cluster.judge_partitions(client, todo)
                for number, (partition, result) in enumerate(results, 1):
                    if isinstance(result, BaseException):
                        print_read_error(partition.games, result)
                        partitions["failed"] += 1
                    else:
                        partitions["judged"] += 1
                        new += result
                    done += sizes[partition]
                    if show:
                        progress = f"{number:,} of {counted(len(todo), 'partition')}"
                        show(new, progress, done, sum(sizes.values()))
    states = [state for state in ("judged", "finished before", "failed") if partitions[state]]
    kinds = ", ".join(f"{partitions[state]:,} {state}" for state in states)
    print(f"{counted(partitions.total(), 'partition')}: {kinds}", file=sys.stderr)
    print_summary(before + new, games_of(new), perf_counter() - start)
    return exit_code(before + new, partitions["failed"] > 0)
