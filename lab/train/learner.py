"""Training of the engine's network on games: ``script/lab train``.

It needs PyTorch. `noughts.opponent.search.network` describes the network.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Iterator
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from lab.train.patterns import CELLS, FIVE, KEY_OF, MARKED, MOST, SWAPPED, codes, near, patterns_of
from noughts.compiled import required
from noughts.game.rules import Rules
from noughts.opponent.search.network import read

MOST_TRUSTED = 12.0  # limit of the estimate, in logarithms of odds
CHANNELS = 16  # per player
HIDDEN = 64
DEEP = 32
LEVELS = 8  # per cell, see `noughts.opponent.search.position`
THREE = 2  # the lowest level that counts as a fact
FACTS = 1 + 2 * (LEVELS - THREE)  # the phase, and each player's number of cells at each level
FACT_VALUES = 8  # 0 to 7; the last includes all higher values
EARLY = 4  # marks on the board in the first phase of a game
PHASE = 8  # marks per phase
EVEN = 250.0  # score at odds of e to 1
SHARE = 0.75  # of the score in the target; the rest is the result
SURE = 29000  # higher scores are wins that the search found
AT_ONCE = 29997  # higher scores are found without an estimate
BATCH = 1024
RATE = 0.004
POLICY = 0.15  # weight of the policy's loss relative to the value's
HELD = 4  # files of games for validation


def positions(file: Path, variant: str) -> Iterator[tuple[int, list[int], int, float, int, bytes]]:
    """Yield size, moves, best cell, target, estimate and levels of each position of a file."""
    engines: dict[int, Any] = {}
    for line in file.read_text().splitlines():
        game = json.loads(line)
        size, moves, begun = game["size"], game["moves"], game["begun"]
        if size not in engines:
            engines[size] = required("noughts.opponent.search._engine", "learning").Engine(
                Rules((size, size), k=5, variant=variant), 0
            )
        judged = [
            (moves[: begun + i], score, cell, True)
            for i, (score, cell) in enumerate(game["judged"])
        ] + [(moves[:ply] + more, score, cell, False) for ply, more, score, cell in game["beside"]]
        for played, score, cell, counts in judged:
            if score >= AT_ONCE:
                continue
            target = float(score > 0)
            if abs(score) < SURE:
                target = 1 / (1 + exp(-score / EVEN))
                if counts:
                    won = game["result"] == len(played) % 2 + 1
                    target = SHARE * target + (1 - SHARE) * (won if game["result"] else 0.5)
            engine = engines[size]
            yield size, played, cell, target, *engine.estimate(played)


def samples(folder: Path, variant: str) -> list[np.ndarray]:
    """Return boards (1 marks the player to move), best cells, targets, estimates and levels.

    Samples for validation come first.
    """
    held, rest = files_of(folder)
    each = [samples_of(file, variant) for file in held + rest]
    return [np.concatenate(parts) for parts in zip(*each, strict=True)]


def files_of(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the files of games for validation and the files for training."""
    files = sorted(folder.glob("*.jsonl"))
    return files[:HELD], files[HELD:]


