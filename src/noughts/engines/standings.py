"""The standings of a match."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from noughts.engines.elo import Estimate, estimate
from noughts.engines.match import MatchGame


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of a player.

    Attributes:
        name: the player's.
        wins, draws, losses: how many games ended that way.
        faults: how many games the player lost by each kind of fault.
        elo: how much stronger it is than the average of its opponents; None before the first game.
    """

    name: str
    wins: int
    draws: int
    losses: int
    faults: Counter[str]
    elo: Estimate | None

    @property
    def games(self) -> int:
        """How many games the player has played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """One for each win and a half for each draw."""
        return self.wins + self.draws / 2


def standings(names: Sequence[str], played: Iterable[MatchGame]) -> list[Standing]:
    """The results of the players with these names; the largest share of the points comes first."""
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
    """How often the first of two players got 0, ½, 1, 1½ and 2 points from both games of a pair.

    Pairs with a game still to be played are left out.
    """
    pairs: dict[int, list[float]] = {}
    for game in played:
        points = 0.5 if game.winner is None else float(game.winner == 0)
        pairs.setdefault(game.fixture.round, []).append(points)
    counts = Counter(2 * sum(pair) for pair in pairs.values() if len(pair) == 2)
    return [counts[halves] for halves in range(5)]
