"""No state of the page is a dead end: opponent away, offline, late answers or double clicks.

Moves are tested in test_connection.py; presence and cancelled rematches in test_live.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from page.browsing import People, cell, cut_off, make, play, standing, start, visiting
from service.serving import Seat, Server, created, speaking_to, two_friends

ACTIONS = re.compile(r"/api/games/[^/]+/(abort|draw|join|rematch|resign|takeback)$")
EVENTS = re.compile(r"/events$")
ANSWERED = r"status of 4\d\d|net::ERR_"  # messages that these tests cause
MOVED_ON = "The game has moved on. Check the board and try again."
NO_CONNECTION = "No connection. Please try again."


@pytest.fixture(scope="module")
def person(browser: Browser, page_server: Server) -> Iterator[tuple[People, Page]]:
    """Yield one person, with one page, for all tests here."""
    with visiting(browser, page_server) as people:
        people.expected.append(ANSWERED)
        yield people, people.come("/docs")


@pytest.fixture
def page(person: tuple[People, Page]) -> Iterator[Page]:
    """Yield the page of that person and check at the end that nothing went wrong."""
    people, page = person
    yield page
    page.unroute_all()
    page.context.set_offline(False)
    for tab in page.context.pages[1:]:
        tab.close()
    assert not people.unexpected()


@pytest.fixture(scope="module")
def client(page_server: Server) -> Iterator[httpx.Client]:
    """Yield a client that plays for the opponent and reads the server's state."""
    with speaking_to(page_server) as client:
        yield client


# How each state is reached; the other player does not have the game open.

Begin = Callable[[Page, httpx.Client], Seat]


def hosting(page: Page, client: httpx.Client) -> Seat:
    """Wait for a friend."""
    made = make(page, name="Ada")
    page.goto(f"/g/{made['id']}")
    return Seat(client, made["id"], made["token"], made["invite"])


def invited(page: Page, client: httpx.Client) -> Seat:
    """Open an invitation, in a browser that has never played."""
    bo = created(client, name="Bo", seat=2)
    page.context.clear_cookies()
    page.goto(f"/g/{bo.id}#{bo.invite}")
    return bo


def playing(*acts: str) -> Begin:
    """Play with a friend after these acts: "Ada A1" is a move, "Bo draw" another action."""

    def begin(page: Page, client: httpx.Client) -> Seat:
        made = make(page, name="Ada")
        ada = Seat(client, made["id"], made["token"], made["invite"])
        seats = {"Ada": ada, "Bo": ada.join(name="Bo")}
        for who, what in map(str.split, acts):
            if what.isupper():
                done = seats[who].move(int(what[1]) - 1, "ABC".index(what[0]))
            else:
                done = seats[who].post(what) if what == "rematch" else seats[who].act(what)
            assert done.is_success, done.text
        page.goto(f"/g/{ada.id}")
        return seats["Bo"]

    return begin


def alone(opponent: str, *cells: tuple[int, int]) -> Begin:
    """Play on one device or against the computer, after these moves."""

    def begin(page: Page, client: httpx.Client) -> Seat:
        made = make(page, opponent=opponent, level="random")
        seat = Seat(client, made["id"], made["token"])
        for one in cells:
            seat.move(*one)
        page.goto(f"/g/{seat.id}")
        return seat

    return begin


# What a player does in a state, and how they go on.


class Do(Protocol):
    """An action, which may take several clicks."""

    def __call__(self, page: Page, clicks: int = 1) -> None: ...


def press(name: str) -> Do:
    """Return the action of pressing the button with this name."""
    return lambda page, clicks=1: page.get_by_role("button", name=name, exact=True).click(
        click_count=clicks
    )


def resign(page: Page, clicks: int = 1) -> None:
    """Resign."""
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click(click_count=clicks)


def resigns(page: Page) -> None:
    """Check that the player can resign."""
    resign(page)
    expect(standing(page)).to_have_text(re.compile("wins by resignation"))


def plays(page: Page) -> None:
    """Check that the player can play."""
    play(page, (3, 3))


def leaves(page: Page) -> None:
    """Check that the player can go to another game."""
    page.get_by_role("link", name="New game").click(trial=True)


def replays(page: Page) -> None:
    """Check that the player can play again."""
    page.get_by_role("button", name="Rematch").click()
    expect(standing(page)).to_have_text(re.compile("Waiting for|to move"))


def closes(page: Page) -> None:
    """Check that the player can leave the review and play again."""
    press("Done")(page)
    replays(page)


