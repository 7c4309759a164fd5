"""The book of Connect Four, compared with search, theory and itself."""

from __future__ import annotations

import zlib
from pathlib import Path
from random import Random

import pytest

from lab.train import bookmaker
from lab.train.bookmaker import check, positions
from noughts import Game, Rules
from noughts.opponent import advise, solve
from noughts.opponent.exact.book import FILE, PLIES, RULES, in_book, place_of, winner_in
from noughts.opponent.exact.solver import Solver

pytestmark = pytest.mark.compiled("noughts.opponent.exact._columns")


@pytest.mark.tier2("long")
def test_make_continues_an_unfinished_book(tmp_path: Path) -> None:
    whole = zlib.decompress(FILE.read_bytes())
    left = bytearray(whole)
    for plies in range(PLIES):  # derived from the longest
        for history in positions(plies):
            left[place_of(history)] = 0
    left[place_of(positions(PLIES)[-1])] = 0
    unfinished = tmp_path / "unfinished.book"
    unfinished.write_bytes(zlib.compress(left))
    bookmaker.make(unfinished)
    assert zlib.decompress(unfinished.read_bytes()) == whole


@pytest.mark.parametrize(("winner", "code"), [(1, 1), (None, 0)])
def test_command_checks_the_book(
    winner: int | None,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if winner is not None:  # of every position
        monkeypatch.setattr(bookmaker, "winner_in", lambda history: 3)
    monkeypatch.setattr("sys.argv", ["bookmaker", "--check", "1"])
    if code:
        with pytest.raises(SystemExit, match="1"):
            bookmaker.main()
        assert "1 of 1 positions have a different value" in capsys.readouterr().err
    else:
        bookmaker.main()
        assert capsys.readouterr().out == "1 positions have the same value\n"


def opening(random: Random, plies: int) -> Game:
    game = Game(RULES)
    while game.ply < plies:
        if game.outcome:
            game = Game(RULES)
        game.play(random.choice(list(game.legal_moves)))
    return opening(random, plies) if game.outcome else game


def test_book_agrees_with_search() -> None:
    assert check(5, seed=1) == 0


def test_first_moves_agree_with_theory() -> None:
    """See L. V. Allis, A knowledge-based approach of Connect-Four, 1988."""
    assert list(Solver(RULES).values(Game(RULES)).values()) == [-1, -1, 0, 1, 0, -1, -1]
    assert (solve(RULES).value, solve(RULES).best, solve(RULES).nodes) == (1, (5, 3), 0)


@pytest.mark.parametrize("plies", range(PLIES))
def test_position_has_the_value_of_its_best_reply(plies: int) -> None:
    solver, random = Solver(RULES), Random(plies)
    for _ in range(5):
        game = opening(random, plies)
        value = solver.solve(game).value
        assert value == max(found for found in solver.values(game).values() if found is not None)
        assert winner_in(game.history) == {1: game.turn, 0: 0, -1: 3 - game.turn}[value]


def test_book_contains_all_early_positions_of_one_game() -> None:
    assert [len(positions(plies)) for plies in range(5)] == [1, 4, 25, 121, 568]
    assert {winner_in(history) for plies in range(6) for history in positions(plies)} == {0, 1, 2}
    assert in_book(RULES, PLIES)
    assert in_book(Rules((6, 7), 4, early_draw=True, gravity=True), 0)
    assert not in_book(RULES, PLIES + 1)
    for other in (Rules((6, 7), 4), Rules((6, 7), 5, gravity=True), Rules((7, 6), 4, gravity=True)):
        assert not in_book(other, 0)


def test_strong_keeps_the_value_in_the_book() -> None:
    solver, random = Solver(RULES), Random(7)
    for plies in range(PLIES):
        game = opening(random, plies)
        value = solver.solve(game).value
        advice = advise(game, seconds=0.2, seed=plies)
        assert (advice.value, advice.proof) == (value, "search")
        game.play(advice.cell)
        assert value == -(solver.solve(game).value or 0)
