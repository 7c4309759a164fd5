"""AlphaZero in NumPy: a network learns 3×3 or Connect Four from its own searches.

    python examples/alphazero.py [--connect-four] [curve.svg]

In every round the network plays 256 games at once against itself. Before each move, a tree search
tries 32 continuations. The network guides it by estimating moves and positions, and then learns
from the visits of the search and from the winners (Silver and others, *A general reinforcement
learning algorithm*, Science 362 (2018), 1140–1144). After every round in 3×3, all replies are tried
from both seats, against the network alone and with its search; training stops when neither can be
beaten. In Connect Four, both play against the level "easy" until they do better three times in a
row. With a file name, the script draws the learning curve. It needs only NumPy and noughts; in a
clone: pip install ".[learn]"
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
from learn import draw

from noughts import Game, Rules
from noughts.learning import VectorGame, num_actions
from noughts.opponent import advise

GAMES, TRIES = 256, 32
EXPLORES = 1.5  # weight of the network's policy against the results of the search
OPENINGS = 5  # a game starts with fewer random moves than this, so that all positions occur
WIDTH, BATCH, BATCHES, KEPT = 128, 1024, 40, 10  # KEPT: number of recent rounds to learn from
RATE, DECAY = 2e-3, 1e-4
ROUNDS, ENOUGH = 300, 3  # ENOUGH: number of good rounds in a row
TRIALS, FAR = 100, 0.55  # number of games against "easy", and a good score

Player = Callable[[VectorGame], np.ndarray]
"""A function that chooses an action for each game."""


class Network:
    """A network with two hidden layers that maps planes to a policy and a value."""

    def __init__(self, rules: Rules, random: np.random.Generator) -> None:
        sizes = [2 * rules.cells, WIDTH, WIDTH, num_actions(rules) + 1]
        self.weights = [
            random.normal(0, (2 / fan) ** 0.5, (fan + 1, out)).astype(np.float32)
            for fan, out in pairwise(sizes)
        ]
        self.weights[-1] *= 0.1
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.updates = 0

    def layers(self, planes: np.ndarray) -> list[np.ndarray]:
        """Return the input of each layer, with a 1 for the bias, and the output of the last."""
        values = planes.reshape(len(planes), -1).astype(np.float32)
        found = []
        for weights in self.weights:
            found.append(np.append(values, np.ones((len(values), 1), np.float32), axis=1))
            values = found[-1] @ weights
            if weights is not self.weights[-1]:
                values = np.maximum(values, 0)
        return [*found, values]

    def judge(self, planes: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the policy and the value of each position for the player to move."""
        last = self.layers(planes)[-1]
        return softmax(last[:, :-1], legal), np.tanh(last[:, -1])

    def learn(
        self, planes: np.ndarray, legal: np.ndarray, policies: np.ndarray, worth: np.ndarray
    ) -> float:
        """Take a step towards these policies and values; return the loss before it."""
        *inputs, last = self.layers(planes)
        policy, value = softmax(last[:, :-1], legal), np.tanh(last[:, -1])
        loss = np.mean((value - worth) ** 2 - (policies * np.log(policy + 1e-8)).sum(axis=1))
        back = np.empty_like(last)
        back[:, :-1] = policy - policies
        back[:, -1] = 2 * (value - worth) * (1 - value**2)
        back /= len(last)
        self.updates += 1
        for i in reversed(range(len(inputs))):
            slope = inputs[i].T @ back
            back = (back @ self.weights[i][:-1].T) * (inputs[i][:, :-1] > 0)
            self.descend(i, slope + DECAY * self.weights[i])
        return float(loss)

    def descend(self, layer: int, slope: np.ndarray) -> None:
        """Update a layer's weights by Adam (Kingma and Ba, 2015)."""
        mean, square = self.moments[layer]
        mean += 0.1 * (slope - mean)
        square += 0.001 * (slope**2 - square)
        step = mean / (1 - 0.9**self.updates)
        self.weights[layer] -= RATE * step / (np.sqrt(square / (1 - 0.999**self.updates)) + 1e-8)


