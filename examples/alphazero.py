"""AlphaZero in PyTorch: a network learns 3×3 or Connect Four from its own searches.

    python examples/alphazero.py [--connect-four] [--device cuda] [curve.svg]

In every round it plays 512 simultaneous games against itself. Before each move, a tree search tries
32 continuations. The network guides the search and evaluates positions, and learns from the moves
that the search preferred and from the winners (Silver and others, *A general reinforcement learning
algorithm*, Science 362 (2018), 1140–1144). On 3×3 all replies are then tried, from both seats, with
and without search, until neither can be beaten. In Connect Four it plays the level "medium",
until with search it scores 75% three times in a row. With a file name, it draws the learning curve.

With `--device cuda` the games, the search trees and the network are on a GPU, and more games are
played at a time. It needs PyTorch and noughts; in a clone: pip install ".[learn]" torch, or for a
GPU: pip install ".[cuda]" torch
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from learn import draw

from noughts import Game, Rules
from noughts.learning import VectorGame, num_actions, symmetries
from noughts.opponent import advise

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError:
    sys.exit("examples/alphazero.py requires PyTorch: pip install torch")


class Size(NamedTuple):
    """How many games are played at a time, and how the network learns from them."""

    games: int = 512
    width: int = 256
    batch: int = 1024
    batches: int = 120


SIZES = {"cpu": Size(), "cuda": Size(games=4096, width=512, batch=8192, batches=200)}
TRIES = 32
EXPLORES = 1.5  # weight of the network's policy relative to the results of the search
OPENINGS = 5  # games start with fewer random moves than this, for variety
KEPT = 10  # rounds to learn from
RATE, DECAY = 2e-3, 1e-4
ROUNDS, ENOUGH = 300, 3  # ENOUGH good rounds in a row
LEVEL, TRIALS, FAR = "medium", 100, 0.75  # games against the level, and a good share of the points

Player = Callable[[VectorGame], Any]
"""Chooses an action for each game."""


def shared(array: Any) -> Tensor:
    """Return a copy of an array of the games as a tensor on their device."""
    return torch.from_dlpack(array.copy())


class Network:
    """A network from planes to a policy and a value: two hidden layers, trained by Adam."""

    def __init__(self, rules: Rules, size: Size, device: str = "cpu") -> None:
        self.rules, self.size, self.device = rules, size, device
        self.layers = nn.Sequential(
            nn.Flatten(),
            nn.Linear(2 * rules.cells, size.width),
            nn.ReLU(),
            nn.Linear(size.width, size.width),
            nn.ReLU(),
            nn.Linear(size.width, num_actions(rules) + 1),
        ).to(device)
        self.adam = torch.optim.Adam(self.layers.parameters(), RATE, weight_decay=DECAY)

    def outputs(self, planes: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logarithm of the policy, and the value for the player to move."""
        last = self.layers(planes.float())
        # Not -inf, since finished games have no legal action.
        return last[:, :-1].masked_fill(~legal, -1e9).log_softmax(1), last[:, -1].tanh()

    def judge(self, games: VectorGame) -> tuple[Tensor, Tensor]:
        """Return the policy, -inf for illegal actions, and the value for the player to move."""
        legal = shared(games.legal)
        with torch.no_grad():
            policy, value = self.outputs(shared(games.observe()), legal)
        return policy.exp().masked_fill(~legal, -torch.inf), value

    def learn(self, planes: Tensor, legal: Tensor, policies: Tensor, worth: Tensor) -> Tensor:
        """Make one step towards these policies and values; return the loss before it."""
        policy, value = self.outputs(planes, legal)
        loss = ((value - worth) ** 2 - (policies * policy).sum(1)).mean()
        self.adam.zero_grad()
        loss.backward()
        self.adam.step()
        return loss.detach()


