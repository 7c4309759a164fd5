"""Fair matches between two or more players: openings, games and standings.

Each opening is played from both sides. In a file of openings, each line is an opening in one of two
notations: offsets from the centre of the board, column and row, as Gomocup publishes them,
``8,-3, 6,-4, 5,-4``; or names of cells, the letter of the column and the row counted from 1 at the
top, ``b7d6e6``. c-gomoku-cli calls them "offset" and "pos".
"""

import re
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice
from random import Random
from threading import Event
from typing import NamedTuple

from noughts.engines.elo import Estimate, estimate
from noughts.engines.engine import TOLERANCE
from noughts.engines.played_game import PlayedGame, Player, play_game, player_of
from noughts.engines.program import Program
from noughts.engines.protocol import numbers_of
from noughts.errors import IllegalMove, InvalidRecord, short_repr
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.rules import Rules, as_rules
from noughts.records import Record

Opening = tuple[Cell, ...]  # the first moves of a game


class Fixture(NamedTuple):
    """A scheduled game.

    Attributes:
        number: the number of the game, from 1, in the order in which games start.
        round: the number of the round, from 0. In each round every pair of players plays two games
            with one opening.
        players: the first and the second player, as indices of `Match.players`.
        opening: the moves made before the players think.
    """

    number: int
    round: int
    players: tuple[int, int]
    opening: Opening


class MatchGame(NamedTuple):
    """A finished game of a match."""

    fixture: Fixture
    game: PlayedGame

    @property
    def winner(self) -> int | None:
        """The winner, as an index of `Match.players`; None for a draw."""
        result = self.game.record.result
        return self.fixture.players[result - 1] if result else None


class _Stopped(Exception):
    """The match was stopped."""


