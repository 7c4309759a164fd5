"""A move in `Game` and reading its outcome: compiled, in Python, and in OpenSpiel.

Measures whole random games, including their creation, and the moves only.
"""

from __future__ import annotations

from typing import Any

from lab.bench.peers import OpenSpiel, PlayedGame
from lab.bench.random_games import random_games
from lab.bench.timing import Case, Run, Table, processor_seconds
from noughts import Game, Rules
from noughts.bulk.arrays import judge
from noughts.game.board import Board

BOARDS = {
    "3×3": (Rules(), "tic_tac_toe", 3000),
    "15×15, 5 in a row": (Rules((15, 15), k=5), "mnk(m=15,n=15,k=5)", 50),
}
OURS, PLAIN, PEER = "`Game`, ns", "`Game`, not compiled, ns", "OpenSpiel, ns"


class PlainGame(Game):
    """A game on the board in Python, without its accelerator."""

    def __init__(self, rules: Rules) -> None:
        self._rules, self._board = rules, Board(rules)


def sides(rules: Rules, name: str) -> dict[str, Any]:
    """Return the sides that are compared."""
    return {OURS: PlayedGame(rules), PLAIN: PlayedGame(rules, PlainGame), PEER: OpenSpiel(name)}


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part."""
    cases: dict[tuple[str, str, str], Case] = {}
    plies = {}
    for board, (rules, name, count) in BOARDS.items():
        games = random_games(rules, run.sized(count))
        plies[board] = int((games >= 0).sum())
        winners = judge(games, rules).winner.tolist()
        for who, side in sides(rules, name).items():
            played = side.prepared(games)
            assert side.winners(played) == winners, f"{who} disagrees on {board}"
            cases["moves", board, who] = lambda _, side=side, played=played: side.moves_alone(
                played
            )  # type: ignore[misc]
            cases["whole games", board, who] = lambda _, side=side, played=played: (  # type: ignore[misc]
                processor_seconds(side.replay, played)
            )
    times = run.times("game", cases)
    return {
        what: {
            board: {
                **{
                    who: times.median((what, board, who)) / plies[board] * 1e9
                    for who in (OURS, PLAIN, PEER)
                },
                "OpenSpiel / `Game`": times.ratio((what, board, PEER), (what, board, OURS)),
            }
            for board in BOARDS
        }
        for what in ("moves", "whole games")
    }