# The conditions.

Condition = Callable[[Page, "State"], None]


def gone(page: Page, state: State) -> None:
    """Act while the opponent is away, then leave and return."""
    state.do(page)
    expect(page.get_by_text(state.told).first).to_be_visible()
    page.reload()


def offline(page: Page, state: State) -> None:
    """Act without a network, and again once it is back."""
    expect(page.get_by_role("button", name="Help")).to_be_enabled()
    cut_off(page)
    state.do(page)
    expect(page.locator("#problem")).to_have_text(NO_CONNECTION)
    page.context.set_offline(False)
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#problem")).to_be_hidden()
    state.do(page)


def late(page: Page, state: State) -> None:
    """Receive the event long before the answer, which is lost."""

    def lose(route: Route) -> None:
        route.fetch()
        expect(page.get_by_text(state.pending or state.told).first).to_be_visible()
        route.abort("connectionreset")

    page.route(ACTIONS, lose, times=1)
    state.do(page)


def twice(page: Page, state: State) -> None:
    """Double-click, then repeat the action in a tab that missed the event."""
    tab = page.context.new_page()
    streams: list[Route] = []
    tab.route(EVENTS, lambda route: streams.append(route))
    tab.goto(page.url)
    expect(tab.get_by_role("button", name="Help")).to_be_enabled()
    state.do(page, 2)
    expect(page.get_by_text(state.told).first).to_be_visible()
    state.do(tab)
    for route in streams:
        route.continue_()
    truthful(tab, state.told, problems=("", MOVED_ON))


def truthful(page: Page, told: str, problems: tuple[str, ...] = ("",)) -> None:
    """Check that the page shows the current state, in plain words, and waits for nothing."""
    expect(page.get_by_text(told).first).to_be_visible()
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert page.locator("#problem").inner_text() in problems
    assert '{"' not in page.inner_text("body")


# The states.


@dataclass(frozen=True)
class State:
    """A state of the page and a way out of it.

    Attributes:
        begin: how the state is reached.
        do: what the player does there.
        told: what the page shows afterwards.
        known: the server's state afterwards; `seq` shows that the action was done once.
        then: what the player can do next.
        under: the conditions to test, where the code differs from other states.
        pending: what the page shows until the answer arrives; "" for the same as `told`.
    """

    begin: Begin
    do: Do
    told: str
    known: dict[str, Any]
    then: Callable[[Page], None]
    under: tuple[Condition, ...]
    pending: str = ""


STATES = {
    "waiting for a friend": State(
        hosting,
        press("Cancel the game"),
        "The game was cancelled",
        {"status": "aborted", "seq": 1},
        leaves,
        (gone,),
    ),
    "invitation open": State(
        invited,
        press("Join the game"),
        "Your turn",
        {"status": "playing", "seq": 1},
        plays,
        (offline, late, twice),
        pending="Player X",
    ),
    "their turn": State(
        playing("Ada A1"),
        press("Take back"),
        "You asked Bo to let you take back your move.",
        {"offer": 1, "seq": 3},
        resigns,
        (gone, late),
    ),
    "takeback asked": State(
        playing("Ada A1", "Bo B2", "Bo takeback"),
        press("Accept"),
        "Bo to move",
        {"moves": [[0, 0]], "offer": None, "seq": 5},
        resigns,
        (twice,),
    ),
    "draw offered": State(
        playing("Bo draw"),
        press("Agree"),
        "Draw by agreement",
        {"status": "draw", "seq": 3},
        replays,
        (offline,),
    ),
    "resigning": State(
        playing(),
        resign,
        "Bo wins by resignation",
        {"status": "resigned", "seq": 2},
        replays,
        (twice,),
    ),
    "over": State(
        playing("Bo resign"),
        press("Rematch"),
        "Waiting for Bo",
        {"status": "resigned", "seq": 3},
        press("Cancel the game"),
        (offline, late),
        pending="A rematch is waiting for you.",
    ),
    "rematch asked": State(
        playing("Bo resign", "Bo rematch"),
        press("Play a rematch"),
        "Bo to move",
        {"status": "resigned", "seq": 3},
        resigns,
        (twice,),
        pending="A rematch is waiting for you.",
    ),
    "review": State(
        alone("self", (0, 0), (1, 0), (0, 1), (1, 1), (0, 2)),
        press("Review"),
        "It keeps the forced win.",
        {"status": "won"},
        closes,
        (offline,),
    ),
    "computer": State(alone("computer"), press("Hint"), "Hint:", {"seq": 0}, plays, (offline,)),
}


