"""The lesson counts the same reads and writes as `noughts.referee`, in the same order."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, SupportsIndex

import pytest
from playwright.sync_api import Browser, Page

from noughts.referee import BoardScan, PlayerTallies, SignedSums
from page.browsing import visiting
from service.serving import Server

Cell = tuple[int, int]
Access = list[int]  # index of the number, and 1 for a write
NAMES = ("scan", "tallies", "sums")
EXAMPLE = Path(__file__).parents[2] / "examples/calls.json"


class Numbers(list[int]):
    """A list that logs every access to its numbers, which are `first`, `first + step`, …"""

    def __init__(self, numbers: list[int], log: list[Access], first: int, step: int = 1) -> None:
        super().__init__(numbers)
        self._log, self._first, self._step = log, first, step

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        places = range(len(self))[at]
        for place in places if isinstance(places, range) else [places]:
            self._log.append([self._first + self._step * place, 0])
        return super().__getitem__(at)

    def __setitem__(self, at: Any, number: Any) -> None:
        self._log.append([self._first + self._step * at, 1])
        super().__setitem__(at, number)

    def __iter__(self) -> Iterator[int]:
        return (self[at] for at in range(len(self)))


class Sums(SignedSums):
    """Signed sums that also log every access to the diagonals."""

    def __init__(self, n: int, log: list[Access]) -> None:
        self._diagonals = Numbers([0, 0], log, 2 * n)
        super().__init__(n)
        self.rows, self.cols = Numbers(self.rows, log, 0), Numbers(self.cols, log, n)
        log.clear()

    @property
    def diagonal(self) -> int:
        """The sum of the diagonal."""
        return int(self._diagonals[0])

    @diagonal.setter
    def diagonal(self, number: int) -> None:
        self._diagonals[0] = number

    @property
    def anti_diagonal(self) -> int:
        """The sum of the anti-diagonal."""
        return int(self._diagonals[1])

    @anti_diagonal.setter
    def anti_diagonal(self, number: int) -> None:
        self._diagonals[1] = number


def watched(name: str, n: int, log: list[Access]) -> BoardScan | PlayerTallies | SignedSums:
    """Return a referee that logs every access to its numbers."""
    if name == "sums":
        return Sums(n, log)
    if name == "scan":
        scan = BoardScan(n)
        scan.board = [Numbers(row, log, n * at) for at, row in enumerate(scan.board)]
        return scan
    tallies, lines = PlayerTallies(n), 2 * n + 2
    tallies.rows = [Numbers(own, log, lines * at) for at, own in enumerate(tallies.rows)]
    tallies.cols = [Numbers(own, log, lines * at + n) for at, own in enumerate(tallies.cols)]
    tallies.diagonal = Numbers(tallies.diagonal, log, 2 * n, lines)
    tallies.anti_diagonal = Numbers(tallies.anti_diagonal, log, 2 * n + 1, lines)
    return tallies


def followed(name: str, n: int, moves: list[Cell]) -> Iterator[tuple[list[Access], int]]:
    """Yield the accesses and the answer of a referee for each move, until a player wins."""
    log: list[Access] = []
    referee = watched(name, n, log)
    for ply, (row, col) in enumerate(moves):
        won = referee.move(row, col, ply % 2 + 1)
        yield [*log], won
        log.clear()
        if won:
            return


def numbers(name: str, n: int, moves: list[Cell]) -> list[int]:
    """Return every number that a referee stores after these moves, in the lesson's order."""
    referee = {"scan": BoardScan, "tallies": PlayerTallies, "sums": SignedSums}[name](n)
    for ply, (row, col) in enumerate(moves):
        referee.move(row, col, ply % 2 + 1)
    if isinstance(referee, BoardScan):
        return [mark for row in referee.board for mark in row]
    if isinstance(referee, SignedSums):
        return [*referee.rows, *referee.cols, referee.diagonal, referee.anti_diagonal]
    of_players = zip(
        referee.rows, referee.cols, referee.diagonal, referee.anti_diagonal, strict=True
    )
    return [tally for rows, cols, *both in of_players for tally in (*rows, *cols, *both)]


@pytest.fixture(scope="module")
def page(browser: Browser, page_server: Server) -> Iterator[Page]:
    """Return a page on which modules can be imported."""
    with visiting(browser, page_server) as people:
        yield people.come("/docs")


FOLLOW = """async ([name, n, moves]) => {
  const { REFEREES } = await import("/page/learn/counted.js");
  const referee = new REFEREES[name](n);
  const { kept } = referee;
  const steps = [];
  for (const [ply, cell] of moves.entries()) {
    const [reads, writes] = [kept.reads, kept.writes];
    kept.log = [];
    const won = referee.move(cell, ply % 2 + 1);
    const log = kept.log.map(({ at, writes }) => [at, Number(writes)]);
    steps.push([log, won, kept.reads - reads, kept.writes - writes]);
    if (won) break;
  }
  return [steps, [...kept.numbers]];
}"""


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", range(2, 11))
def test_every_access_matches_python_referee(page: Page, name: str, n: int) -> None:
    chance = Random(n)
    for _ in range(40 if n < 5 else 8):
        moves = [(row, col) for row in range(n) for col in range(n)]
        chance.shuffle(moves)
        steps, kept = page.evaluate(FOLLOW, [name, n, moves])
        assert kept == numbers(name, n, moves[: len(steps)])
        for (log, won, reads, writes), expected in zip(
            steps, followed(name, n, moves), strict=True
        ):
            assert (log, won) == expected
            assert writes == sum(writing for _, writing in log)
            assert reads == len(log) - writes


def test_ready_games_match_documentation(page: Page) -> None:
    """Compare the worked example with the documentation, and check the four lines."""
    worked, four = page.evaluate(
        """async () => {
          const { FOUR_LINES, WORKED, wonLines } = await import("/page/learn/games.js");
          return [WORKED, FOUR_LINES].map((game) => ({ ...game, won: wonLines(game) }));
        }"""
    )
    (n,), *calls = json.loads(EXAMPLE.read_text().splitlines()[1])
    assert [*worked["moves"][0], 1] == calls[0]
    assert [cell for *cell, _ in calls] == worked["moves"]
    assert (worked["n"], worked["won"]) == (n, [2])
    assert four["won"] == [3, 7 + 3, 14, 15]  # row 4, column D, both diagonals
    for game in (worked, four):
        verdicts = [won for _, won in followed("sums", game["n"], game["moves"])]
        assert verdicts == [0] * (len(game["moves"]) - 1) + [1]


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("n", [3, 4, 10, 41, 100])
def test_race_counts_accesses_of_real_games(page: Page, n: int) -> None:
    result, moves = page.evaluate(
        """async (n) => {
          const { race } = await import("/page/learn/racing.js");
          const { shuffled } = await import("/page/learn/games.js");
          return [race(n, 1), shuffled(n, 1)];
        }""",
        n,
    )
    assert sorted(moves) == [[row, col] for row in range(n) for col in range(n)]
    for name in NAMES:
        logs = [log for log, _ in followed(name, n, moves)]
        assert result["moves"] == len(logs)
        assert result["reads"][name] == sum(1 - writes for log in logs for _, writes in log)
