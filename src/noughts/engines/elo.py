"""How much stronger one player is than another: Elo, its error, and a test that ends a match early.

A difference of d Elo means that 1 / (1 + 10^(−d / 400)) of the points are expected.

Two games from one opening, with colours swapped, are not independent: an opening that is good for
one colour wins one game for each player. So such pairs of games are counted, as fishtest does.

The test is the generalized sequential probability ratio test (GSPRT) of "the difference is `elo0`"
against "it is `elo1`": the ratio of the likelihoods of the results under the likeliest
distributions with these expectations. (A. Wald, *Sequential tests of statistical hypotheses*, 1945;
M. Van den Bergh, *The support of MLE multinomials*,
https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1.)
"""

from collections.abc import Iterable, Sequence
from math import inf, log, log10, pow, sqrt
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95

BOUND = log(CONFIDENCE / (1 - CONFIDENCE))
"""The test accepts from this log likelihood ratio on, and rejects from minus this.

Either answer is wrong in one of twenty matches."""

NEVER = 1e-3
"""How often a result counts that has not occurred, as in fishtest."""


class Estimate(NamedTuple):
    """An Elo difference and the interval in which it lies with a confidence of 95 %."""

    elo: float
    low: float
    high: float


def score_of(elo: float) -> float:
    """The share of the points expected of a player who is stronger by this difference.

    >>> round(score_of(100), 2)
    0.64
    """
    return 1 / (1 + pow(10, -elo / 400))


def elo_of(score: float) -> float:
    """The Elo difference at which this share of the points is expected; infinite for 0 and 1.

    >>> elo_of(0.5), round(elo_of(0.75)), elo_of(1)
    (0.0, 191, inf)
    """
    if not 0 < score < 1:
        return inf if score > 0 else -inf
    return 400 * log10(score / (1 - score))


def estimate(pairs: Iterable[tuple[float, int]]) -> Estimate | None:
    """The likeliest Elo difference after these results; None without any.

    The interval is that of the normal approximation. If all n pairs ended alike it would be empty;
    then it allows for other results with a total probability of 1 − 0.05^(1/n), which n pairs miss
    with a probability of 5 %. `pairs` has the points and the number of games, one or two, of each
    pair of games.
    """
    results = list(pairs)
    games = sum(count for _, count in results)
    if not games:
        return None
    score = sum(points for points, _ in results) / games
    error = sqrt(sum((points - score * count) ** 2 for points, count in results)) / games
    if error:
        error *= NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        low, high = score - error, score + error
    else:
        unseen = 1 - (1 - CONFIDENCE) ** (1 / len(results))
        low, high = score * (1 - unseen), score * (1 - unseen) + unseen
    return Estimate(elo_of(score), elo_of(low), elo_of(high))


def log_likelihood_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """The logarithm of the likelihood ratio of `elo1` against `elo0`; see the module.

    Args:
        counts: how often each result occurred, from none of the points to all of them in equal
            steps: three counts for single games, five for pairs of games.

    >>> round(log_likelihood_ratio([2, 10, 30, 20, 8], 0, 50), 2)
    3.58
    """
    counts = [count or NEVER for count in counts]
    tilts: list[list[float]] = []
    for score in map(score_of, (elo0, elo1)):
        steps = [result / (len(counts) - 1) - score for result in range(len(counts))]
        tilt = _tilt(counts, steps)
        tilts.append([1 + tilt * step for step in steps])
    total: float = sum(n * log(one / other) for n, one, other in zip(counts, *tilts, strict=True))
    return total


def _tilt(counts: Sequence[float], steps: Sequence[float]) -> float:
    """The x at which Σ count · step / (1 + x · step) is 0; that sum falls as x grows."""
    low, high = -1 / steps[-1], -1 / steps[0]
    for _ in range(100):
        middle = (low + high) / 2
        if sum(n * step / (1 + middle * step) for n, step in zip(counts, steps, strict=True)) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