def softmax(scores: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Return scores as probabilities of the legal actions, all 0 if no action is legal."""
    scores = np.where(legal, scores, -np.inf)
    powers: np.ndarray = np.exp(
        scores - np.where(legal.any(axis=1), scores.max(axis=1), 0)[:, None]
    )
    powers /= np.maximum(powers.sum(axis=1, keepdims=True), 1e-30)
    return powers


def search(
    games: VectorGame, network: Network, random: np.random.Generator | None = None
) -> np.ndarray:
    """Return the number of visits to each action of each game; `random` adds noise at the root.

    All games are searched together, with one tree each. Every try adds a node, the position that it
    reached; arrays are indexed by game, node and action.
    """
    here = games.copy(autoreset="Disabled")
    root, each = here.state(), np.arange(len(here))
    shape = len(here), TRIES + 1, here.num_actions
    child, visits = np.full(shape, -1), np.zeros(shape, np.int64)
    worth, policy, legal = np.zeros(shape), np.zeros(shape), np.zeros(shape, np.bool_)
    policy[:, 0], _ = network.judge(here.observe(), here.legal)
    legal[:, 0] = here.legal
    if random is not None:
        noise = random.dirichlet(np.ones(here.num_actions), len(here)) * here.legal
        policy[:, 0] = 0.75 * policy[:, 0] + 0.25 * noise
    for node in range(1, TRIES + 1):
        here.restore(root)
        at, going = np.zeros(len(here), np.int64), ~here.done
        path = []
        while going.any():
            tried = visits[each, at]
            hope = worth[each, at] / np.maximum(tried, 1)
            doubt = policy[each, at] * np.sqrt(tried.sum(axis=1, keepdims=True) + 1) / (1 + tried)
            action = np.where(legal[each, at], hope + EXPLORES * doubt, -np.inf).argmax(axis=1)
            path.append((each[going], at[going], action[going]))
            here.step(np.where(going, action, -1))
            following = child[each, at, action]
            child[path[-1]] = np.where(following < 0, node, following)[going]
            at = np.where(going, child[each, at, action], at)
            going &= (following >= 0) & ~here.done
        policy[each, at], value = network.judge(here.observe(), here.legal)
        legal[each, at] = here.legal
        value = np.where(here.done, -1.0 * (here.winner != 0), value)  # the winner has just moved
        for place in reversed(path):
            value[place[0]] *= -1
            visits[place] += 1
            worth[place] += value[place[0]]
    return visits[:, 0]


def play(rules: Rules, network: Network, random: np.random.Generator) -> list[np.ndarray]:
    """Play games against itself and return their positions under every symmetry.

    The arrays are planes, masks, the share of visits to each action, and the result for the player
    to move.
    """
    games = VectorGame(rules, GAMES, int(random.integers(2**32)), autoreset="Disabled")
    openings = random.integers(0, OPENINGS, GAMES)
    for ply in range(OPENINGS - 1):
        games.step(games.random_actions(games=openings > ply))
    seen = []
    while not games.done.all():
        visits = search(games, network, random)
        policies = visits / np.maximum(visits.sum(axis=1, keepdims=True), 1)
        chosen = (policies.cumsum(axis=1) > random.random((GAMES, 1))).argmax(axis=1)
        going = ~games.done
        seen.append((games.observe(), games.legal.copy(), policies, games.turn.copy(), going))
        games.step(chosen)
    planes, legal, policies, turn, going = map(np.concatenate, zip(*seen, strict=True))
    winner = np.tile(games.winner, len(seen))
    worth = np.where(winner == 0, 0, np.where(winner == turn, 1, -1))[going]
    none = np.full(len(worth), -1)
    turned, policies, _ = games.symmetric(planes[going], policies[going], none)
    _, legal, _ = games.symmetric(planes[going], legal[going], none)
    all_worth = np.tile(worth, len(turned))
    return [*(each.reshape(-1, *each.shape[2:]) for each in (turned, legal, policies)), all_worth]


def losses(rules: Rules, player: Player, seat: int) -> int:
    """Return the number of ways to beat the player in this seat, over all replies."""
    games, found = VectorGame(rules, 1, autoreset="Disabled"), 0
    while True:
        if games.turn[0] == seat:
            games.step(player(games))
        else:
            numbers, replies = np.nonzero(games.legal)
            games = games.copy(numbers)
            games.step(replies)
        found += int((games.done & (games.winner == 3 - seat)).sum())
        if games.done.all():
            return found
        games = games.copy(np.flatnonzero(~games.done))


def points(rules: Rules, player: Player) -> float:
    """Return the player's score against "easy", with half of the games from each seat."""
    games, easy = (
        VectorGame(rules, TRIALS, autoreset="Disabled"),
        [Game(rules) for _ in range(TRIALS)],
    )
    seats = 1 + np.arange(TRIALS) % 2
    while not games.done.all():
        actions = player(games)
        for i in map(int, np.flatnonzero(~games.done)):
            if games.turn[i] != seats[i]:
                cell = advise(easy[i], level="easy", seed=TRIALS * easy[i].ply + i).cell
                actions[i] = cell[-1]
            easy[i].play(next(cell for cell in easy[i].legal_moves if cell[-1] == actions[i]))
        games.step(actions)
    return float(np.where(games.winner == 0, 0.5, games.winner == seats).mean())


def main() -> None:
    """Train the network, print its progress and exit with 1 if it did not learn enough."""
    falls = "--connect-four" in sys.argv
    files = [argument for argument in sys.argv[1:] if argument != "--connect-four"]
    rules = Rules.connect_four() if falls else Rules()
    random = np.random.default_rng(1)
    network = Network(rules, random)

    def alone(games: VectorGame) -> np.ndarray:
        actions: np.ndarray = network.judge(games.observe(), games.legal)[0].argmax(axis=1)
        return actions

    def searching(games: VectorGame) -> np.ndarray:
        actions: np.ndarray = search(games, network).argmax(axis=1)
        return actions

    def test(player: Player) -> float:
        if falls:
            return points(rules, player)
        return sum(losses(rules, player, seat) for seat in (1, 2))

    kept: deque[list[np.ndarray]] = deque(maxlen=KEPT)
    curve: list[float] = []
    good = number = 0
    measure = 'Score against "easy"' if falls else "Ways to beat it"
    print(f"{measure}, for the network alone and with its search:\n")
    print("round   games    loss   alone   with search")
    while number < ROUNDS and good < ENOUGH:
        loss = 0.0
        if number:
            kept.append(play(rules, network, random))
            data = [np.concatenate(each) for each in zip(*kept, strict=True)]
            for _ in range(BATCHES):
                some = random.integers(0, len(data[0]), BATCH)
                loss = network.learn(*(each[some] for each in data))
        found = test(alone), test(searching)
        good = good + 1 if (min(found) >= FAR if falls else not any(found)) else 0
        curve.append(found[0])
        learned = f"{loss:.3f}" if number else "–"
        print(f"{number:5} {GAMES * number:7,} {learned:>7} {found[0]:7} {found[1]:13}", flush=True)
        number += 1
    if files:
        best = f"{max(curve):.0%} of the points" if falls else f"{max(curve)} ways to beat it"
        draw(curve, Path(files[0]), best, f"{GAMES * (number - 1):,} games played")
    if good < ENOUGH:
        sys.exit(f"It has not learned enough after {ROUNDS} rounds.")
    if falls:
        print(f'\nIt beats "easy": it scored at least {FAR:.0%} {ENOUGH} times in a row.')
    else:
        print("\nIt never loses: every reply was tried from both seats, with and without search.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("\nStopped; no file was written.")
        sys.exit(130)
