"""Learning the network of the engine from games: ``script/train``.

It runs where PyTorch is. The network is described in `noughts.opponent.search.network`.
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

from noughts.compiled import required
from noughts.game.rules import Rules

REACH = 4
MOST = 20  # rows and columns
MOST_TRUSTED = 12.0  # of the estimate, as a logarithm of odds
CHANNELS = 16  # for each player
HIDDEN = 32
EVEN = 250.0  # the score at odds of e to 1
SHARE = 0.75  # of the score in what is learned, the rest is the result
SURE = 29000  # higher scores are wins that were seen
AT_ONCE = 29997  # and these are seen before anything is estimated
BATCH = 1024
RATE = 0.004
POLICY = 0.15  # how much the policy's loss counts beside the value's
HELD = 4  # files of games
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


def halves() -> list[tuple[int, ...]]:
    """The cells on one side that can occur, the nearest first: 0 empty, 1 or 2 a mark, 3 beyond."""
    found = []
    for number in range(4**REACH):
        cells = tuple(number >> 2 * i & 3 for i in range(REACH))
        border = cells.index(3) if 3 in cells else REACH
        if all(cell == 3 for cell in cells[border:]):
            found.append(cells)
    return found


def keys() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pattern of each key, or -1; a key of each pattern; that with the players swapped."""
    number_of = np.full(4 ** (2 * REACH), -1, np.int64)
    key_of: list[int] = []
    swapped = {0: 0, 1: 2, 2: 1, 3: 3}

    def key(behind: tuple[int, ...], ahead: tuple[int, ...]) -> int:
        cells = (*reversed(behind), *ahead)
        return sum(cell << 2 * i for i, cell in enumerate(cells))

    def swap(cells: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(swapped[cell] for cell in cells)

    sides = halves()
    pairs = []
    for behind in sides:
        for ahead in sides:
            here, there = key(behind, ahead), key(ahead, behind)
            if number_of[here] < 0:
                number_of[here] = number_of[there] = len(key_of)
                key_of.append(here)
                pairs.append((behind, ahead))
    swaps = [number_of[key(swap(behind), swap(ahead))] for behind, ahead in pairs]
    return number_of, np.array(key_of), np.array(swaps)


NUMBER_OF, KEY_OF, SWAPPED = keys()
CELLS = np.array([[key >> 2 * i & 3 for i in range(2 * REACH)] for key in KEY_OF])
MARKED = ((np.equal(CELLS, 1)) | (np.equal(CELLS, 2))).any(1)


def fives(player: int) -> np.ndarray:
    """Which patterns lack one mark of five."""
    own = np.insert(np.equal(CELLS, player), REACH, True, axis=1)
    found: np.ndarray = np.any([own[:, at : at + 5].all(1) for at in range(REACH + 1)], axis=0)
    return found


FIVE = fives(1) | fives(2)


def code(own: int, closed: int) -> int:
    """The code of a pattern, as `noughts.opponent.search.patterns` has it."""
    missing, lines, cells = nearest(own, closed)
    if not lines or not missing:
        return 15 if lines else 0
    return max(1, 15 - 2 * missing) + is_open(own, closed, missing, lines, cells)


def nearest(own: int, closed: int) -> tuple[int, int, int]:
    """Of the lines that lack the fewest marks: how many they lack, how many there are, where."""
    lines = [31 << first for first in range(REACH + 1) if not 31 << first & closed]
    missing = min((5 - (line & own).bit_count() for line in lines), default=9)
    lines = [line for line in lines if 5 - (line & own).bit_count() == missing]
    cells = 0
    for line in lines:
        cells |= line & ~own
    return missing, len(lines), cells


def is_open(own: int, closed: int, missing: int, lines: int, cells: int) -> bool:
    """Whether these lines can be completed in more than one way."""
    if missing > 2:
        return lines > 1
    if missing == 1:
        return cells.bit_count() > 1
    for cell in (1 << i for i in range(2 * REACH + 1) if cells >> i & 1):
        then = nearest(own | cell, closed)
        if then[0] == 1 and is_open(own | cell, closed, *then):
            return True
    return False


def codes(player: int) -> np.ndarray:
    """The codes of all patterns for a player, one-hot."""
    bits = 1 << np.arange(2 * REACH + 1)
    own = np.insert(np.equal(CELLS, player), REACH, True, axis=1) @ bits
    closed = np.insert((player != CELLS) & (CELLS != 0), REACH, False, axis=1) @ bits
    return np.eye(16)[[code(*pair) for pair in zip(own.tolist(), closed.tolist(), strict=True)]]


def positions(file: Path) -> Iterator[tuple[int, list[int], int, float, int]]:
    """Size, moves, best cell, target and estimate of each position of a file."""
    engines: dict[int, Any] = {}
    for line in file.read_text().splitlines():
        game = json.loads(line)
        size, moves, begun = game["size"], game["moves"], game["begun"]
        if size not in engines:
            engines[size] = required("noughts.opponent.search._engine", "learning").Engine(
                Rules((size, size), k=5), 0
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
            yield size, played, cell, target, engines[size].estimate(played)


def samples(folder: Path) -> list[np.ndarray]:
    """Boards as the player to move sees them (1: own), best cells, targets and estimates.

    Those that are held come first.
    """
    held, rest = files_of(folder)
    return [np.concatenate(parts) for parts in zip(*map(samples_of, held + rest), strict=True)]


def files_of(folder: Path) -> tuple[list[Path], list[Path]]:
    """The files of games that are held to measure with, and those to learn from."""
    files = sorted(folder.glob("*.jsonl"))
    return files[:HELD], files[HELD:]


def samples_of(file: Path) -> list[np.ndarray]:
    """As `samples`, of one file; kept beside it."""
    kept = file.with_suffix(".npz")
    if not kept.exists():
        boards, rest = [], []
        for size, moves, cell, target, estimate in positions(file):
            board = np.full((MOST, MOST), 3, np.int8)
            board[:size, :size] = 0
            for i, move in enumerate(moves):
                board[divmod(move, size)] = 1 if (len(moves) - i) % 2 == 0 else 2
            boards.append(board)
            rest.append((cell // size * MOST + cell % size, target, estimate))
        best, targets, estimates = np.array(rest).T
        new = file.with_suffix(".new.npz")
        np.savez_compressed(
            new, np.stack(boards), best.astype(np.int64), targets.astype(np.float32),
            estimates.astype(np.float32),
        )  # fmt: skip
        new.replace(kept)
    with np.load(kept) as arrays:
        return [arrays[name] for name in arrays.files]


def patterns_of(boards: np.ndarray) -> np.ndarray:
    """The pattern of each cell and direction: [board, row, column, way]."""
    count = len(boards)
    wide = np.full((count, MOST + 2 * REACH, MOST + 2 * REACH), 3, np.uint16)
    wide[:, REACH:-REACH, REACH:-REACH] = boards
    found = np.zeros((count, MOST, MOST, len(WAYS)), np.int16)
    for way, (dy, dx) in enumerate(WAYS):
        key = np.zeros((count, MOST, MOST), np.uint16)
        closed = np.zeros((count, MOST, MOST), bool)
        for side in (-1, 1):
            closed[:] = False
            for away in range(1, REACH + 1):
                y, x = REACH + side * away * dy, REACH + side * away * dx
                cell = wide[:, y : y + MOST, x : x + MOST]
                closed |= cell == 3
                i = REACH - away if side < 0 else REACH - 1 + away
                key |= np.where(closed, 3, cell).astype(np.uint16) << 2 * i
        found[..., way] = NUMBER_OF[key]
    return found


def near(boards: np.ndarray) -> np.ndarray:
    """Which cells are within two steps of a mark, in one of the directions."""
    wide = np.zeros((len(boards), MOST + 4, MOST + 4), bool)
    wide[:, 2:-2, 2:-2] = (boards == 1) | (boards == 2)
    found = np.zeros(boards.shape, bool)
    for dy, dx in WAYS:
        for away in (-2, -1, 1, 2):
            y, x = 2 + away * dy, 2 + away * dx
            found |= wide[:, y : y + MOST, x : x + MOST]
    return found


class Added(torch.autograd.Function):  # type: ignore[misc]  # PyTorch is not where mypy runs
    """Sums of four rows of a table; counted backwards column by column, which is quicker."""

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
    """Patterns to vectors, added up in each cell, clipped, added up over the board."""

    def __init__(self) -> None:
        super().__init__()
        shown = np.concatenate([np.equal(CELLS, 1), np.equal(CELLS, 2), np.equal(CELLS, 3)], axis=1)
        shown = np.concatenate([shown, codes(1), codes(2)], axis=1)
        back = np.concatenate([np.equal(CELLS, value)[:, ::-1] for value in (1, 2, 3)], axis=1)
        back = np.concatenate([back, codes(1), codes(2)], axis=1)
        self.register_buffer("shown", torch.tensor(shown, dtype=torch.float32))
        self.register_buffer("back", torch.tensor(back, dtype=torch.float32))
        self.register_buffer("marked", torch.tensor(MARKED, dtype=torch.float32)[:, None])
        self.register_buffer("swapped", torch.tensor(SWAPPED))
        self.general = nn.Sequential(
            nn.Linear(shown.shape[1], 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(),
            nn.Linear(64, CHANNELS),
        )  # fmt: skip
        self.start = nn.Parameter(torch.full((CHANNELS,), 0.1))
        self.single = nn.Parameter(torch.zeros(len(KEY_OF), CHANNELS))
        self.first = nn.Linear(2 * CHANNELS, HIDDEN)
        self.second = nn.Linear(HIDDEN, 1)
        self.skip = nn.Linear(2 * CHANNELS, 1, bias=False)
        self.trust = nn.Parameter(torch.tensor(0.5))  # in the estimate
        self.policy = nn.Linear(2 * CHANNELS, 1, bias=False)

    def table(self) -> Tensor:
        """The vector of each pattern."""
        general = (self.general(self.shown) + self.general(self.back)) / 2
        return (general + self.single) * self.marked - torch.relu(self.start) / 4

    def forward(self, patterns: Tensor, owner: Tensor, estimates: Tensor) -> tuple[Tensor, Tensor]:
        """The logit of each board, and of each cell."""
        table = self.table()
        mine = Added.apply(patterns, table)
        other = Added.apply(self.swapped[patterns], table)
        cells = torch.cat([mine, other], 1).clamp(0, 1)
        sums = torch.zeros(len(estimates), 2 * CHANNELS).index_add_(0, owner, cells) / 8
        hidden = torch.relu(self.first(sums))
        value = (self.second(hidden) + self.skip(sums))[:, 0]
        value = value + self.trust * (estimates / EVEN).clamp(-MOST_TRUSTED, MOST_TRUSTED)
        return value, self.policy(cells)[:, 0] * 8


def batch_of(boards: np.ndarray, best: np.ndarray) -> tuple[Tensor, ...]:
    """What the network takes, and which cells may be played, and where the best is."""
    patterns = patterns_of(boards)
    empty = (boards == 0) & MARKED[patterns].any(-1)
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
        torch.from_numpy(~five),
    )  # fmt: skip


def losses(
    network: Network,
    boards: np.ndarray,
    best: np.ndarray,
    targets: np.ndarray,
    estimates: np.ndarray,
) -> tuple[Tensor, Tensor, Tensor]:
    """Of the value and of the policy; and how often the first choice is the best."""
    patterns, owner, candidate, chosen, quiet = batch_of(boards, best)
    value, logits = network(patterns, owner, torch.from_numpy(estimates))
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


def learn(folder: Path, passes: float, command: str, file: Path) -> None:
    """Learn from the games of a folder, and write the file of the network; always the same way."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    random = np.random.default_rng(1)
    arrays = samples(folder)
    count, held = len(arrays[0]), sum(len(samples_of(file)[0]) for file in files_of(folder)[0])
    print(f"{count:,} positions, {len(KEY_OF):,} patterns", flush=True)
    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), RATE)
    steps = int(passes * (count - held) / BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, steps, pct_start=0.1)
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


def numbers_of(network: Network) -> bytes:
    """The network in integers, in the order of `noughts.opponent.search.network`."""

    def whole(values: Tensor, scale: float, kind: str = "<i2") -> bytes:
        scaled = np.rint(values.detach().numpy().astype(np.float64) * scale)
        if abs(scaled).max() > np.iinfo(kind).max:
            raise OverflowError(f"{values.shape} by {scale}")
        return bytes(scaled.astype(kind).tobytes())

    policy = network.policy.weight[0]
    return b"".join((
        KEY_OF.astype("<u2").tobytes(),
        whole(network.table(), 512),
        whole(network.first.bias, 1024 * 128, "<i4"),
        whole(network.second.bias, 1024 * 128, "<i4"),
        whole(network.trust, 1024, "<i4"),
        whole(network.first.weight, 1024),
        whole(network.second.weight, 1024),
        whole(network.skip.weight, 1024),
        whole(torch.cat([policy, policy.roll(CHANNELS)]), 1024),
    ))  # fmt: skip
