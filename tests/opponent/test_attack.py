"""Proofs of wins on large boards: following the steps wins against every reply."""

from __future__ import annotations

import json
from functools import cache
from math import dist
from random import Random

import pytest

from lab.bench.positions import positions
from noughts import Game, Rules
from noughts.game.geometry import Cell
from noughts.opponent.attack import prove
from noughts.opponent.exact.certificate import check_certificate
from noughts.picture import cell_name, read_cell
from oracle import random_game

pytestmark = pytest.mark.compiled("noughts.opponent.search._engine")


class Steps:
    """The steps of a certificate, read independently of the checker."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = [json.loads(line) for line in lines]
        self.claim = self._lines[-1]
        self.first = self.claim["wins"]

    def move(self, number: int) -> str:
        move: str = self._lines[number - 1]["move"]
        return move

    def after(self, number: int, reply: str) -> int:
        """Return the step after a reply."""
        for names, step in self._lines[number - 1]["replies"]:
            if reply in names.split():
                return int(step)
        return int(self._lines[number - 1]["pass"])

    def listed(self, number: int) -> list[str]:
        return [name for names, _ in self._lines[number - 1]["replies"] for name in names.split()]


@cache
def decided() -> list[Game]:
    """Return positions from games with a win by threats."""
    return [Game.replay(record.rules, record.moves[:-1]) for record in positions("win")[::10]]


def attacks() -> list[Game]:
    """Return won positions, one of them with the loser to move."""
    return [
        Game(Rules((10, 10), k=3)),
        Game(Rules((15, 15), k=4)),
        Game(Rules((16, 16), k=4)),
        Game(Rules((5, 5, 5), k=4)),
        Game.replay(Rules((9, 8), k=4), [(4, 4), (3, 4), (4, 5)]),
        *decided(),
    ]


def proved(game: Game) -> Steps:
    lines = prove(game, seconds=60)
    assert lines is not None
    found = check_certificate(lines)
    steps = Steps(lines)
    assert found.game == game
    assert found.winner == steps.claim["player"]
    return steps


@pytest.mark.parametrize("at", range(len(attacks())))
def test_following_the_steps_wins(at: int) -> None:
    start, rng = attacks()[at], Random(at)
    steps = proved(start)
    assert start not in decided() or steps.claim["player"] == start.turn
    for _ in range(30):
        follow(start.copy(), steps, rng)


def follow(game: Game, steps: Steps, rng: Random) -> None:
    """Play against random replies to the end and check that the player wins."""
    player, dimensions = steps.claim["player"], len(game.rules.shape)
    step, moves = steps.first, game.turn == player
    while not game.outcome:
        if not moves:
            reply = drawn(game, [read_cell(name, dimensions) for name in steps.listed(step)], rng)
            if game.play(reply):
                break
            if ends := game.threats(player):
                game.play(min(ends))
                break
            step = steps.after(step, cell_name(reply))
        game.play(read_cell(steps.move(step), dimensions))
        moves = False
    assert game.outcome
    assert game.outcome.winner == player


def drawn(game: Game, listed: list[Cell], rng: Random) -> Cell:
    """Choose a reply: one that completes or blocks a line, a listed one, a near one or any."""
    if ends := game.threats(game.turn) or game.threats(3 - game.turn):
        return rng.choice(sorted(ends))
    legal = list(game.legal_moves)
    kind = rng.choice(["listed", "near", "any"])
    if kind == "listed" and listed:
        return rng.choice(listed)
    if kind == "near":
        last = game.history[-1]
        near = [cell for cell in legal if dist(cell, last) < 3]
        return rng.choice(near or legal)
    return rng.choice(legal)


def test_short_proof_wins_against_every_reply() -> None:
    game = Game(Rules((9, 8), k=3))
    steps = proved(game)

    def lost(step: int) -> None:
        game.play(read_cell(steps.move(step)))
        for reply in list(game.legal_moves):
            game.play(reply)
            if ends := game.threats(1):
                assert game.play(min(ends))
                game.undo()
            else:
                lost(steps.after(step, cell_name(reply)))
            game.undo()
        game.undo()

    lost(steps.first)


def test_prove_returns_none_without_a_win() -> None:
    assert prove(Game(Rules((15, 15), k=5)), seconds=0.5) is None
    assert prove(Game.replay(Rules((15, 15), k=5), [(7, 7)]), seconds=0.5) is None
    assert prove(Game(Rules((20, 20), k=7)), seconds=0.1) is None
    nearly_full = random_game(Rules((66,), k=4), 2318, 64)
    assert not nearly_full.outcome
    assert prove(nearly_full, seconds=0.5) is None
