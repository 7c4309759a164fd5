"""Elo differences with confidence intervals, and a test that can end a match early.

A difference of d Elo means that 1 / (1 + 10^(−d / 400)) of the points are expected.

Two games from one opening, with colours swapped, are not independent: if the opening favours one
colour, each player wins one game. Therefore pairs of games are counted, as in fishtest.

The test is the generalized sequential probability ratio test (GSPRT) of a difference of `elo0`
against one of `elo1`: the ratio of the likelihoods of the results under the likeliest distributions
with these expectations. (A. Wald, *Sequential tests of statistical hypotheses*, 1945;
M. Van den Bergh, *The support of MLE multinomials*,
https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1.)
"""

from collections.abc import Iterable, Sequence
from math import inf, log, log10, pow, sqrt
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95

BOUND = log(CONFIDENCE / (1 - CONFIDENCE))
"""The test accepts at this log likelihood ratio and rejects at its negative.

Each decision is wrong in one of twenty matches."""

NEVER = 1e-3  # the count of a result that has not occurred, as in fishtest


class Estimate(NamedTuple):
    """An Elo difference and its 95% confidence interval."""

    elo: float
    low: float
    high: float


def score_of(elo: float) -> float:
    """Return the expected share of the points of a player who is stronger by this difference.

    >>> round(score_of(100), 2)
    0.64
    """
    return 1 / (1 + pow(10, -elo / 400))


def elo_of(score: float) -> float:
    """Return the Elo difference for an expected share of the points; infinite for 0 and 1.

    >>> elo_of(0.5), round(elo_of(0.75)), elo_of(1)
    (0.0, 191, inf)
    """
    if not 0 < score < 1:
        return inf if score > 0 else -inf
    return 400 * log10(score / (1 - score))


def estimate(pairs: Iterable[tuple[float, int]]) -> Estimate | None:
    """Return the likeliest Elo difference after these results, or None without any.

    The interval uses the normal approximation. If all n pairs have the same result, it would be
    empty; it then allows for other results with a total probability of 1 − 0.05^(1/n), all of which
    n pairs miss with a probability of 5%.

    Args:
        pairs: the points and the number of games, one or two, of each pair of games.
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
    """Return the logarithm of the likelihood ratio of `elo1` against `elo0`; see the module.

    Args:
        counts: the number of times that each result occurred, from none of the points to all of
            them in equal steps: three counts for single games, five for pairs of games.

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
    """Find x such that Σ count · step / (1 + x · step) is 0; the sum falls as x grows."""
    low, high = -1 / steps[-1], -1 / steps[0]
    for _ in range(100):
        middle = (low + high) / 2
        if sum(n * step / (1 + middle * step) for n, step in zip(counts, steps, strict=True)) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
