"""The preview of a link to a game in a chat, and pictures of games."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO
from xml.etree import ElementTree

import httpx
import pytest
from PIL import Image

from noughts import Game, Rules
from noughts.picture import THEMES, standing
from noughts.service.http.prerender import HEIGHT, WIDTH, preview_image
from service.serving import Seat, code, created, two_friends


def told(seat: Seat) -> dict[str, str]:
    """Return the Open Graph properties of a game's page."""
    page = seat.client.get(f"/g/{seat.id}").text
    found = re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


def test_preview_names_the_host_and_the_game(client: httpx.Client) -> None:
    ada = created(client, name="Ada", shape=[15, 15], k=5)
    shown = told(ada)
    assert shown["title"] == "Ada invites you to Gomoku"
    assert shown["description"].startswith("15×15, 5 in a row.")
    assert shown["url"] == f"{client.base_url}/g/{ada.id}"
    assert "Open the link and play." in shown["description"]
    assert told(created(client))["title"] == "You are invited to Tic-tac-toe"
    ada.join(name="Bo")
    shown = told(ada)
    assert shown["title"] == "Ada – Bo: Gomoku"
    assert shown["description"] == "15×15, 5 in a row."


def test_preview_escapes_names(client: httpx.Client) -> None:
    seat = created(client, name='"><script>alert(1)</script>')
    assert told(seat)["title"] == '"><script>alert(1)</script> invites you to Tic-tac-toe'
    assert "<script>alert" not in client.get(f"/g/{seat.id}").text


def test_preview_image_shows_the_position(client: httpx.Client) -> None:
    seat = created(client, opponent="self", shape=[6, 7], k=4, gravity=True)
    address = told(seat)["image"]
    empty = client.get(address)
    assert empty.headers["Content-Type"] == "image/png"
    assert Image.open(BytesIO(empty.content)).size == (WIDTH, HEIGHT)
    seat.move(5, 3)
    assert told(seat)["image"] != address  # a chat that caches pictures requests the new one
    assert client.get(told(seat)["image"]).content != empty.content


@pytest.mark.parametrize(
    ("ends", "result"),
    [(["resign"], "O wins by resignation"), (["draw", "draw"], "draw by agreement")],
)
def test_preview_image_shows_the_result(client: httpx.Client, ends: list[str], result: str) -> None:
    ada, bo = two_friends(client)
    ada.move(1, 1)
    for what, seat in zip(ends, (ada, bo), strict=False):
        assert seat.act(what).is_success
    drawn = preview_image(Game.replay(Rules(), [(1, 1)]), result, "marks")
    assert client.get(told(ada)["image"]).content == drawn


@pytest.mark.parametrize("rules", [Rules((1, 1)), Rules((2, 100), 5), Rules((100, 100), 5)])
def test_preview_image_works_for_any_board_and_is_cached(rules: Rules) -> None:
    game = Game(rules)
    game.play((0, 0))
    drawn = preview_image(game, standing(game), "marks")
    assert drawn is preview_image(game.copy(), standing(game), "marks")
    assert len(drawn) < 200_000


def test_picture_has_the_theme_of_its_game_or_the_requested_one(
    client: httpx.Client,
) -> None:
    seat = created(client, n=15, k=5, opponent="self")
    seat.move(7, 7)
    path = f"/api/games/{seat.id}/record"
    for kind in ("svg", "png"):
        drawn = {look: client.get(f"{path}.{kind}?look={look}").content for look in THEMES}
        assert len({*drawn.values()}) == len(THEMES)
        assert client.get(f"{path}.{kind}").content == drawn["stones"]
        for wrong in ("wood", "", "Stones"):
            assert code(client.get(f"{path}.{kind}?look={wrong}")) == "malformed"
    picture = Image.open(BytesIO(client.get(f"{path}.png?look=stones").content))
    assert picture.getpixel((56, 75)) == (0xE2, 0xBF, 0x85)  # wood


@pytest.mark.parametrize("look", THEMES)
def test_preview_image_works_in_any_theme(look: str) -> None:
    for rules in (Rules((1, 1)), Rules((2, 100), 5), Rules((20, 20), 5), Rules((100, 100), 5)):
        game = Game.replay(rules, [(0, 0)])
        assert len(preview_image(game, standing(game), look)) < 300_000


def test_record_is_available_in_every_format(client: httpx.Client) -> None:
    first, second = two_friends(client)
    for seat, row, col in (
        (first, 0, 0),
        (second, 1, 0),
        (first, 0, 1),
        (second, 1, 1),
        (first, 0, 2),
    ):
        seat.move(row, col)
    text = client.get(f"/api/games/{first.id}/record.txt")
    assert text.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert text.text.count("X") == 3
    picture = client.get(f"/api/games/{first.id}/record.svg")
    assert picture.headers["Content-Type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(picture.text).tag == "{http://www.w3.org/2000/svg}svg"
    for suffix in ("json", "txt", "svg", "png"):
        assert code(client.get(f"/api/games/nothing/record.{suffix}")) == "no_game"
