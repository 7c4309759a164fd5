"""Measure loading and response times of the page over Chromium's own protocol.

``script/page/measure`` prints all figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from page.browsing import chromium
from service.serving import Seat, Server, created, serving, speaking_to

LATENCY = 400  # ms per request
SPEED = 50 * 1024  # bytes per second
SLOWER = 4  # slowdown of the processor, as on a cheap phone
WATCH = """
  window.shifts = 0;
  window.waits = [];
  const watch = (type, tell, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(tell)).observe(
      { type, buffered: true, ...more });
  watch("layout-shift", ({ value }) => { window.shifts += value; });
  watch("event", ({ name, duration }) => {
    if (name === "click") window.waits.push(duration);
  }, { durationThreshold: 16 });
"""


@contextmanager
def slow_page(
    browser: Browser, server: Server, slower: int = 1, path: str = ""
) -> Iterator[tuple[Page, list[float]]]:
    """Open a page over a slow network and yield it with the sizes of its responses.

    Args:
        browser: the browser to use.
        server: the server of the page.
        slower: the factor by which the network is slower than `LATENCY` and `SPEED`.
        path: the page to open; "" for a game.
    """
    with speaking_to(server) as client:
        seat = created(client, opponent="self", shape=[15, 15], k=5)
        seat.move(7, 7)
    context = browser.new_context(
        base_url=server.url, viewport={"width": 360, "height": 740}, reduced_motion="reduce"
    )
    page = context.new_page()
    protocol = context.new_cdp_session(page)
    protocol.send("Network.enable")
    speed = SPEED / slower
    conditions = {"latency": LATENCY * slower, "downloadThroughput": speed}
    conditions |= {"uploadThroughput": speed, "offline": False}
    protocol.send("Network.emulateNetworkConditions", conditions)
    received: list[float] = []
    protocol.on("Network.loadingFinished", lambda end: received.append(end["encodedDataLength"]))
    page.goto(path or f"/g/{seat.id}", wait_until="commit")
    yield page, received
    context.close()


def first_board(page: Page) -> float:
    """Return the milliseconds until the board was visible."""
    page.locator(".first-board .p1").wait_for(state="attached")
    return first_paint(page)


def first_paint(page: Page) -> float:
    """Return the milliseconds until anything was visible."""
    seen: float = page.wait_for_function(
        "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    ).json_value()
    return seen


def shift_during_play(browser: Browser, server: Server) -> float:
    """Return the cumulative layout shift of moves and a takeback.

    At the end of the game a panel appears beside the board; check that the board does not move.
    """
    page = _playing(browser, server)
    for cell in ("A1", "A2", "B1", "B2"):
        _click(page, cell)
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("gridcell", name="B2, empty").wait_for()
    _click(page, "B2")
    shift: float = page.evaluate("window.shifts")
    board = page.locator("noughts-board")
    before = board.bounding_box()
    _click(page, "C1")
    page.locator(".strikes path").wait_for(state="attached")
    assert board.bounding_box() == before
    page.context.close()
    return shift


def move_drawn(browser: Browser, server: Server) -> float:
    """Return the milliseconds from a click to the frame that shows the mark.

    The board has 100×100 cells and the processor is slow. The result is the median of several
    moves; the browser rounds each to 8 ms.
    """
    begun = [(10 + at // 8 * 9, 10 + at % 8 * 10) for at in range(60)]
    page = _playing(browser, server, begun, shape=[100, 100], k=5)
    protocol = page.context.new_cdp_session(page)
    protocol.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    box = page.locator("noughts-board").bounding_box()
    assert box is not None
    for at in range(7):
        page.mouse.click(box["x"] + box["width"] * (0.3 + at / 20), box["y"] + box["height"] * 0.52)
        page.wait_for_timeout(1200)
    waits: list[float] = sorted(page.evaluate("window.waits"))
    marks = page.locator(".sheet button").count()
    page.context.close()
    assert marks > 60, "no click played a move"
    return waits[len(waits) // 2] if waits else 16


def _playing(
    browser: Browser, server: Server, moves: Iterable[tuple[int, int]] = (), **game: object
) -> Page:
    """Open a game in which this browser has both seats, after these moves."""
    context = browser.new_context(
        base_url=server.url, viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.add_init_script(WATCH)
    answer = context.request.post("/api/games", data={"opponent": "self"} | (game or {"n": 3}))
    made = answer.json()
    with speaking_to(server) as client:
        seat = Seat(client, made["id"], made["token"])
        for row, col in moves:
            seat.move(row, col)
    page.goto(f"/g/{seat.id}")
    page.locator("noughts-board.playable").wait_for()
    return page


def _click(page: Page, cell: str) -> None:
    page.locator("noughts-board.playable").wait_for()
    page.get_by_role("gridcell", name=f"{cell},").click()
    page.wait_for_timeout(700)  # browsers ignore shifts within half a second of a click


def main() -> None:
    """Print all figures."""
    with (
        TemporaryDirectory() as folder,
        serving(f"sqlite:///{Path(folder)}/games.db") as server,
        sync_playwright() as playwright,
    ):
        browser = chromium(playwright)
        with slow_page(browser, server) as (page, received):
            seen = first_board(page)
            ready: float = page.wait_for_function(
                "() => document.querySelector('#game:not([hidden])') && performance.now()"
            ).json_value()
            print(f"{LATENCY} ms, {SPEED // 1024} KB/s: {sum(received) / 1024:.0f} KB")
            print(f"  board visible after   {seen / 1000:.2f} s")
            print(f"  board playable after  {ready / 1000:.2f} s")
        for path, touched in (("/", ".preview svg.ready"), ("/learn", "#question [role=gridcell]")):
            with slow_page(browser, server, path=path) as (page, _):
                seen = first_paint(page)
                page.locator(touched).first.wait_for()
                print(f"{path} visible after {seen / 1000:.2f} s", end="")
                print(f", usable after {page.evaluate('performance.now()') / 1000:.2f} s")
        print(f"layout shift during a game {shift_during_play(browser, server):.3f}")
        print(f"a move on 100×100 is drawn in {move_drawn(browser, server):.0f} ms", end="")
        print(f" by a processor {SLOWER} times slower")
        browser.close()


if __name__ == "__main__":
    main()
