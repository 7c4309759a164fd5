"""A player learns 3×3 only from its own games, until it never loses.

    python examples/learn.py [curve.svg]

It plays 1,024 simultaneous games against itself and keeps a table of the value of every move in
every position (1 is a win, -1 a loss) if both sides continue as well as they can. All replies are
tried, from both seats, to count the ways in which it can be beaten; in the end there must be none.
With a file name, it draws the learning curve. It needs only NumPy and noughts; in a clone:
pip install ".[learn]"
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from noughts import Game, Rules
from noughts.learning import VectorGame, symmetries

RULES = Rules()
GAMES, STEPS, EVERY = 1024, 100, 2
EXPLORES = 0.3  # share of random moves
CELLS, ACTIONS = symmetries(RULES)
WENT = np.argsort(ACTIONS, axis=1)  # the image of each action
POWERS = 3 ** np.arange(RULES.cells)


def numbers(planes: np.ndarray) -> np.ndarray:
    """Return the number of each position, with a digit per cell: 1 for own marks, 2 for others."""
    flat = planes.reshape(len(planes), 2, RULES.cells)
    digits: np.ndarray = flat[:, 0] + 2 * flat[:, 1]
    return digits @ POWERS


def values(table: np.ndarray, planes: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Return the value of each move for the player to move; -inf for illegal moves."""
    return np.where(legal, table[numbers(planes)], -np.inf)


def learn(table: np.ndarray, games: VectorGame, random: np.random.Generator) -> None:
    """Make a move in every game, and record its value."""
    planes, legal = games.observe(), games.legal.copy()
    best = (values(table, planes, legal) + 0.01 * random.random(legal.shape)).argmax(axis=1)
    chosen = np.where(random.random(GAMES) < EXPLORES, games.random_actions(), best)
    assert not games.step(chosen).any()
    hopes = values(table, games.observe(), games.legal).max(axis=1)  # the other player's
    worth = np.where(games.done, games.winner != 0, -hopes)
    for cells, went in zip(CELLS, WENT, strict=True):
        seen = planes.reshape(GAMES, 2, -1)[:, :, cells]
        table[numbers(seen), went[chosen]] = worth


def losses(table: np.ndarray, game: Game, seat: int) -> int:
    """Count the ways in which the player in this seat can be beaten, over all replies."""
    if game.outcome is not None:
        return int(game.outcome.winner == 3 - seat)
    moves = list(game.legal_moves)
    if game.turn == seat:
        marks = np.frombuffer(game.key(), np.uint8)
        planes = np.stack([marks == seat, marks == 3 - seat])[None]
        best = values(table, planes, marks == 0).argmax()
        moves = [divmod(int(best), 3)]
    found = 0
    for cell in moves:
        game.play(cell)
        found += losses(table, game, seat)
        game.undo()
    return found


def draw(curve: list[float], path: Path, top_label: str, last_label: str) -> None:
    """Draw the curve as SVG, with labels for its top and its last point."""
    width, height, top = 640, 320, max(curve) or 1
    points = " ".join(
        f"{40 + i * (width - 60) / (len(curve) - 1):.1f},{20 + (height - 60) * (1 - y / top):.1f}"
        for i, y in enumerate(curve)
    )
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        ' font-family="system-ui" font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
        f'<path d="M40 20V{height - 40}H{width - 20}" fill="none" stroke="#8a93a3"/>'
        f'<polyline points="{points}" fill="none" stroke="#2563c9" stroke-width="2"/>'
        f'<text x="48" y="24">{top_label}</text>'
        f'<text x="{width - 20}" y="{height - 20}" text-anchor="end">'
        f"{last_label}</text></svg>\n",
        "utf-8",
    )


def main() -> None:
    """Learn, print the progress, and report the result."""
    games, random = VectorGame(RULES, GAMES, seed=1), np.random.default_rng(1)
    table = np.zeros((3**RULES.cells, RULES.cells), np.float32)
    curve: list[float] = []
    for step in range(STEPS + 1):
        if step % EVERY == 0:
            curve.append(sum(losses(table, Game(RULES), seat) for seat in (1, 2)))
            bar = "█" * (30 * step // STEPS)
            print(f"\r{bar:30} {curve[-1]:4} ways to beat it", end="", flush=True)
        learn(table, games, random)
    print()
    if len(sys.argv) > 1:
        labels = f"{max(curve)} ways to beat it", f"{GAMES * STEPS:,} moves played"
        draw(curve, Path(sys.argv[1]), *labels)
    if curve[-1]:
        sys.exit(f"There are still {curve[-1]} ways to beat it.")
    print("It never loses: every reply was tried, from both seats.")


if __name__ == "__main__":
    main()
