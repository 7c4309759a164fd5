"""Random play on a GPU: nanoseconds per step, with sampling and observation. It needs CuPy."""

from __future__ import annotations

from typing import Any

from lab.bench.learning import BOARDS, PGX, Play, pgx
from lab.bench.timing import Case, Run, Table, clocked
from noughts import Rules
from noughts.extras import MissingExtra
from noughts.learning import VectorGame
from noughts.learning.devices import Cuda

BATCHES = (4096, 2**18)  # simultaneous games: of most learners, and probably enough for a whole GPU
STEPS = 2000  # of all games
COPIED = 2**30  # bytes
FUSED, GENERAL = "`step_random`", "three calls"


def vector_game(rules: Rules, count: int, kind: str, calls: str) -> Play:
    """Return a run of `VectorGame`, whose observations have this type."""
    import cupy

    games = VectorGame(rules, count, seed=1, device="cuda")
    actions, planes = games.random_actions(), games.observe().astype(kind)

    def play(steps: int) -> None:
        for _ in range(steps // count):
            if calls == FUSED:
                games.step_random(planes)
            else:
                games.step(games.random_actions(actions))
                games.observe(planes)
        cupy.cuda.get_current_stream().synchronize()

    play(count)  # compiles it
    return play


def copying() -> Play:
    """Return a run of copies on the GPU, of so many bytes."""
    import cupy

    source = cupy.ones(COPIED, "int8")
    target = cupy.empty_like(source)

    def play(size: int) -> None:
        for _ in range(size // COPIED):
            cupy.copyto(target, source)
        cupy.cuda.get_current_stream().synchronize()

    play(COPIED)
    return play


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part; without a GPU there are none."""
    try:
        Cuda()
    except MissingExtra as error:
        run.report(f"device: skipped, since {error}")
        return {}
    steps, copied = run.sized(STEPS), 20 * COPIED
    cases: dict[Any, tuple[Case, int]] = {"copy": (clocked(copying(), copied), copied)}
    for (board, rules), compiled in zip(BOARDS.items(), PGX, strict=True):
        for count in BATCHES:
            run.report(f"device: {board}, {count:,} games")
            for kind, calls in (("int8", FUSED), ("int8", GENERAL), ("float32", FUSED)):
                case = clocked(vector_game(rules, count, kind, calls), steps * count)
                cases[board, count, f"{calls}, {kind}"] = case, steps * count
            if compiled:
                case = clocked(pgx(compiled, count), steps * count)
                cases[board, count, "pgx"] = case, steps * count
    times = run.times("device", {name: case for name, (case, _) in cases.items()})
    ns = {name: times.median(name) / count * 1e9 for name, (_, count) in cases.items()}
    bandwidth = 2 / ns.pop("copy")
    return {
        "steps": {
            f"{board}, {count:,} games, {side}": {
                "ns per step": taken,
                "GB/s of observations": BOARDS[board].cells * 2 * size_of(side) / taken,
            }
            for (board, count, side), taken in ns.items()
        },
        "copy": {"a copy, reading and writing": {"GB/s": bandwidth}},
    }


def size_of(side: str) -> int:
    """Return the bytes of an element of an observation; pgx writes bytes."""
    return 4 if side.endswith("float32") else 1
