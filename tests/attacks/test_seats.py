"""A browser keeps its seats in all its games, and secrets stay secret."""

from __future__ import annotations

from collections import deque

import httpx
import pytest

from service.serving import Seat, code, created

MOST = 180  # cookies that Chromium keeps per site; it drops the least recently used


class Browser:
    """A client that keeps cookies like a browser: a limited number per site, each for its path."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._jar: dict[tuple[str, str], str] = {}

    def get(self, path: str) -> httpx.Response:
        return self._client.get(path, headers=self._cookies(path))

    def post(self, path: str, **body: object) -> httpx.Response:
        answer = self._client.post(path, json=body, headers=self._cookies(path))
        for cookie in answer.headers.get_list("set-cookie"):
            pair, *attributes = cookie.split("; ")
            name, _, value = pair.partition("=")
            (where,) = (a.partition("=")[2] for a in attributes if a.startswith("Path="))
            self._jar.pop((name, where), None)
            self._jar[name, where] = value
            deque((self._jar.pop(old) for old in list(self._jar)[:-MOST]), maxlen=0)
        return answer

    def _cookies(self, path: str) -> dict[str, str]:
        sent = [f"{name}={value}" for (name, at), value in self._jar.items() if path.startswith(at)]
        return {"Cookie": "; ".join(sent)} if sent else {}


@pytest.mark.tier2("long")
def test_browser_keeps_its_seats_in_250_games(client: httpx.Client) -> None:
    browser, games = Browser(client), []
    for number in range(250):
        if number % 2:
            made = browser.post("/api/games", n=3).json()
        else:
            friend = created(client)
            made = browser.post(f"/api/games/{friend.id}/join", invite=friend.invite).json()
        games.append((made["id"], made["seats"]))
    assert [browser.get(f"/api/games/{id}").json()["seats"] for id, _ in games] == [
        seats for _, seats in games
    ]
    first = games[0][0]
    assert code(browser.post(f"/api/games/{first}/moves", cell=[0, 0], seq=1, key="k")) == (
        "wrong_turn"
    )
    assert browser.post(f"/api/games/{first}/resign", seq=1, key="k").status_code == 201
    again = browser.post(f"/api/games/{first}/rematch").json()
    assert browser.get(f"/api/games/{again['id']}").json()["seats"] == again["seats"] == [1]


def test_token_is_valid_for_one_game(client: httpx.Client) -> None:
    browser = Browser(client)
    first, second = (browser.post("/api/games", n=3).json() for _ in range(2))
    assert first["token"] != second["token"]
    assert Seat(client, first["id"], first["token"]).state()["seats"] == [1]
    stranger = Seat(client, first["id"], second["token"])
    assert stranger.state()["seats"] == []
    assert code(stranger.act("resign")) == "not_your_seat"


def test_browser_that_joins_its_own_game_plays_both_sides(client: httpx.Client) -> None:
    browser = Browser(client)
    made = browser.post("/api/games", n=3).json()
    path = f"/api/games/{made['id']}"
    for _ in range(2):
        joined = browser.post(f"{path}/join", invite=made["invite"], key="again").json()
        assert (joined["token"], joined["seats"]) == (made["token"], [1, 2])
    for seq in (1, 2, 3):
        moved = browser.post(f"{path}/moves", cell=[0, seq], seq=seq, key=f"{seq}")
        assert (moved.status_code, code(moved) if seq == 3 else "") == (
            (422, "off_board") if seq == 3 else (201, "")
        )
    for seq in (3, 4):
        assert browser.post(f"{path}/takeback", seq=seq, key=f"b{seq}").json()["ply"] == 4 - seq
    assert browser.get(path).json()["seats"] == [1, 2]


def test_browser_that_repeats_its_request_keeps_both_seats(client: httpx.Client) -> None:
    browser, wish = Browser(client), {"n": 3, "key": "k" * 32}
    made = browser.post("/api/games", **wish).json()
    browser.post(f"/api/games/{made['id']}/join", invite=made["invite"])
    again = browser.post("/api/games", **wish).json()
    assert (again["token"], again["seats"], again["invite"]) == (
        made["token"],
        [1, 2],
        made["invite"],
    )


def test_game_and_invitation_do_not_reveal_the_key(client: httpx.Client) -> None:
    """A stranger who uses either of them as a key does not get the seat."""
    first = created(client, key="k" * 22)
    for known in (first.id * 2, first.invite, first.token):
        other = client.post("/api/games", json={"n": 3, "key": known})
        assert other.status_code == 201
        assert other.json()["id"] != first.id


def test_invalid_secrets_are_replaced(client: httpx.Client) -> None:
    for given in ("", "short", "x" * 33, "é" * 32, '"' * 32, "a=b" * 11):
        headers = {b"Cookie": f"noughts_player={given}".encode("latin-1")}
        answer = client.post("/api/games", json={"n": 3}, headers=headers)
        secret = answer.headers["set-cookie"].partition(";")[0].partition("=")[2]
        assert len(secret) == 32
        assert secret != given