# Pairs that are missing run the same code as a pair that is here: except for joining, a rematch, a
# hint and the review, every action is one request, handled and shown alike.


@pytest.mark.parametrize(
    ("state", "condition"),
    [
        pytest.param(state, condition, id=f"{name}, {condition.__name__}")
        for name, state in STATES.items()
        for condition in state.under
    ],
)
def test_action_is_done_once_and_leads_on(
    page: Page, client: httpx.Client, state: State, condition: Condition
) -> None:
    other = state.begin(page, client)
    condition(page, state)
    truthful(page, state.told)
    assert state.known.items() <= other.state().items()
    state.then(page)


# What others do, and the clock, while the page is offline.


def pressed(name: str, *acts: str) -> Begin:
    """Play with a friend after these acts, then press this button."""

    def begin(page: Page, client: httpx.Client) -> Seat:
        bo = playing(*acts)(page, client)
        press(name)(page)
        return bo

    return begin


def watching(page: Page, client: httpx.Client) -> Seat:
    """Watch a game of two others."""
    ada, bo = two_friends(client, name="Ada")
    ada.act("resign")
    page.goto(f"/g/{ada.id}")
    return bo


def comes_back(page: Page) -> None:
    """Check that the player can return to the game and play."""
    press("Back to the game")(page)
    plays(page)


@pytest.mark.parametrize(
    ("begin", "act", "told", "then"),
    [
        (hosting, lambda bo: bo.join(name="Bo"), "Your turn", plays),
        (pressed("Previous move", "Ada A1"), lambda bo: bo.move(1, 1), "Move 0 of 2", comes_back),
        (pressed("Resign"), lambda bo: bo.act("resign"), "You win by", replays),
        (watching, lambda bo: bo.post("rematch"), "Watch the rematch", leaves),
    ],
    ids=["waiting", "looking back", "resigning", "watching"],
)
def test_reconnected_page_shows_what_others_did(
    page: Page, client: httpx.Client, begin: Begin, act: Any, told: str, then: Any
) -> None:
    other = begin(page, client)
    expect(page.get_by_role("button", name="Help")).to_be_enabled()
    cut_off(page)
    act(other)
    page.context.set_offline(False)
    truthful(page, told)
    then(page)


def test_late_move_shows_timeout(page: Page, client: httpx.Client) -> None:
    """Play a move on a page that has not received the timeout event."""
    ada = make(page, name="Ada", clock={"seconds": 1, "increment": 0})
    bo = Seat(client, ada["id"], invite=ada["invite"]).join()
    page.route(EVENTS, lambda route: None)
    page.goto(f"/g/{bo.id}")
    with bo.events() as events:
        next(event for event in events if event.data["status"] == "timeout")
    cell(page, 1, 1).click()
    expect(page.locator("#problem")).to_be_visible()
    truthful(page, "Player O wins on time", problems=("The game is over.",))
    replays(page)


def test_game_is_created_once(page: Page) -> None:
    """Try offline first, then double-click and answer late."""
    page.goto("/")
    button = page.get_by_role("button", name="Play", exact=True)
    page.context.set_offline(True)
    button.click()
    expect(page.locator("#problem")).to_have_text(NO_CONNECTION)
    page.context.set_offline(False)
    expect(page.locator("#problem")).to_be_empty()

    asked: list[Route] = []
    page.route(re.compile("/api/games$"), lambda route: asked.append(route))
    button.dblclick()
    expect(button).to_be_disabled()
    (only,) = asked
    only.continue_()
    plays(page)


HURRY = """ // Shorten every long wait.
AbortSignal.timeout = ((later) => () => later(300))(AbortSignal.timeout);
window.setTimeout = ((later) => (go, ms) => later(go, ms === 2000 ? 0 : ms))(setTimeout);
"""


def test_client_retries_unanswered_request(people: People) -> None:
    people.expected.append(ANSWERED)
    page = people.come(before=HURRY)
    start(page, opponent="self")
    page.route("**/moves", lambda route: None, times=1)
    plays(page)
    page.route("**/takeback", lambda route: None, times=1)
    press("Take back")(page)
    truthful(page, "X to move")
    page.route("**/api/games/*", lambda route: route.abort(), times=2)
    page.goto("/g/AAAAAAAAAAAAAAAA")
    truthful(page, "Game not found")
    leaves(page)