@dataclass(frozen=True)
class Match:
    """A match: its rules, players, number of games and limits.

    Attributes:
        rules: `Rules` or their text, for two players; with engines, rules of the Gomocup protocol.
        players: two or more players, each the name of a level, the path of a Python file with an
            agent, or the command of an engine, optionally with a name before it:
            ``old=./pbrain-x``.
        games: number of games per pair of players.
        seconds: time limit for each move.
        openings: used in turn, each for two games with colours swapped; the empty board by default.
            Deterministic engines need many.
        seed: makes the choices of levels repeatable unless the time runs out; None for random ones.
        nodes: as for `noughts.opponent.advise`.
        tolerance: as for `Engine` and `Agent`.

    Raises:
        ValueError: the players cannot play a match with these rules.

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
            raise ValueError(f"a match needs rules for two players, got {self.rules.players}")
        if len(self.players) < 2:
            raise ValueError("a match needs two players or more")
        if not self.openings:
            raise ValueError("a match needs at least one opening")
        for _, player in map(name_and_player, self.players):
            player_of(player).check(self.rules)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the players: programs are named after their files, equal names numbered."""
        named = map(name_and_player, self.players)
        names = [name or player_of(player).name for name, player in named]
        times, seen = Counter(names), Counter[str]()
        for place, name in enumerate(names):
            seen[name] += 1
            names[place] = f"{name} {seen[name]}" if times[name] > 1 else name
        return tuple(names)

    @property
    def count(self) -> int:
        """The total number of games."""
        return self.games * len(self.players) * (len(self.players) - 1) // 2

    def fixtures(self) -> Iterator[Fixture]:
        """Yield all games in order; the first ones are the same in a longer match."""
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
        """Play the games and yield each when it ends.

        Every game has its own processes of engines and agents, which end before the generator does.
        If it is closed before the last game, running games are stopped, which takes up to one move
        of a level.

        Args:
            done: numbers of fixtures to skip.
            jobs: number of games played in parallel. Their engines share the processors.
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
                        if isinstance(player, Program):
                            player.kill()

    def record(self, played: MatchGame) -> Record:
        """Return the record of a game, which `recorded` reads back."""
        fixture, game = played
        fault = f"\n{game.reason}: {game.record.comment}" if game.at_fault else ""
        names, comment = self._names(fixture), self._pace + fault
        return replace(game.record, id=fixture.number, names=names, comment=comment)

    def recorded(self, record: Record) -> MatchGame:
        """Return the game of this match from its record.

        Raises:
            InvalidRecord: the record is from another match.
        """
        fixture, result = self._by_number.get(str(record.id)), record.result
        if fixture is None or result is None:
            raise InvalidRecord(f"game {short_repr(record.id)} is not from this match")
        pace, _, fault = record.comment.partition("\n")
        for what, found, expected in (
            ("rules", record.rules, self.rules),
            ("players", record.names, self._names(fixture)),
            ("opening", record.moves[: len(fixture.opening)], fixture.opening),
            ("time", pace, self._pace),
        ):
            if found != expected:
                raise InvalidRecord(
                    f"game {record.id} is from another match: expected {what} "
                    f"{short_repr(expected)}, got {short_repr(found)}"
                )
        reason, _, message = fault.partition(": ")
        record = replace(record, comment=message)
        if reason:
            return MatchGame(fixture, PlayedGame(record, reason, 3 - result))
        outcome = record.game().outcome
        if outcome is None or result != (outcome.winner or 0):
            raise InvalidRecord(f"game {record.id}: the result does not match the moves")
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
        _, text = name_and_player(self.players[fixture.players[side]])
        seeds = Random(f"{self.seed} {fixture.number} {side}")
        seed = None if self.seed is None else seeds.getrandbits(63)
        return player_of(text, tolerance=self.tolerance, nodes=self.nodes, seed=seed)

    def _play(self, fixture: Fixture, players: tuple[Player, Player], stopped: Event) -> MatchGame:
        def watch(_: Game) -> None:
            if stopped.is_set():
                raise _Stopped

        with ExitStack() as programs:
            for player in players:
                if isinstance(player, Program):
                    programs.enter_context(player)
            game = play_game(self.rules, players, self.seconds, fixture.opening, watch=watch)
        return MatchGame(fixture, game)


def name_and_player(text: str) -> tuple[str, str]:
    """Split a player into the name given, or an empty one, and the level or command.

    >>> name_and_player("old=./pbrain-x --quick"), name_and_player("./pbrain-x --depth=3")
    (('old', './pbrain-x --quick'), ('', './pbrain-x --depth=3'))
    """
    named = re.fullmatch(r"([\w.+-]{1,40})=(.+)", text, re.DOTALL)
    return (named[1], named[2]) if named else ("", text)


def read_openings(lines: Iterable[str], source: str, rules: Rules | str) -> tuple[Opening, ...]:
    """Read openings from the lines of a file; empty lines are skipped.

    Raises:
        InvalidRecord: a line is not an opening, or its moves are illegal or end the game; the file
            has no openings; or the board is not two-dimensional.

    >>> read_openings(["0,0, 1,-1", "a1b2"], "x.txt", Rules.gomoku())
    (((7, 7), (6, 8)), ((0, 0), (1, 1)))
    """
    rules, openings = as_rules(rules), []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            opening = _opening(line.strip(), rules)
            game = Game.replay(rules, opening)
        except (InvalidRecord, IllegalMove) as error:
            raise InvalidRecord(str(error), source, number) from None
        if game.outcome is not None:
            raise InvalidRecord("the opening ends the game", source, number)
        openings.append(opening)
    if not openings:
        raise InvalidRecord("the file has no openings", source)
    return tuple(openings)


def _opening(text: str, rules: Rules) -> Opening:
    if len(rules.shape) != 2:
        raise InvalidRecord(f"openings need a board of two dimensions, got {len(rules.shape)}")
    if re.fullmatch(r"([a-z][0-9]{1,3})+", text):
        cells = re.findall(r"([a-z])([0-9]+)", text)
        return tuple((int(row) - 1, ord(column) - ord("a")) for column, row in cells)
    offsets = numbers_of(text)
    if offsets is None or len(offsets) % 2:
        raise InvalidRecord(
            f"expected an opening such as 8,-3, 6,-4 or h8h9, got {short_repr(text)}"
        )
    rows, columns = rules.shape
    pairs = zip(offsets[::2], offsets[1::2], strict=True)
    return tuple((rows // 2 + down, columns // 2 + right) for right, down in pairs)


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of a player in a match.

    Attributes:
        name: the player's name.
        wins, draws, losses: numbers of games.
        faults: the number of games that the player lost by each kind of fault.
        elo: the Elo difference from the average of its opponents; None before the first game.
    """

    name: str
    wins: int
    draws: int
    losses: int
    faults: Counter[str]
    elo: Estimate | None

    @property
    def games(self) -> int:
        """The number of games that the player has played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """One for each win and a half for each draw."""
        return self.wins + self.draws / 2


def standings(names: Sequence[str], played: Iterable[MatchGame]) -> list[Standing]:
    """Return the standings of the players, the largest share of the points first."""
    results: list[Counter[float]] = [Counter() for _ in names]
    faults: list[Counter[str]] = [Counter() for _ in names]
    pairs: list[dict[tuple[int, int], tuple[float, int]]] = [{} for _ in names]
    for game in played:
        for player, other in (game.fixture.players, game.fixture.players[::-1]):
            points = 0.5 if game.winner is None else float(game.winner == player)
            results[player][points] += 1
            so_far, count = pairs[player].get((game.fixture.round, other), (0.0, 0))
            pairs[player][game.fixture.round, other] = so_far + points, count + 1
        if game.game.at_fault:
            faults[game.fixture.players[game.game.at_fault - 1]][game.game.reason] += 1
    found = [
        Standing(name, counts[1], counts[0.5], counts[0], fault, estimate(of_pairs.values()))
        for name, counts, fault, of_pairs in zip(names, results, faults, pairs, strict=True)
    ]
    return sorted(found, key=lambda standing: -standing.points / (standing.games or 1))


def pair_counts(played: Iterable[MatchGame]) -> list[int]:
    """Count the pairs of games in which the first of two players got 0, ½, 1, 1½ and 2 points.

    Unfinished pairs are ignored.
    """
    pairs: dict[int, list[float]] = {}
    for game in played:
        points = 0.5 if game.winner is None else float(game.winner == 0)
        pairs.setdefault(game.fixture.round, []).append(points)
    counts = Counter(2 * sum(pair) for pair in pairs.values() if len(pair) == 2)
    return [counts[halves] for halves in range(5)]