def search(games: VectorGame, network: Network, *, noisy: bool = False) -> Tensor:
    """Return how often each action of each game was tried; noise adds variety.

    All games are searched together, with one tree each. A node is the position after a try. Arrays
    have a row for each node, TRIES + 1 for each tree, and a column for each action.
    """
    here = games.copy(autoreset="Disabled")
    start, actions = here.state(), here.num_actions
    first, _ = network.judge(here)
    roots = torch.arange(len(here), device=first.device) * (TRIES + 1)
    visits, worth, policy = first.new_zeros(3, len(here) * (TRIES + 1), actions)
    child = roots.new_full(visits.shape, -1)
    if noisy:
        noise = torch.distributions.Dirichlet(torch.ones_like(first)).sample()
        first = 0.75 * first + 0.25 * noise
    policy[roots] = first
    for node in range(1, TRIES + 1):
        here.restore(start)
        at, going = roots, ~shared(here.done)
        path = []
        while going.any():  # waits for a GPU: only it knows how deep the trees are
            tried, sums, prior = (each.index_select(0, at) for each in (visits, worth, policy))
            doubt = prior * (tried.sum(1, keepdim=True) + 1).sqrt() / (1 + tried)
            action = (sums / tried.clamp(min=1) + EXPLORES * doubt).argmax(1)
            edge = at * actions + action
            path.append((edge, going))
            here.step(torch.where(going, action, -1))
            following = child.take(edge)
            at = torch.where(going, torch.where(following < 0, roots + node, following), at)
            child.put_(edge, torch.where(going, at, following))
            going = going & (following >= 0) & ~shared(here.done)
        policy[at], value = network.judge(here)
        won = shared(here.winner) != 0  # by the player who has just moved
        value = torch.where(shared(here.done), -won.float(), value)
        for edge, going in reversed(path):
            value = torch.where(going, -value, value)
            visits.put_(edge, going.float(), accumulate=True)
            worth.put_(edge, going * value, accumulate=True)
    return visits[roots]


def play(network: Network) -> list[Tensor]:
    """Play games against itself.

    Return, for each position under every symmetry, the planes, the legal actions, the share of
    tries of each action, and the result.
    """
    count, seed = network.size.games, int(torch.randint(2**32, ()))
    games = VectorGame(network.rules, count, seed, autoreset="Disabled", device=network.device)
    openings = torch.randint(OPENINGS, (count,))
    for ply in range(OPENINGS - 1):
        games.step(games.random_actions(games=openings > ply))
    seen = []
    while not games.done.all():
        visits, going = search(games, network, noisy=True), ~shared(games.done)
        # Finished games have no tries, but must have something to choose.
        chosen = visits.where(going[:, None], 1).multinomial(1)[:, 0]
        seen.append((*map(shared, (games.observe(), games.legal, games.turn)), visits, going))
        games.step(chosen)
    planes, legal, turn, visits, going = map(torch.cat, zip(*seen, strict=True))
    winner = shared(games.winner).repeat(len(seen))
    worth = torch.where(winner == turn, 1.0, -1.0) * (winner != 0)
    planes, legal, visits, worth = (
        each[going] for each in (planes.flatten(2), legal, visits, worth)
    )
    policies = visits / visits.sum(1, keepdim=True)
    turned = [
        (planes[:, :, cells], legal[:, actions], policies[:, actions], worth)
        for cells, actions in zip(*symmetries(network.rules), strict=True)
    ]
    return [torch.cat(each) for each in zip(*turned, strict=True)]


def losses(rules: Rules, player: Player, seat: int, device: str = "cpu") -> int:
    """Count the ways in which the player in this seat can be beaten, over all replies."""
    games, found = VectorGame(rules, 1, autoreset="Disabled", device=device), 0
    while True:
        if games.turn[0] == seat:
            games.step(player(games))
        else:
            numbers, replies = shared(games.legal).nonzero(as_tuple=True)
            games = games.copy(numbers)
            games.step(replies)
        found += int((games.done & (games.winner == 3 - seat)).sum())
        if games.done.all():
            return found
        games = games.copy((~shared(games.done)).nonzero()[:, 0])


