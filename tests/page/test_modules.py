"""The page's own calculations agree with the package's."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from noughts import Game, Rules, TicTacToe
from noughts.opponent import potential
from noughts.opponent.exact.position import Position
from noughts.picture import cell_name
from page.browsing import visiting
from service.serving import Server

BOARDS = [((2, 2), 2), ((3, 3), 3), ((4, 4), 4), ((7, 7), 4), ((5, 6), 4), ((2, 9), 3), ((6, 6), 1)]
RULES = [
    *(Rules(shape, k) for shape, k in BOARDS),
    Rules.connect_four(),
    Rules((3, 3), variant="misere"),
    Rules((4, 9), 3, variant="standard"),
    Rules((4, 9), 3, gravity=True, variant="caro"),
    Rules((9, 9), 5, variant="renju"),
]


@pytest.fixture(scope="module")
def page(browser: Browser, page_server: Server) -> Iterator[Page]:
    """Return a page on which modules can be imported."""
    with visiting(browser, page_server) as people:
        yield people.come("/docs")


def games(rules: Rules) -> list[Game]:
    """Return three random games at every length."""
    chance = random.Random(repr(rules))
    found = []
    for _ in range(3):
        game = Game(rules)
        found.append(game.copy())
        while game.outcome is None:
            game.play(chance.choice(list(game.legal_moves)))
            found.append(game.copy())
    return found


def sent(rules: Rules) -> dict[str, Any]:
    """Return the rules as the API sends them."""
    return {name: getattr(rules, name) for name in ("shape", "k", "gravity", "variant")}


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_analysis_matches_python(page: Page, rules: Rules) -> None:
    positions, k = games(rules), rules.k
    found: list[dict[str, Any]] = page.evaluate(
        """async ([rules, games]) => {
          const { analyse } = await import("/page/game/referee.js");
          return games.map((moves) => {
            const { live, potential, threats, weights, attacker } = analyse(rules, moves);
            return {
              live,
              attacker,
              potential: potential.map(String),
              threats: threats.map((cells) => cells && [...cells]),
              weights: [...weights],
            };
          });
        }""",
        [sent(rules), [game.history for game in positions]],
    )
    for game, seen in zip(positions, found, strict=True):
        for player in (1, 2):
            assert seen["live"][player] == game.live_lines(player)
            assert int(seen["potential"][player]) == potential(game, player) * 2**k
        if game.outcome is None:
            for player in (1, 2):
                threats = {row * rules.shape[1] + col for row, col in game.threats(player)}
                assert set(seen["threats"][player]) == threats
            assert seen["attacker"] == 3 - game.turn
            position = Position(game)
            weights = position.weights(seen["attacker"])
            for cell in position.empty:
                assert seen["weights"][cell] * 2**k == weights[cell]


def test_variant_with_uncounted_lines_claims_no_threats(page: Page) -> None:
    """Claim nothing, because the page does not know which lines count."""
    shown = page.evaluate(
        """async () => {
          const { VARIANTS } = await import("/page/shared/client_constants.js");
          const { observe } = await import("/page/game/referee.js");
          VARIANTS.some = { ...VARIANTS.freestyle, counts: true };
          return ["freestyle", "some"].map((variant) => {
            const rules = { shape: [3, 3], k: 3, gravity: false, variant };
            const { threats, proves } = observe(rules, [[0, 0], [1, 0], [0, 1], [1, 1]], false);
            return [threats[1].size, threats[2].size, proves];
          });
        }"""
    )
    assert shown == [[1, 1, True], [0, 0, False]]


def test_signed_sums_match_python(page: Page) -> None:
    for n in (2, 3, 4, 5):
        for game in games(Rules.square(n)):
            referee = TicTacToe(n)
            for ply, (row, col) in enumerate(game.history):
                referee.move(row, col, ply % 2 + 1)
            sums = page.evaluate(
                """async ([n, moves]) =>
                  (await import("/page/game/referee.js")).signedSums(n, moves)""",
                [n, game.history],
            )
            assert sums["rows"] == list(referee.rows)
            assert sums["cols"] == list(referee.cols)
            assert sums["diagonal"] == referee.diagonal
            assert sums["antiDiagonal"] == referee.anti_diagonal


def test_cell_names_match_python(page: Page) -> None:
    cells = [(row, col) for row in (0, 9, 99) for col in range(100)]
    names = page.evaluate(
        """async (cells) => {
          const { cellName } = await import("/page/shared/names.js");
          return cells.map(cellName);
        }""",
        cells,
    )
    assert names == [cell_name(cell) for cell in cells]


def test_slow_correct_solution_links_to_race(page: Page) -> None:
    words = ["O(1)  50 ns", "O(n)  12 ns × n", "O(n²)  2 ns × n²", "not clear"]
    hints = page.evaluate(
        """async (all) => {
            const { slowness } = await import("/page/learn/verdict.js");
            const costs = (words) => [{ name: "time per move", words, points: [] }];
            return all.map((words) => slowness(costs(words)).length);
        }""",
        words,
    )
    assert hints == [0, 1, 1, 0]


def test_fold_applies_events_in_order(page: Page) -> None:
    """Ignore old events, detect gaps and shorten the game on a takeback."""
    folded = page.evaluate(
        """async () => {
          const { fold } = await import("/page/game/fold.js");
          const players = [{ name: "Ada", joined: true }, { name: null, joined: false }];
          const waiting = { seq: 1, turn: null, moves: [], offer: null, players };
          const begun = { seq: 2, kind: "joined", seat: 2, name: "Bo", turn: 1 };
          const moved = { seq: 3, kind: "move", seat: 1, cell: [1, 1], turn: 2 };
          const offered = { seq: 4, kind: "offer", seat: 1, offer: 1 };
          const back = { seq: 5, kind: "takeback", seat: 2, ply: 0, turn: 1, offer: null };
          const states = [begun, moved, offered, back].reduce(
            (states, event) => [...states, fold(states.at(-1), event)], [waiting]);
          return {
            names: states[1].players.map(({ name }) => name),
            moves: states.map(({ moves }) => moves.length),
            offers: states.map(({ offer }) => offer),
            turns: states.map(({ turn }) => turn),
            old: fold(states[3], moved) === states[3],
            gap: fold(waiting, moved),
          };
        }"""
    )
    assert folded == {
        "names": ["Ada", "Bo"],
        "moves": [0, 0, 1, 1, 0],
        "offers": [None, None, None, 1, None],
        "turns": [None, 1, 2, 2, 1],
        "old": True,
        "gap": None,
    }


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ({"turn": 1}, "Ada to move."),
        ({"moves": [[0, 0]]}, "X plays A1. Your turn."),
        ({"moves": [[0, 0]], "offer": 1}, "X plays A1. Ada asks to take back a move. Your turn."),
        ({"draw": 1}, "Ada offers a draw. Your turn."),
        ({"draw": 2}, "Your turn."),
        (
            {"status": "resigned", "termination": "resignation", "winner": 2, "turn": None},
            "You win by resignation.",
        ),
    ],
)
def test_news_describes_whole_state(page: Page, then: dict[str, Any], said: str) -> None:
    players = [{"name": name, "kind": "human", "joined": True} for name in ("Ada", "Bo")]
    before: dict[str, Any] = {
        "opponent": "friend",
        "status": "playing",
        "players": players,
        "winner": None,
    }
    before |= {"moves": [], "turn": 2, "offer": None, "draw": None}
    news = """async ([before, state]) =>
      (await import("/page/shared/messages.js")).news(before, state, [2])"""
    assert page.evaluate(news, [before, before | then]) == said
