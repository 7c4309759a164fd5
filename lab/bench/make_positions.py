"""Collect hard positions for the engine: ``script/lab positions [RECORD ...]``.

Writes lab/bench/positions.jsonl from the games of these records and, while more are needed, from
games that the engine plays against itself. Each position is a record whose last move is the answer:
a forced win, or the only defence. A win is proved by threats, with every reply tried. A defence is
the only move after which a deep search finds no such win.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from lab.bench.positions import FILE, KINDS, TABLE, positions
from noughts import Game, IllegalMove, Rules
from noughts.compiled import required
from noughts.game.geometry import Cell, geometry_of
from noughts.records import Record, read_records

EACH = 200
LITTLE = 5_000  # visited positions; a win found within these is too easy
ENOUGH = 200_000  # a win found within these is included
DEEP = 500_000  # without a win within these, the position counts as held
MANY = 6  # candidate defences that are searched deeply
PLAYED = 2_000  # per move of the engine's own games
MOST = 100  # plies per such game
SHORTEST = 3  # plies of a win that needs a defence
OPENING = 6  # random plies near the centre


class Searcher:
    """A search for wins by threats in positions of the same rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.geometry = rules, geometry_of(rules)
        engine = required("noughts.opponent.search._engine", "looking for wins")
        self._engine = engine.Engine(rules, TABLE)

    def move(self, moves: Sequence[int], nodes: int) -> int:
        """Return the engine's move."""
        cell: int = self._thought(moves, nodes, 0)[0]
        return cell

    def win(self, moves: Sequence[int], nodes: int) -> tuple[int, int] | None:
        """Return the first move of a win by threats and its length in plies, if one is found."""
        cell, _, plies, proved, *_ = self._thought(moves, nodes, 1)
        return (cell, plies) if proved and plies > 0 else None

    def _thought(self, moves: Sequence[int], nodes: int, depth: int) -> Any:
        return self._engine.think(moves, 60.0, nodes, depth)


def hard_win(look: Searcher, moves: list[int]) -> list[int] | None:
    """Return the earliest hard position that is won by threats, with the first threat."""
    for last in (len(moves), len(moves) - 1):  # for either player
        found = None
        for ply in range(last, 0, -2):
            win = look.win(moves[:ply], ENOUGH)
            if win is None:
                break
            found = [*moves[:ply], win[0]]
        if found and not look.win(found[:-1], LITTLE):
            return found
    return None


def single_defence(look: Searcher, moves: list[int]) -> list[int] | None:
    """Return the latest position in which only one move holds, with that move."""
    for ply in range(len(moves) - 1, OPENING, -1):
        if answer := only_defence(look, moves[:ply]):
            return [*moves[:ply], answer]
    return None


def only_defence(look: Searcher, moves: list[int]) -> int | None:
    """Return the only move after which the opponent has no win by threats, if there is one."""
    if look.win(moves, LITTLE):
        return None
    legal = legal_numbers(look, moves)
    far = max(legal, key=lambda cell: min(abs(cell - other) for other in moves))
    threat = look.win([*moves, far], LITTLE)
    if threat is None or threat[1] < SHORTEST:
        return None
    for nodes in (LITTLE, DEEP):
        holding: list[int] = []
        for cell in legal:
            if not look.win([*moves, cell], nodes):
                holding.append(cell)
            if len(holding) > (MANY if nodes == LITTLE else 1):
                return None
        legal = holding
    return legal[0] if legal else None


def legal_numbers(look: Searcher, moves: list[int]) -> list[int]:
    """Return the numbers of the legal moves."""
    game = Game.replay(look.rules, map(look.geometry.cell, moves))
    return [look.geometry.number(cell) for cell in game.legal_moves]


def recorded(paths: Sequence[str]) -> Iterator[tuple[Rules, list[Cell]]]:
    """Yield the games of these records; freestyle is assumed where a file names no rules."""
    for path in paths:
        with Path(path).open("rb") as file:
            for record in read_records(file, path, Rules.gomoku()):
                if isinstance(record, Record):
                    yield record.rules, list(record.moves)


def played(rules: Rules, seed: int) -> Iterator[tuple[Rules, list[Cell]]]:
    """Yield games of the engine against itself, endlessly."""
    look, random = Searcher(rules), Random(seed)
    rows, columns = rules.shape
    middle = [
        row * columns + column
        for row in range(rows // 2 - 3, rows // 2 + 4)
        for column in range(columns // 2 - 3, columns // 2 + 4)
    ]
    while True:
        game = Game(rules)
        for number in random.sample(middle, OPENING):
            game.play(look.geometry.cell(number))
        while game.outcome is None and game.ply < MOST:
            numbers = list(map(look.geometry.number, game.history))
            game.play(look.geometry.cell(look.move(numbers, PLAYED)))
        yield rules, list(game.history)


def without_last_move(rules: Rules, cells: Sequence[Cell]) -> list[int]:
    """Return the numbers of the moves, without the one that ends the game."""
    game = Game(rules)
    for cell in cells:
        try:
            game.play(cell)
        except IllegalMove:
            break
    if game.outcome is not None:
        game.undo()
    return list(map(geometry_of(rules).number, game.history))


def main(paths: Sequence[str]) -> None:
    """Create the file, or extend it if it is too short."""
    found = {kind: {one.moves: one for one in positions(kind)} for kind in KINDS}
    seed = sum(map(len, found.values()))
    looks: dict[Rules, Searcher] = {}
    finders = {"win": hard_win, "defence": single_defence}
    for games, most in ((recorded(paths), EACH // 2), (played(Rules.gomoku(), seed), EACH)):
        for rules, cells in games:
            if all(len(records) >= most for records in found.values()):
                break
            look = looks.setdefault(rules, Searcher(rules))
            moves = without_last_move(rules, cells)
            for kind, records in found.items():
                if len(records) < most and (position := finders[kind](look, moves)):
                    answered = tuple(map(look.geometry.cell, position))
                    records.setdefault(answered, Record(rules, answered))
            print(*(f"{kind}: {len(records)}" for kind, records in found.items()), file=sys.stderr)
    with FILE.open("w", encoding="utf-8") as file:
        for kind, records in found.items():
            for one, number in zip(records.values(), range(1, EACH + 1), strict=False):
                file.write(f"{replace(one, id=f'{kind} {number}').to_json()}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