def points(rules: Rules, player: Player, device: str = "cpu") -> float:
    """Return the share of points against the level, with half of the games from either seat."""
    games = VectorGame(rules, TRIALS, autoreset="Disabled", device=device)
    boards = [Game(rules) for _ in range(TRIALS)]
    while not games.done.all():
        actions = player(games).tolist()
        for i, board in enumerate(boards):
            if board.outcome is None:
                if board.turn != 1 + i % 2:
                    actions[i] = advise(board, level=LEVEL, seed=TRIALS * board.ply + i).cell[-1]
                board.play(next(cell for cell in board.legal_moves if cell[-1] == actions[i]))
        games.step(actions)
    winners = shared(games.winner).tolist()
    return sum(0.5 if not won else won == 1 + i % 2 for i, won in enumerate(winners)) / TRIALS


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, print the progress, and report the result."""
    parser = argparse.ArgumentParser(description="A network learns from its own searches.")
    parser.add_argument("--connect-four", action="store_true", help="instead of 3×3")
    parser.add_argument("--device", choices=SIZES, default="cpu", help="by default cpu")
    parser.add_argument("curve", nargs="?", type=Path, help="an SVG file for the learning curve")
    options = parser.parse_args(arguments)
    falls, device = options.connect_four, options.device
    rules = Rules.connect_four() if falls else Rules()
    if device == "cuda" and not torch.cuda.is_available():
        parser.error("--device cuda: PyTorch finds no GPU")
    try:
        VectorGame(rules, 1, device=device)
    except ModuleNotFoundError as error:
        parser.error(str(error))
    torch.set_num_threads(1)  # more threads slow down such a small network
    torch.manual_seed(1)
    network = Network(rules, SIZES[device], device)

    def alone(games: VectorGame) -> Tensor:
        return network.judge(games)[0].argmax(1)

    def searching(games: VectorGame) -> Tensor:
        return search(games, network).argmax(1)

    def tried(player: Player) -> float:
        if falls:
            return points(rules, player, device)
        return sum(losses(rules, player, seat, device) for seat in (1, 2))

    kept: deque[list[Tensor]] = deque(maxlen=KEPT)
    curve: list[float] = []
    good = number = 0
    title = f'Share of points against "{LEVEL}"' if falls else "Ways to beat it"
    print(f"{title}, without search and with search:\n")
    print("round     games    loss  without  with search")
    while number < ROUNDS and good < ENOUGH:
        learned = "–"
        if number:
            kept.append(play(network))
            data = [torch.cat(each) for each in zip(*kept, strict=True)]
            for _ in range(network.size.batches):
                some = torch.randint(len(data[0]), (network.size.batch,), device=device)
                loss = network.learn(*(each[some] for each in data))
            learned = f"{loss:.3f}"
        found = tried(alone), tried(searching)
        good = good + 1 if (found[1] >= FAR if falls else not any(found)) else 0
        curve.append(found[falls])
        played = f"{network.size.games * number:,}"
        print(f"{number:5} {played:>9} {learned:>7} {found[0]:8} {found[1]:12}", flush=True)
        number += 1
    if options.curve:
        best = f"{max(curve):.0%} of the points" if falls else f"{max(curve)} ways to beat it"
        draw(curve, options.curve, best, f"{network.size.games * (number - 1):,} games played")
    if good < ENOUGH:
        sys.exit(f"It is not good enough after {ROUNDS} rounds.")
    if falls:
        print(
            f'\nWith search it beats "{LEVEL}": {FAR:.0%} of the points, {ENOUGH} times in a row.'
        )
    else:
        print("\nIt never loses: every reply was tried, from both seats, with and without search.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("\nStopped; nothing was written.")
        sys.exit(130)
