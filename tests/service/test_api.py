"""The API of docs/server.md, with a real server, real HTTP and both databases."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import httpx
import pytest

import noughts
from noughts.bulk import judge_record
from noughts.records import Record, read_records
from service.serving import Seat, Server, code, created, followed, two_friends

WINNING = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]  # seat 1 completes the top row


def play(seats: tuple[Seat, Seat], cells: list[tuple[int, int]]) -> None:
    for number, cell in enumerate(cells):
        assert seats[number % 2].move(*cell).status_code == 201


def finished(client: httpx.Client) -> tuple[Seat, Seat]:
    seats = two_friends(client, name="Ada")
    play(seats, WINNING)
    return seats


def computer_has_moved(seat: Seat, after: int) -> dict[str, Any]:
    """Return the state after the next move of the computer."""
    with seat.events(after) as events:
        next(event for event in events if event.kind == "move" and event.data["turn"])
    return seat.state()


# Creating games


def test_new_game_has_the_requested_fields(server: Server, client: httpx.Client) -> None:
    wish = {"shape": [2, 5], "k": 4, "seat": 2, "name": " Ada\u202e ", "listed": True}
    answer = client.post("/api/games", json=wish)
    made = answer.json()
    assert answer.status_code == 201
    assert made["url"] == f"{server.url}/g/{made['id']}"
    assert made["seats"] == [2]
    assert made["invite"]
    friend = {"name": None, "kind": "human", "joined": False}
    assert made["game"] == {
        "id": made["id"],
        "rules": "2x5,k=4",
        "shape": [2, 5],
        "k": 4,
        "gravity": False,
        "variant": "freestyle",
        "status": "waiting",
        "turn": None,
        "termination": None,
        "winner": None,
        "lines": [],
        "forbidden": [],
        "offer": None,
        "draw": None,
        "clock": None,
        "rematch": None,
        "moves": [],
        "players": [friend, {"name": "Ada", "kind": "human", "joined": True}],
        "opponent": "friend",
        "level": None,
        "referee": False,
        "seq": 0,
        "created": made["game"]["created"],
        "before": None,
    }
    seat = Seat(client, made["id"], made["token"])
    assert seat.state() == made["game"] | {"seats": [2]}
    assert Seat(client, made["id"]).state() == made["game"] | {"seats": []}
    assert Seat(client, made["id"], "unknown").state()["seats"] == []


@pytest.mark.parametrize("opponent", ["friend", "computer", "self"])
def test_repeated_key_creates_one_game(client: httpx.Client, opponent: str) -> None:
    wish = {"n": 3, "opponent": opponent, "name": "Ada", "key": "k" * 21 + uuid4().hex}
    answers = [client.post("/api/games", json=wish) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 200, 200]
    first, *others = (answer.json() for answer in answers)
    for again in others:
        assert again | {"token": first["token"]} == first
        assert again["token"] != first["token"]
    one, two = (Seat(client, made["id"], made["token"], made["invite"]) for made in others)
    assert one.state() == two.state()
    if opponent == "friend":
        assert two.join().state()["status"] == "playing"
    assert one.move(0, 0).status_code == 201
    late = client.post("/api/games", json=wish).json()
    assert (late["seats"], late["game"]["moves"][0]) == (first["seats"], [0, 0])


def test_key_of_a_game_is_refused_for_another(client: httpx.Client) -> None:
    wish = {"n": 3, "key": uuid4().hex}
    made = client.post("/api/games", json=wish).json()
    for other in ({"n": 4}, {"name": "Eve"}, {"seat": 2}, {"listed": True}, {"opponent": "self"}):
        refused = client.post("/api/games", json=wish | other)
        assert code(refused) == "key_used"
        assert "token" not in refused.text
    assert created(client, key=uuid4().hex).id != made["id"]
    for key in ("short", "k" * 21, "k" * 65, "k" * 30 + " "):
        assert code(client.post("/api/games", json={"n": 3, "key": key})) == "malformed"


def test_concurrent_requests_under_one_key_create_one_game(client: httpx.Client) -> None:
    wish = {"n": 3, "key": uuid4().hex}
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: client.post("/api/games", json=wish), range(8)))
    assert sorted(answer.status_code for answer in answers) == [*[200] * 7, 201]
    made = [answer.json() for answer in answers]
    assert len({(one["id"], one["invite"]) for one in made}) == 1
    assert [one["seats"] for one in made] == [[1]] * 8
    for one in made:
        assert Seat(client, one["id"], one["token"]).state()["seats"] == [1]


def test_game_with_oneself_has_both_seats_and_no_invitation(client: httpx.Client) -> None:
    seat = created(client, opponent="self", seat=2)
    assert seat.invite is None
    state = seat.state()
    assert (state["status"], state["turn"], state["seats"]) == ("playing", 1, [1, 2])


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({}, "expected rules or n, and not both"),
        ({"n": 3, "shape": [3, 3]}, "expected rules or n, and not both"),
        ({"n": 3, "rules": "3x3"}, "expected rules or n, and not both"),
        ({"rules": "gomuko"}, "unknown rules 'gomuko'; did you mean 'gomoku'?"),
        ({"rules": ""}, "unknown rules ''"),
        ({"rules": "3x3,k=4"}, "k must be 1 to 3 on a 3×3 board, got 4"),
        ({"rules": "7x7", "k": 4}, "k, gravity and variant are part of rules: give them there"),
        ({"rules": "7x7", "gravity": True}, "k, gravity and variant are part of rules"),
        ({"rules": "7x7", "variant": "caro"}, "k, gravity and variant are part of rules"),
        ({"rules": "3x3x3"}, "games on a server have two players and boards of two dimensions"),
        ({"rules": "3x3,players=3"}, "games on a server have two players"),
        ({"rules": "101x3,k=3"}, "freestyle boards have at most 100 rows and columns here"),
        ({"rules": "renju,20x20"}, "renju boards have at most 19 rows and columns here"),
        ({"rules": "x" * 101}, "rules: Expected `str` of length <= 100"),
        ({"rules": 3}, "rules: Expected `str | null`, got `int`"),
        ({"n": 0}, "n: Expected `int` >= 1"),
        ({"n": 101}, "n: Expected `int` <= 100"),
        ({"n": 10**400}, "n: Expected `int` <= 100"),
        ({"n": 3.0}, "n: Expected `int | null`, got `float`"),
        ({"n": True}, "n: Expected `int | null`, got `bool`"),
        ({"n": "3"}, "n: Expected `int | null`, got `str`"),
        ({"n": 3, "k": 4}, "k must be 1 to 3 on a 3×3 board, got 4"),
        ({"shape": [3, 4]}, "the sides of a 3×4 board differ: give k"),
        ({"shape": [3]}, "shape: Expected `array` of length 2"),
        ({"shape": [101, 3], "k": 3}, "shape[0]: Expected `int` <= 100"),
        ({"n": 3, "seat": 3}, "seat: Invalid enum value 3"),
        ({"n": 3, "opponent": "dog"}, "opponent: Invalid enum value 'dog'"),
        ({"n": 3, "level": "x"}, "level: Invalid enum value 'x'"),
        ({"n": 3, "listed": 1}, "listed: Expected `bool`, got `int`"),
        ({"n": 3, "typo": 1}, "Object contains unknown field `typo`"),
        ({"n": 3, "name": "x" * 33}, "name: Expected `str` of length <= 32"),
        ({"n": 3, "variant": "chess"}, "variant must be one of freestyle, standard, caro,"),
        ({"n": 3, "variant": "renju"}, "k must be 5 in renju, got 3"),
        ({"n": 20, "k": 5, "variant": "renju"}, "renju boards have at most 19 rows and columns"),
        ([], "Expected `object`, got `array`"),
    ],
)
def test_new_game_rejects_invalid_fields(client: httpx.Client, wish: Any, why: str) -> None:
    answer = client.post("/api/games", json=wish)
    assert code(answer) == "malformed"
    assert why in answer.json()["detail"]


# Joining


def test_invitation_works_once(client: httpx.Client) -> None:
    first = created(client)
    assert code(first.post("join", invite="wrong")) == "wrong_invite"
    assert code(first.post("join")) == "wrong_invite"
    assert first.state()["status"] == "waiting"
    second = first.join(name="Bob")
    assert second.state()["seats"] == [2]
    assert second.state()["players"][1] == {"name": "Bob", "kind": "human", "joined": True}
    refused = first.post("join", invite=first.invite)
    assert code(refused) == "seat_taken"
    assert refused.json()["seq"] == 1


@pytest.mark.parametrize("listed", [False, True])
def test_repeated_join_under_one_key_gets_the_seat_again(
    client: httpx.Client, listed: bool
) -> None:
    first = created(client, listed=listed)
    second, again = first.join(name="Bob", key="k" * 32), first.join(key="k" * 32)
    assert second.token != again.token
    assert again.state() == second.state()
    assert (again.state()["seats"], again.state()["seq"]) == ([2], 1)
    assert code(first.post("join", invite=first.invite, key="other")) == "seat_taken"
    assert code(first.post("join", invite=first.invite)) == "seat_taken"
    if not listed:
        assert code(first.post("join", invite="wrong", key="k" * 32)) == "seat_taken"
    first.move(0, 0)
    again.move(1, 1, key="moved")
    assert second.state()["seq"] == 3
    assert code(first.post("join", invite=first.invite, key="moved")) == "seat_taken"


def test_concurrent_joins_give_the_seat_to_one(client: httpx.Client) -> None:
    first = created(client)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: first.post("join", invite=first.invite), range(8)))
    assert sorted(answer.status_code for answer in answers) == [200, *[409] * 7]


def test_listed_game_can_be_joined_without_an_invitation(client: httpx.Client) -> None:
    def listed() -> list[dict[str, Any]]:
        games: list[dict[str, Any]] = client.get("/api/games?listed=open").json()["games"]
        return [game for game in games if game["id"] in ids]

    games = [created(client, listed=True, seat=2, name="Ada"), created(client, listed=True)]
    hidden = created(client), created(client, opponent="self", listed=True)
    ids = [game.id for game in (*games, *hidden)]
    assert [game["id"] for game in listed()] == [games[1].id, games[0].id]
    seen = listed()[1]
    assert seen.pop("created") == games[0].state()["created"]
    rules = {"rules": "3x3", "shape": [3, 3], "k": 3, "gravity": False, "variant": "freestyle"}
    absent = {"here": False, "away": None, "clock": None}
    assert seen == {"id": games[0].id, **rules, "name": "Ada", "seat": 1, **absent}
    games[0].invite = None
    assert games[0].join().state()["seats"] == [1]
    assert [game["id"] for game in listed()] == [games[1].id]
    assert code(client.get("/api/games")) == "malformed"
    assert code(client.get("/api/games?listed=all")) == "malformed"


# Playing


def test_game_is_played_to_its_end(client: httpx.Client) -> None:
    first, second = two_friends(client)
    for number, cell in enumerate(WINNING):
        answer = (first, second)[number % 2].move(*cell)
        status = "won" if number == 4 else "playing"
        assert answer.status_code == 201
        assert answer.json() == {"seq": number + 2, "ply": number + 1, "status": status}
    state = first.state()
    assert (state["status"], state["winner"], state["turn"]) == ("won", 1, None)
    assert state["lines"] == [[[0, 0], [0, 1], [0, 2]]]
    assert [tuple(cell) for cell in state["moves"]] == WINNING


def test_illegal_moves_are_refused_with_the_reason(client: httpx.Client) -> None:
    first = created(client)
    assert code(first.move(0, 0)) == "waiting"
    second = first.join()
    play((first, second), [(0, 0)])
    assert code(first.move(1, 1)) == "wrong_turn"
    assert code(second.move(0, 0)) == "cell_taken"
    for cell in ((3, 0), (-1, 0), (2**31 - 1, 0)):
        assert code(second.move(*cell)) == "off_board"
    for malformed in ((2**31, 0), (0,), (0, 0, 0)):
        assert code(second.move(*malformed)) == "malformed"
    for key in (" ", "é", "a b", "a\n", "x" * 65):
        assert code(second.move(1, 1, key=key)) == "malformed"
    for seq in (-1, 2**70):
        assert code(second.move(1, 1, seq=seq)) == "malformed"
    assert code(second.post("moves", cell=[1, 1], seq=2)) == "malformed"
    assert code(Seat(client, "nothing", first.token).move(1, 1, seq=0)) == "no_game"
    assert first.state()["seq"] == 2
    play((second, first), WINNING[1:])
    assert code(second.move(2, 2)) == code(first.act("resign")) == "game_over"


@pytest.mark.parametrize("seq", [0, 1, 3, 2**31 - 1])
def test_stale_request_is_answered_with_the_latest_seq(client: httpx.Client, seq: int) -> None:
    first, second = two_friends(client)
    play((first, second), [(0, 0)])
    for what in ("resign", "takeback"):
        assert code(second.act(what, seq=seq)) == "stale"
    refused = second.move(1, 1, seq=seq)
    assert code(refused) == "stale"
    assert refused.json()["seq"] == 2


def test_repeated_key_is_the_same_move(client: httpx.Client) -> None:
    first, second = two_friends(client)
    answer = first.move(0, 0, seq=1, key="a")
    again = first.move(0, 0, seq=1, key="a")
    assert (answer.status_code, again.status_code) == (201, 200)
    assert answer.json() == again.json() == {"seq": 2, "ply": 1, "status": "playing"}
    assert second.move(1, 1, key="a").status_code == 201  # another player's key is a different key
    later = first.move(0, 0, key="a")
    assert (later.status_code, later.json()) == (200, answer.json())
    assert len(first.state()["moves"]) == 2
    assert code(first.act("resign", key="a")) == "key_used"
    assert [second.act("takeback", key="b").status_code for _ in range(2)] == [201, 200]


def test_concurrent_requests_under_one_key_make_one_move(client: httpx.Client) -> None:
    first, _ = two_friends(client)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: first.move(0, 0, seq=1, key="a"), range(8)))
    assert sorted(answer.status_code for answer in answers) == [*[200] * 7, 201]
    assert len({answer.text for answer in answers}) == 1
    assert first.state()["seq"] == 2


def test_resigning_player_loses(client: httpx.Client) -> None:
    first, second = two_friends(client)
    assert second.act("resign", key="r").json() == {"seq": 2, "ply": 0, "status": "resigned"}
    assert second.act("resign", key="r").status_code == 200
    assert (first.state()["status"], first.state()["winner"]) == ("resigned", 1)


# The computer


@pytest.mark.parametrize("seat", [1, 2])
def test_computer_replies_and_takes_back(client: httpx.Client, seat: int) -> None:
    player = created(client, opponent="computer", level="easy", seat=seat)
    assert player.state()["players"][2 - seat]["kind"] == "computer"
    if seat == 2:
        computer_has_moved(player, 0)
    before = player.state()
    assert code(player.act("takeback")) == "nothing_to_take_back"
    state = player.state()
    free = next([r, c] for r in range(3) for c in range(3) if [r, c] not in state["moves"])
    player.move(*free)
    state = computer_has_moved(player, state["seq"] + 1)
    assert (len(state["moves"]), state["turn"]) == (len(before["moves"]) + 2, seat)
    assert player.act("takeback").json()["ply"] == len(before["moves"])
    after = player.state()
    assert (after["moves"], after["turn"]) == (before["moves"], seat)
    player.act("resign")
    again = player.post("rematch").json()
    assert (again["seats"], again["game"]["level"]) == ([3 - seat], "easy")


# Takebacks


def test_takeback_with_oneself_undoes_one_ply_even_after_the_end(client: httpx.Client) -> None:
    seat = created(client, opponent="self")
    assert code(seat.act("takeback")) == "nothing_to_take_back"
    play((seat, seat), WINNING)
    assert seat.act("takeback").json() == {"seq": 6, "ply": 4, "status": "playing"}
    assert (seat.state()["moves"], seat.state()["winner"]) == ([list(c) for c in WINNING[:4]], None)
    assert seat.move(*WINNING[4]).json()["status"] == "won"


def test_friend_accepts_declines_or_ignores_a_takeback(client: httpx.Client) -> None:
    seats = first, second = two_friends(client)
    assert code(second.act("takeback", accept=False)) == "nothing_to_decline"
    play(seats, WINNING[:2])
    assert first.act("takeback").json() == {"seq": 4, "ply": 2, "status": "playing"}
    assert second.state()["offer"] == 1
    assert second.act("takeback").json()["ply"] == 0  # the reply too
    assert (first.state()["moves"], first.state()["offer"]) == ([], None)
    play(seats, WINNING[:3])
    first.act("takeback")
    assert second.act("takeback", accept=False).json()["ply"] == 3
    assert first.state()["offer"] is None
    first.act("takeback")
    assert second.move(*WINNING[3]).status_code == 201
    assert first.state()["offer"] is None
    assert second.act("takeback").status_code == 201  # an offer, not the answer to one
    assert (second.state()["offer"], len(second.state()["moves"])) == (2, 4)
    first.act("takeback")
    assert len(second.state()["moves"]) == 3  # there was no reply


# Rematches


def test_rematch_swaps_the_seats(client: httpx.Client) -> None:
    first, second = two_friends(client, shape=[3, 4], k=3, name="Ada")
    assert code(first.post("rematch")) == "not_over"
    second.act("resign")
    made = first.post("rematch")
    assert (made.status_code, made.json()["seats"], made.json()["invite"]) == (201, [2], None)
    game = made.json()["game"]
    assert (game["shape"], game["k"], game["status"]) == ([3, 4], 3, "waiting")
    assert first.state()["rematch"] == made.json()["id"]
    stranger = Seat(client, made.json()["id"])
    assert code(stranger.post("join")) == "wrong_invite"
    joined = second.post("rematch").json()
    assert (joined["id"], joined["seats"], joined["game"]["status"]) == (game["id"], [1], "playing")
    assert joined["game"]["players"][1]["name"] == "Ada"
    assert Seat(client, game["id"], joined["token"]).move(0, 0).status_code == 201
    again = first.post("rematch").json()  # a repeated request
    assert Seat(client, again["id"], again["token"]).state()["seats"] == [2]
    assert Seat(client, again["id"], made.json()["token"]).move(1, 1).status_code == 201
    assert code(Seat(client, first.id).post("rematch")) == "no_token"


def test_concurrent_rematches_create_one_game(client: httpx.Client) -> None:
    for seats in [finished(client) for _ in range(5)]:
        with ThreadPoolExecutor(2) as threads:
            answers = [a.json() for a in threads.map(lambda seat: seat.post("rematch"), seats)]
        assert [answer["seats"] for answer in answers] == [[2], [1]]
        assert answers[0]["id"] == answers[1]["id"] == seats[0].state()["rematch"]
        assert Seat(client, answers[0]["id"]).state()["status"] == "playing"


def test_rematch_with_oneself_has_both_seats(client: httpx.Client) -> None:
    seat = created(client, opponent="self")
    seat.act("resign")
    for _ in range(2):
        again = seat.post("rematch").json()
        assert (again["seats"], again["id"]) == ([1, 2], seat.state()["rematch"])
        assert Seat(client, again["id"], again["token"]).state()["status"] == "playing"


# Event streams


def test_stream_sends_every_event_in_order(client: httpx.Client) -> None:
    first = created(client)
    with first.events() as events:
        begun = next(events)
        assert (begun.kind, begun.seq) == ("state", 0)
        second = first.join(name="Bob")
        play((first, second), WINNING[:2])
        first.act("takeback")
        second.act("takeback", accept=False)
        first.act("takeback")
        second.act("takeback")
        play((first, second), WINNING)
        second.post("rematch")
        told = list(islice(events, 13))
    assert [event.seq for event in told] == list(range(1, 14))
    kinds = "joined move move offer declined offer takeback move move move move move rematch"
    assert [event.kind for event in told] == kinds.split()
    state = begun.data
    for event in told:
        state = followed(state, event.data)
    assert state | {"seats": [1]} == first.state()


def test_stream_continues_after_the_last_event_id(client: httpx.Client) -> None:
    first, _ = finished(client)
    for known in (0, 3, 5):
        with first.events(after=known) as events:
            assert [event.seq for event in islice(events, 6 - known)] == list(range(known + 1, 7))
    for unknown in (7, 999_999_999):
        with first.events(after=unknown) as events:
            assert next(events).kind == "state"
    for nonsense in ("", "-1", "x", "9" * 5000, "1.5", "²"):
        with first.events(after=nonsense) as events:
            assert next(events).kind == "state"
    assert code(client.get("/api/games/nothing/events")) == "no_game"


def test_stream_sends_a_long_log_completely(client: httpx.Client) -> None:
    seat = created(client, opponent="self", n=20)
    for number in range(250):
        assert seat.move(*divmod(number, 20), seq=number, key=str(number)).status_code == 201
    with seat.events(after=0) as events:
        assert [event.seq for event in islice(events, 250)] == list(range(1, 251))
        seat.act("takeback")
        assert next(events).seq == 251


# Records


def test_record_is_judged_like_the_game(client: httpx.Client) -> None:
    first, _ = finished(client)
    answer = client.get(f"/api/games/{first.id}/record.json")
    assert answer.headers["Content-Type"] == "application/json"
    record = next(iter(read_records(BytesIO(answer.content), "here")))
    assert isinstance(record, Record)
    verdict, state = judge_record(record), first.state()
    assert (verdict.id, verdict.status, verdict.winner, verdict.ply) == (first.id, "won", 1, 5)
    assert [[list(cell) for cell in line] for line in verdict.lines] == state["lines"]


# Operators


def test_probes_and_metrics_report_the_state_of_the_server(
    server: Server, client: httpx.Client
) -> None:
    for path in ("/healthz", "/readyz"):
        assert client.get(path).json() == {"status": "ok"}

    def counted(name: str) -> float:
        lines = client.get("/metrics").text.splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(name))

    names = ["noughts_changes_committed_total", "noughts_requests_total", "noughts_event_streams "]
    before = [counted(name) for name in names]
    seat = created(client, opponent="self")
    with seat.events() as events:
        next(events)
        seat.move(0, 0)
        after = [counted(name) for name in names]
    assert after[0] - before[0] >= 2  # a computer of another test may be moving
    assert after[1] - before[1] >= 3
    assert after[2] >= 1
    assert client.get("/metrics").headers["Content-Type"].startswith("text/plain")


def test_unknown_urls_and_methods_are_errors(client: httpx.Client) -> None:
    for path in ("/api", "/api/nothing", "/favicon.txt", "/page/nothing.js", "/page", "/page/game"):
        assert client.get(path, follow_redirects=True).status_code == 404
    assert code(client.get("/api/nothing")) == "not_found"
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        answer = client.request(method, "/api/games/x")
        assert code(answer) == "wrong_method"
        assert answer.headers["Allow"] == "GET, HEAD"
    for headers in ({}, {"Content-Type": "text/plain"}):  # before the body is read
        answer = client.post("/api/games/x", content="x" * 100_000, headers=headers)
        assert code(answer) == "wrong_method"
        assert client.get("/healthz").status_code == 200  # on the same connection
    assert client.get("/docs/").status_code == client.get("/healthz/").status_code == 200


def test_head_is_answered_wherever_get_is(client: httpx.Client) -> None:
    path = f"/api/games/{created(client).id}"
    for each in ("/", "/docs", "/learn", "/openapi.json", "/healthz", path, f"{path}/record.png"):
        whole, head = client.get(each), client.head(each)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["Content-Length"] == whole.headers["Content-Length"]
    assert client.head(f"{path}/events").headers["Content-Type"].startswith("text/event-stream")
    assert client.head("/api/games/x").status_code == 404
    assert code(client.request("PUT", "/healthz")) == "wrong_method"


def test_odd_bytes_in_an_id_match_no_game(client: httpx.Client) -> None:
    for id in ("%00", "a%00b", "%ff", "%ed%a0%80", "%0a", "%27%20OR%201=1", "x" * 3000):
        assert code(client.get(f"/api/games/{id}")) == "no_game"
        assert code(client.get(f"/api/games/{id}/events")) == "no_game"
        assert code(Seat(client, id, "x").move(0, 0, seq=0)) == "no_game"
        assert client.get(f"/g/{id}").status_code == 200
    seat = created(client)
    for token in ("é", "' OR 1=1"):
        header = {b"Cookie": f"noughts={token}".encode()}
        assert client.get(f"/api/games/{seat.id}", headers=header).json()["seats"] == []


def test_source_is_a_working_archive(client: httpx.Client, tmp_path: Path) -> None:
    answer = client.get("/source")
    assert answer.headers["Content-Type"] == "application/zip"
    assert client.get("/source").content == answer.content
    source = tmp_path / "noughts.zip"
    source.write_bytes(answer.content)
    names = ZipFile(source).namelist()
    package = Path(noughts.__file__).parent
    for path in (*package.rglob("*.py"), *package.rglob("*.js"), *package.rglob("*.pxd")):
        assert f"noughts/{path.relative_to(package).as_posix()}" in names
    assert "MIT License" in ZipFile(source).read("LICENSE").decode()
    assert not [name for name in names if name.endswith((".so", ".pyc", ".db"))]
    program = "import noughts; print(noughts.__file__, noughts.tictactoe([(0, 0)]))"
    run = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = [{str(source)!r}]; {program}"]
    ran = subprocess.run(run, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [f"{source}/noughts/__init__.py", "Pending"]


def test_unchanged_page_is_not_sent_again(client: httpx.Client) -> None:
    path = "/page/game/game.html"
    answer = client.get(path)
    assert answer.headers["Cache-Control"] == "no-cache"
    again = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    for address in ("/", "/docs", "/learn", "/g/any"):
        assert client.get(address).headers["Content-Type"] == "text/html; charset=utf-8"