def samples_of(file: Path, variant: str) -> list[np.ndarray]:
    """Return the samples of one file, which are cached beside it."""
    kept = file.with_suffix(".samples.npz")
    if not kept.exists():
        boards, rest, levels = [], [], []
        for size, moves, cell, target, estimate, level in positions(file, variant):
            board = np.full((MOST, MOST), 3, np.int8)
            board[:size, :size] = 0
            for i, move in enumerate(moves):
                board[divmod(move, size)] = 1 if (len(moves) - i) % 2 == 0 else 2
            boards.append(board)
            levels.append(np.zeros((MOST, MOST), np.uint8))
            levels[-1][:size, :size] = np.frombuffer(level, np.uint8).reshape(size, size)
            rest.append((cell // size * MOST + cell % size, target, estimate))
        best, targets, estimates = np.array(rest).T
        new = file.with_suffix(".new.npz")
        np.savez_compressed(
            new, np.stack(boards), best.astype(np.int64), targets.astype(np.float32),
            estimates.astype(np.float32), np.stack(levels),
        )  # fmt: skip
        new.replace(kept)
    with np.load(kept) as arrays:
        return [arrays[name] for name in arrays.files]


class Added(torch.autograd.Function):  # type: ignore[misc]  # mypy does not read PyTorch's types
    """Sums of four rows of a table; the gradient is counted by column, which is faster."""

    @staticmethod
    def forward(context: Any, patterns: Tensor, table: Tensor) -> Tensor:
        context.save_for_backward(patterns)
        context.rows = len(table)
        return nn.functional.embedding_bag(patterns, table, mode="sum")

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> tuple[None, Tensor]:
        patterns = context.saved_tensors[0].numpy().T
        columns = [
            sum(np.bincount(way, column, context.rows) for way in patterns)
            for column in np.ascontiguousarray(gradient.numpy().T)
        ]
        return None, torch.from_numpy(np.stack(columns, 1).astype(np.float32))


class Network(nn.Module):  # type: ignore[misc]  # as above
    """The network: vectors of patterns, summed per cell, clipped, summed over the board; and facts.

    `kinds` is the number of kinds of players, who have different rules only in renju.
    """

    def __init__(self, kinds: int) -> None:
        super().__init__()
        self.kinds = kinds
        shown = np.concatenate([np.equal(CELLS, 1), np.equal(CELLS, 2), np.equal(CELLS, 3)], axis=1)
        shown = np.concatenate([shown, codes(1), codes(2)], axis=1)
        back = np.concatenate([np.equal(CELLS, value)[:, ::-1] for value in (1, 2, 3)], axis=1)
        back = np.concatenate([back, codes(1), codes(2)], axis=1)
        self.register_buffer("shown", torch.tensor(shown, dtype=torch.float32))
        self.register_buffer("back", torch.tensor(back, dtype=torch.float32))
        self.register_buffer("marked", torch.tensor(MARKED, dtype=torch.float32)[:, None])
        self.register_buffer("swapped", torch.tensor(SWAPPED))
        self.general = nn.Sequential(
            nn.Linear(shown.shape[1] + 1, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(),
            nn.Linear(64, CHANNELS),
        )  # fmt: skip
        self.start = nn.Parameter(torch.full((CHANNELS,), 0.1))
        self.single = nn.Parameter(torch.zeros(kinds, len(KEY_OF), CHANNELS))
        self.first = nn.Linear(2 * CHANNELS, HIDDEN, bias=False)
        self.bias = nn.Parameter(torch.zeros(kinds, HIDDEN))
        self.second = nn.Linear(HIDDEN, 1, bias=False)
        self.deep = nn.Linear(HIDDEN, DEEP)
        self.third = nn.Linear(DEEP, 1, bias=False)
        self.skip = nn.Linear(2 * CHANNELS, 1, bias=False)
        self.context = nn.Linear(HIDDEN, 2 * CHANNELS, bias=False)
        nn.init.zeros_(self.third.weight)
        nn.init.zeros_(self.context.weight)
        self.even = nn.Parameter(torch.zeros(kinds))
        self.trust = nn.Parameter(torch.tensor(0.5))  # in the estimate
        self.policy = nn.Parameter(torch.zeros(kinds, 2 * CHANNELS))
        self.facts = nn.Parameter(torch.zeros(FACTS, FACT_VALUES, HIDDEN))
        self.levels = nn.Parameter(torch.zeros(LEVELS, LEVELS))

    def table(self) -> Tensor:
        """Return the vectors of all patterns for one kind of player after the other."""
        vectors = []
        for kind in range(self.kinds):
            who = torch.full((len(KEY_OF), 1), float(kind))
            general = sum(
                self.general(torch.cat([cells, who], 1)) for cells in (self.shown, self.back)
            )
            vectors.append((general / 2 + self.single[kind]) * self.marked)
        return torch.cat(vectors) - torch.relu(self.start) / 4

    def forward(
        self,
        patterns: Tensor,
        owner: Tensor,
        estimates: Tensor,
        movers: Tensor,
        facts: Tensor,
        levels: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Return the logits of the boards and of their cells."""
        table = self.table()
        mover = movers % self.kinds
        own, other = (kind[owner, None] * len(KEY_OF) for kind in (mover, self.kinds - 1 - mover))
        mine = Added.apply(patterns + own, table)
        theirs = Added.apply(self.swapped[patterns] + other, table)
        cells = torch.cat([mine, theirs], 1).clamp(0, 1)
        sums = torch.zeros(len(estimates), 2 * CHANNELS).index_add_(0, owner, cells) / 8
        known = nn.functional.embedding_bag(facts, self.facts.flatten(0, 1), mode="sum")
        hidden = torch.relu(self.first(sums) + self.bias[mover] + known)
        deep = torch.relu(self.deep(hidden))
        value = (self.third(deep) + self.second(hidden) + self.skip(sums))[:, 0] + self.even[mover]
        value = value + self.trust * (estimates / EVEN).clamp(-MOST_TRUSTED, MOST_TRUSTED)
        policy = self.policy[mover] + self.context(hidden / 4)
        return value, (cells * policy[owner]).sum(1) * 8 + self.levels.flatten()[levels]


def batch_of(boards: np.ndarray, best: np.ndarray, levels: np.ndarray) -> tuple[Tensor, ...]:
    """Return the network's input, the candidate cells, the best cells and the players to move."""
    patterns = patterns_of(boards)
    empty = (boards == 0) & MARKED[patterns].any(-1)
    movers = np.not_equal(np.equal(boards, 1).sum((1, 2)), np.equal(boards, 2).sum((1, 2)))
    five = (FIVE[patterns].any(-1) & empty).any((1, 2))
    owner, row, column = np.nonzero(empty)
    candidate = near(boards)[owner, row, column]
    index = np.full(boards.shape, -1, np.int64)
    index[owner, row, column] = np.arange(len(owner))
    chosen = index.reshape(len(boards), -1)[np.arange(len(boards)), best]
    chosen = np.where(candidate[chosen], chosen, -1)
    return (
        torch.from_numpy(patterns[owner, row, column].astype(np.int64)),
        torch.from_numpy(owner), torch.from_numpy(candidate), torch.from_numpy(chosen),
        torch.from_numpy(~five), torch.from_numpy(movers.astype(np.int64)),
        torch.from_numpy(facts_of(boards, levels)),
        torch.from_numpy(levels[owner, row, column].astype(np.int64)),
    )  # fmt: skip


def facts_of(boards: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return the rows of `facts` of each board: its phase, and cells by level, own cells first."""
    marks = (np.equal(boards, 1) | np.equal(boards, 2)).sum((1, 2))
    counts = [(marks - EARLY) // PHASE] + [
        np.equal(one, level).sum((1, 2))
        for one in (levels // LEVELS, levels % LEVELS)
        for level in range(THREE, LEVELS)
    ]
    return np.stack(counts, 1).clip(0, FACT_VALUES - 1) + FACT_VALUES * np.arange(FACTS)


def losses(
    network: Network,
    boards: np.ndarray,
    best: np.ndarray,
    targets: np.ndarray,
    estimates: np.ndarray,
    levels: np.ndarray,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the losses of value and policy, and the accuracy of the first choice."""
    patterns, owner, candidate, chosen, quiet, *rest = batch_of(boards, best, levels)
    value, logits = network(patterns, owner, torch.from_numpy(estimates), *rest)
    wanted = torch.from_numpy(targets)
    each = nn.functional.binary_cross_entropy_with_logits(value, wanted, reduction="none")
    floor = nn.functional.binary_cross_entropy(wanted, wanted, reduction="none")
    of_value = ((each - floor) * quiet).sum() / quiet.sum()
    count = len(boards)
    most = torch.full((count,), -1e9).scatter_reduce(
        0, owner[candidate], logits[candidate].detach(), "amax"
    )
    total = torch.zeros(count).index_add(
        0, owner[candidate], torch.exp(logits[candidate] - most[owner[candidate]])
    )
    known = (chosen >= 0) & quiet
    of_policy = (torch.log(total) + most - logits[chosen])[known].mean()
    right = (logits[chosen] >= most)[known].float().mean()
    return of_value, of_policy, right


def learn(
    folder: Path,
    variant: str,
    passes: float,
    command: str,
    file: Path,
    begin: Path | None = None,
) -> None:
    """Train on the games of a folder, reproducibly, and write the file of the network.

    Args:
        folder: contains the games.
        variant: the variant of the rules.
        passes: the number of passes over the positions.
        command: recorded in the file.
        file: the file to write.
        begin: a network to start from.
    """
    torch.manual_seed(1)
    torch.set_num_threads(1)
    random = np.random.default_rng(1)
    arrays = samples(folder, variant)
    held = sum(len(samples_of(file, variant)[0]) for file in files_of(folder)[0])
    count = len(arrays[0])
    print(f"{count:,} positions, {len(KEY_OF):,} patterns", flush=True)
    network = Network(2 if variant == "renju" else 1)
    rate = RATE
    if begin:
        take_over(network, read(begin)[1])
        rate /= 4
    optimizer = torch.optim.Adam(network.parameters(), rate)
    steps = int(passes * (count - held) / BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps, pct_start=0.1)
    begun = time.monotonic()
    order = np.empty(0, np.int64)
    for step in range(1, steps + 1):
        if len(order) < BATCH:
            order = held + random.permutation(count - held)
        chosen, order = order[:BATCH], order[BATCH:]
        of_value, of_policy, _ = losses(network, *(array[chosen] for array in arrays))
        optimizer.zero_grad()
        (of_value + POLICY * of_policy).backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 0 or step == steps:
            with torch.no_grad():
                reached = [part.item() for part in losses(network, *(a[:held] for a in arrays))]
            print(f"{step}/{steps} {time.monotonic() - begun:.0f} s: {reached}", flush=True)
    names = ("value", "policy", "first_choice")
    about = {
        "command": command,
        "positions": count,
        "held": {name: round(part, 4) for name, part in zip(names, reached, strict=True)},
    }
    numbers = numbers_of(network)
    head = json.dumps({**about, "checksum": zlib.crc32(numbers)})
    file.write_bytes(head.encode() + b"\n" + zlib.compress(numbers, 9))


def layout(kinds: int) -> list[tuple[str, str, tuple[int, ...], float]]:
    """Return the parts of a file after its keys: names, integer types, shapes and scales.

    `noughts.opponent.search.network` uses the same order.
    """
    return [
        ("table", "<i2", (kinds, len(KEY_OF), CHANNELS), 512),
        ("bias", "<i4", (2, HIDDEN), 1024 * 128),
        ("deep.bias", "<i4", (DEEP,), 1024 * 128),
        ("even", "<i4", (2,), 1024 * 128),
        ("trust", "<i4", (), 1024),
        ("first.weight", "<i2", (HIDDEN, 2 * CHANNELS), 1024),
        ("deep.weight", "<i2", (DEEP, HIDDEN), 1024),
        ("third.weight", "<i2", (1, DEEP), 1024),
        ("second.weight", "<i2", (1, HIDDEN), 1024),
        ("skip.weight", "<i2", (1, 2 * CHANNELS), 1024),
        ("policy", "<i2", (2, 2 * CHANNELS), 1024),
        ("context.weight", "<i2", (2 * CHANNELS, HIDDEN), 1024),
        ("facts", "<i2", (FACTS, FACT_VALUES, HIDDEN), 1024),
        ("levels", "<i2", (LEVELS, LEVELS), 64),
    ]


def numbers_of(network: Network) -> bytes:
    """Return the network as integers."""
    values = dict(network.named_parameters()) | {
        "table": network.table().view(network.kinds, -1, CHANNELS)
    }
    numbers = KEY_OF.astype("<u2").tobytes()
    for name, kind, shape, scale in layout(network.kinds):
        value = np.broadcast_to(values[name].detach().numpy(), shape)
        scaled = np.rint(value.astype(np.float64) * scale)
        if abs(scaled).max() > np.iinfo(kind).max:
            raise OverflowError(f"{name} by {scale}")
        numbers += scaled.astype(kind).tobytes()
    return numbers


def parts(numbers: bytes) -> Iterator[tuple[str, np.ndarray, float]]:
    """Yield the parts of a file after its keys, with one table or two: names, integers, scales."""
    at = 2 * len(KEY_OF)
    kinds = 1 + (len(numbers) - at > size_of(1))
    numbers = numbers.ljust(at + size_of(kinds), b"\0")  # older files have no facts
    for name, kind, shape, scale in layout(kinds):
        part = np.frombuffer(numbers, kind, int(np.prod(shape)), at).reshape(shape)
        at += part.nbytes
        yield name, part, scale


def take_over(network: Network, numbers: bytes) -> None:
    """Set a network to the numbers in a file of any variant."""
    parameters = dict(network.named_parameters())
    with torch.no_grad():
        network.general[-1].weight.zero_()  # the table contains its part
        network.general[-1].bias.zero_()
        for name, part, scale in parts(numbers):
            value = torch.tensor(part / scale, dtype=torch.float32)
            if name == "table":
                network.start.copy_(-4 * value[0, int(np.argmin(MARKED))])
                network.single.copy_(value[: network.kinds] + torch.relu(network.start) / 4)
            else:  # the dimension of players comes first
                parameter = parameters[name]
                parameter.copy_(value[: len(parameter)] if part.shape else value)


def size_of(kinds: int) -> int:
    """Return the size in bytes of a file after its keys."""
    return sum(np.dtype(kind).itemsize * int(np.prod(shape)) for _, kind, shape, _ in layout(kinds))
