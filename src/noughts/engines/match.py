"""Fair matches between two or more players: every opening from both sides."""

import re
from collections import Counter
from collections.abc import Collection, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice
from random import Random
from threading import Event
from typing import NamedTuple

from noughts.engines.engine import TOLERANCE, Engine
from noughts.engines.play import PlayedGame, Player, play_game, player_of
from noughts.errors import InvalidRecord, short_repr
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.rules import Rules, as_rules
from noughts.records import Record

Opening = tuple[Cell, ...]
"""The moves with which a game begins."""


class Fixture(NamedTuple):
    """A game to be played.

    Attributes:
        number: from 1, in the order in which games begin.
        round: from 0. In each round every pair of players plays two games with one opening.
        players: who plays first and second, as indices of `Match.players`.
        opening: the moves made before the players think.
    """

    number: int
    round: int
    players: tuple[int, int]
    opening: Opening


class MatchGame(NamedTuple):
    """A game of a match that was played."""

    fixture: Fixture
    game: PlayedGame

    @property
    def winner(self) -> int | None:
        """Who won, an index of `Match.players`; None for a draw."""
        result = self.game.record.result
        return self.fixture.players[result - 1] if result else None


class _Stopped(Exception):
    """The match has been stopped."""


@dataclass(frozen=True)
class Match:
    """Who plays whom, what, and how often.

    Attributes:
        rules: `Rules` or their text, for two players; with engines, rules of the Gomocup protocol.
        players: two or more, each the name of a level or the command that runs an engine, with a
            name before it if you like: ``old=./pbrain-x``.
        games: how many each pair of players plays.
        seconds: for each move.
        openings: used in turn, each for two games with colours swapped; by default the empty
            board. Engines that always choose the same moves need many.
        seed: makes the choices of levels repeatable, unless the seconds run out; None for
            different ones each time.
        nodes: as for `noughts.opponent.advise`.
        tolerance: as for `Engine`.

    Raises:
        ValueError: there can be no such match.

    >>> [game.winner for game in Match(Rules(), ("strong", "strong"), 3, seed=1).play()]
    [None, None, None]
    """

    rules: Rules
    players: tuple[str, ...]
    games: int
    seconds: float = 1.0
    openings: tuple[Opening, ...] = ((),)
    seed: int | None = None
    nodes: int | None = None
    tolerance: float = TOLERANCE

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", as_rules(self.rules))
        if self.rules.players != 2:
            raise ValueError(f"a match is between two players, not {self.rules.players}")
        if len(self.players) < 2:
            raise ValueError("a match needs two players or more")
        if not self.openings:
            raise ValueError("there are no openings")
        for _, player in map(name_and_player, self.players):
            player_of(player).check(self.rules)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names: engines are named after their files, and equal names numbered."""
        named = map(name_and_player, self.players)
        names = [name or player_of(player).name for name, player in named]
        times, seen = Counter(names), Counter[str]()
        for place, name in enumerate(names):
            seen[name] += 1
            names[place] = f"{name} {seen[name]}" if times[name] > 1 else name
        return tuple(names)

    @property
    def count(self) -> int:
        """How many games there are in all."""
        return self.games * len(self.players) * (len(self.players) - 1) // 2

    def fixtures(self) -> Iterator[Fixture]:
        """All games in their order; more games would be added at the end."""
        number = 0
        for round in range((self.games + 1) // 2):
            opening = self.openings[round % len(self.openings)]
            for one, other in combinations(range(len(self.players)), 2):
                for swapped in (False, True):
                    number += 1
                    if 2 * round + swapped < self.games:
                        players = (other, one) if swapped else (one, other)
                        yield Fixture(number, round, players, opening)

    def play(self, done: Collection[int] = (), jobs: int = 1) -> Generator[MatchGame, None, None]:
        """Play the games, and yield each when it has ended.

        Every game has its own processes, which end before this does. If it is closed before the
        last game, games under way are stopped; that takes as long as a level may think.

        Args:
            done: the numbers of fixtures that need not be played.
            jobs: how many games are played at once. Their engines share the processors.
        """
        waiting = (fixture for fixture in self.fixtures() if fixture.number not in done)
        running = dict[Future[MatchGame], tuple[Player, Player]]()
        stopped = Event()
        with ThreadPoolExecutor(jobs) as threads:
            try:
                while True:
                    for fixture in islice(waiting, jobs - len(running)):
                        one, other = (self._player(fixture, side) for side in (0, 1))
                        future = threads.submit(self._play, fixture, (one, other), stopped)
                        running[future] = one, other
                    if not running:
                        return
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        del running[future]
                        yield future.result()
            finally:
                stopped.set()
                for players in running.values():
                    for player in players:
                        if isinstance(player, Engine):
                            player.kill()

    def record(self, played: MatchGame) -> Record:
        """The record of a game; `recorded` reads it."""
        fixture, game = played
        fault = f"\n{game.reason}: {game.record.comment}" if game.at_fault else ""
        names, comment = self._names(fixture), self._pace + fault
        return replace(game.record, id=fixture.number, names=names, comment=comment)

    def recorded(self, record: Record) -> MatchGame:
        """The game of this match that this is the record of.

        Raises:
            InvalidRecord: the record is of another match.
        """
        fixture, result = self._by_number.get(str(record.id)), record.result
        if fixture is None or result is None:
            raise InvalidRecord(f"game {short_repr(record.id)} is not of this match")
        pace, _, fault = record.comment.partition("\n")
        for what, found, expected in (
            ("rules", record.rules, self.rules),
            ("players", record.names, self._names(fixture)),
            ("opening", record.moves[: len(fixture.opening)], fixture.opening),
            ("time", pace, self._pace),
        ):
            if found != expected:
                raise InvalidRecord(
                    f"game {record.id} is of another match: its {what} would be "
                    f"{short_repr(expected)}, not {short_repr(found)}"
                )
        reason, _, message = fault.partition(": ")
        record = replace(record, comment=message)
        if reason:
            return MatchGame(fixture, PlayedGame(record, reason, 3 - result))
        outcome = record.game().outcome
        if outcome is None or result != (outcome.winner or 0):
            raise InvalidRecord(f"game {record.id}: the result does not follow from the moves")
        return MatchGame(fixture, PlayedGame(record, outcome.termination.value))

    @cached_property
    def _by_number(self) -> dict[str, Fixture]:
        return {str(fixture.number): fixture for fixture in self.fixtures()}

    @property
    def _pace(self) -> str:
        return f"{self.seconds:g} s a move"

    def _names(self, fixture: Fixture) -> tuple[str, str]:
        one, other = fixture.players
        return self.names[one], self.names[other]

    def _player(self, fixture: Fixture, side: int) -> Player:
        """The player on this side, for this game only."""
        _, text = name_and_player(self.players[fixture.players[side]])
        seeds = Random(f"{self.seed} {fixture.number} {side}")
        seed = None if self.seed is None else seeds.getrandbits(63)
        return player_of(text, tolerance=self.tolerance, nodes=self.nodes, seed=seed)

    def _play(self, fixture: Fixture, players: tuple[Player, Player], stopped: Event) -> MatchGame:
        def watch(_: Game) -> None:
            if stopped.is_set():
                raise _Stopped

        with ExitStack() as engines:
            for player in players:
                if isinstance(player, Engine):
                    engines.enter_context(player)
            game = play_game(self.rules, players, self.seconds, fixture.opening, watch=watch)
        return MatchGame(fixture, game)


def name_and_player(text: str) -> tuple[str, str]:
    """The name given to a player, or an empty one, and the level or the command.

    >>> name_and_player("old=./pbrain-x --quick"), name_and_player("./pbrain-x --depth=3")
    (('old', './pbrain-x --quick'), ('', './pbrain-x --depth=3'))
    """
    named = re.fullmatch(r"([\w.+-]{1,40})=(.+)", text, re.DOTALL)
    return (named[1], named[2]) if named else ("", text)
