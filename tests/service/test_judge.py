"""Posted games and positions: judged, solved and analysed without being stored."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import shutil
import socket
import subprocess
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from commands import SECONDS, noughts
from noughts import Game
from noughts.opponent import analyse
from noughts.records.formats import Reading
from noughts.service.http import responses
from noughts.service.http.models import GAMES_TYPES, MEDIA_FORMATS
from noughts.service.http.responses import (
    KEPT,
    PORTION,
    Allowance,
    Judges,
    Overflowing,
    VerdictStream,
)
from noughts.service.http.routes import ROUTES, STREAMED
from noughts.service.play.api_errors import APIError
from records.test_inputs import DATA, INPUTS, final_boards
from service.serving import FROZEN, Server, code, served

NO_LIMITS = Allowance(int, int, lambda: APIError("too_many"), lambda: APIError("too_many"), 1e9)
GAME = '{"id":%d,"n":3,"moves":[[0,0],[1,1],[0,1],[2,2],[0,2]]}\n'
WON = '{"id":%d,"status":"won","winner":1,"ply":5,"lines":[[[0,0],[0,1],[0,2]]]}\n'
FIRST = "".join(GAME % number for number in range(100))  # enough to detect the format


def judged(client: httpx.Client, body: Any, query: str = "", **headers: str) -> list[Any]:
    """Post games; return the lines of the answer."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = client.post(f"/api/judge{query}", content=body, headers=named)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


# Verdicts


@pytest.mark.parametrize("name", INPUTS)
def test_input_is_judged_as_by_the_command(client: httpx.Client, name: str) -> None:
    rules, wanted = INPUTS[name]
    lines = judged(client, (DATA / name).read_bytes(), f"?rules={rules}" if rules else "")
    keys = ("status", "winner", "ply", "claim")
    assert [tuple(each.get(key) for key in keys) for each in lines] == wanted


def test_final_boards_of_tic_tac_toe_are_judged(client: httpx.Client) -> None:
    boards = final_boards()
    body = "".join(f"{row},{'positive' if won else 'negative'}\n" for row, won in boards.items())
    lines = judged(client, body.replace(",", ", "))  # both are published
    assert [each["winner"] == 1 for each in lines] == [*boards.values()]
    claims = [each.get("claim") for each in lines]
    assert claims == ["confirmed" if won else None for won in boards.values()]


def test_inputs_without_rules_name_the_parameter(client: httpx.Client) -> None:
    for name in ("no-rules.jsonl", "columns.txt"):
        first, *_ = judged(client, (DATA / name).read_bytes())
        assert "?rules=gomoku" in first["error"]["message"]


def test_board_with_two_lines_says_so(client: httpx.Client) -> None:
    *_, last = judged(client, (DATA / "boards.txt").read_bytes())
    assert last["message"] == "players 1 and 2 both have a line, but a game ends with the first"


@pytest.mark.parametrize("packed", [False, True])
def test_verdicts_and_errors_are_in_order(client: httpx.Client, packed: bool) -> None:
    body = [GAME % 1, "oops\n", '{"n":3,"moves":[[0,0],[0,0]]}\n', "\n", "{\n", GAME % 2]
    sent = "".join(body).encode()
    one, oops, illegal, brace, two = judged(client, gzip.compress(sent) if packed else sent)
    assert (one, two) == (json.loads(WON % 1), json.loads(WON % 2))
    assert illegal["code"] == "cell_taken"
    assert (oops["line"], brace["line"]) == (2, 5)
    assert {oops["error"]["code"], brace["error"]["code"]} == {"malformed"}


def test_verdicts_are_those_of_the_command(client: httpx.Client, tmp_path: Path) -> None:
    (path := tmp_path / "games").write_text("".join(GAME % at for at in range(3000)))
    command = noughts("judge", path).stdout
    assert client.post("/api/judge", content=path.read_bytes()).text == command
    pieces = (path.read_bytes()[at : at + 1000] for at in range(0, path.stat().st_size, 1000))
    assert client.post("/api/judge", content=pieces).text == command


@pytest.mark.parametrize(
    ("body", "query", "message"),
    [
        ("", "", "no record: the body is empty"),
        ('{"moves": [[0, 0]]}', "", "?rules=gomoku"),
        ("4453", "", "?rules="),
        (b"\0\1\2", "", "this is not a text file"),
    ],
)
def test_unreadable_body_is_one_line(
    client: httpx.Client, body: str | bytes, query: str, message: str
) -> None:
    (line,) = judged(client, body, query)
    assert line["error"]["code"] == "malformed"
    assert message in line["error"]["message"]
    assert "--" not in line["error"]["message"]


def test_parameter_and_type_decide_the_format(client: httpx.Client) -> None:
    rows = "a1 b2\nb1 b3\n"
    first, second = judged(client, rows, "?rules=3x3&format=moves")
    assert (first["ply"], second["ply"]) == (2, 2)
    table = "moves,rules\na1 b2,3x3\n"
    assert judged(client, table, Content_Type="text/csv; charset=utf-8")[0]["ply"] == 2
    assert judged(client, GAME % 1, Content_Type="application/json") == [json.loads(WON % 1)]
    assert "error" in judged(client, rows, "?rules=3x3", Content_Type="application/x-ndjson")[0]


def test_origin_decides_where_row_1_is(client: httpx.Client) -> None:
    body, rules = "a1 a2 b1 b2 c1", "rules=3x3"
    for origin, row in (("top", 0), ("bottom", 2)):
        (verdict,) = judged(client, body, f"?{rules}&origin={origin}")
        assert {cell[0] for cell in verdict["lines"][0]} == {row}


@pytest.mark.parametrize(
    "query", ["rules=gomuko", "format=parquet", "format=x", "origin=left", "rule=gomoku"]
)
def test_invalid_parameter_is_refused(client: httpx.Client, query: str) -> None:
    assert code(client.post(f"/api/judge?{query}", content=GAME % 1)) == "malformed"


def test_only_gzip_is_decompressed_and_once(client: httpx.Client) -> None:
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("games.jsonl", GAME % 1)
    whole = gzip.compress((GAME % 1).encode())
    assert judged(client, whole, Content_Encoding="gzip") == [json.loads(WON % 1)]
    for body in (gzip.compress(whole), archive.getvalue(), b"PAR1"):
        assert code(client.post("/api/judge", content=body)) == "bad_encoding"
    brotli = client.post("/api/judge", content=whole, headers={"Content-Encoding": "br"})
    assert code(brotli) == "bad_encoding"
    cut = client.post("/api/judge", content=gzip.compress(FIRST.encode())[:-20])
    assert code(cut) == "malformed"
    assert "cut off" in cut.text


def test_other_sites_cannot_post_games(client: httpx.Client) -> None:
    refused = client.post("/api/judge", content=GAME % 1, headers={"Sec-Fetch-Site": "cross-site"})
    assert code(refused) == "cross_origin"
    assert code(client.get("/api/judge")) == "wrong_method"


def test_types_of_games_are_described() -> None:
    assert {*MEDIA_FORMATS} & {*GAMES_TYPES} == {*GAMES_TYPES} - {"application/json", "text/plain"}
    assert {route.path for route in ROUTES if route.path in STREAMED and route.reads} == STREAMED


# Streams


class Posting:
    """A connection on which games are posted piece by piece."""

    def __init__(self, server: Server, query: str = "") -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS)
        self.answer = self._socket.makefile("rb")
        head = f"POST /api/judge{query} HTTP/1.1\r\nHost: localhost\r\n"
        self._socket.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())

    def send(self, games: str) -> None:
        self._socket.sendall(f"{len(games):x}\r\n{games}\r\n".encode())

    def end(self) -> None:
        self._socket.sendall(b"0\r\n\r\n")

    def head(self) -> bytes:
        """Read the status and the headers."""
        return b"".join(iter(self.answer.readline, b"\r\n"))

    def lines(self) -> bytes:
        """Read a chunk of the answer; empty at its end."""
        lines = self.answer.read(int(self.answer.readline(), 16))
        self.answer.readline()
        return lines

    def close(self) -> None:
        self.answer.close()
        self._socket.close()


@contextmanager
def posting(server: Server, query: str = "") -> Iterator[Posting]:
    found = Posting(server, query)
    try:
        yield found
    finally:
        found.close()


def test_verdicts_arrive_before_the_last_game_is_sent(server: Server) -> None:
    with posting(server) as games:
        games.send(FIRST)
        assert games.head().startswith(b"HTTP/1.1 200 ")
        text = b""
        while text.count(b"\n") < 100:
            text += games.lines()
        assert text.decode() == "".join(WON % number for number in range(100))
        games.send(GAME % 7)
        assert games.lines().decode() == WON % 7
        games.end()
        assert games.lines() == b""


def test_client_that_leaves_frees_its_place(tmp_path: Path) -> None:
    with served(tmp_path) as (server, client):
        first, second = Posting(server), Posting(server)
        for games in (first, second):
            games.send(FIRST)
            games.head()
            games.lines()
        refused = client.post("/api/judge", content=GAME % 1)
        assert code(refused) == "too_many"
        assert refused.headers["Retry-After"]
        first.close()
        second.close()
        while (answer := client.post("/api/judge", content=GAME % 1)).status_code == 429:
            pass
        assert answer.text == WON % 1


def test_unfinished_body_of_a_refused_request_is_limited(server: Server) -> None:
    with posting(server, "?format=x") as games:
        assert games.head().startswith(b"HTTP/1.1 422 ")
        with pytest.raises(ConnectionError):
            games.send(" " * 20_000_000)


def test_client_that_stalls_is_told_so(tmp_path: Path) -> None:
    hurried = "from noughts.service.http import responses; responses.PATIENCE = 0.1"
    with served(tmp_path, before=hurried) as (server, _):
        with posting(server) as games:
            games.send(GAME % 1)
            assert games.head().startswith(b"HTTP/1.1 408 ")
        with posting(server) as games:
            games.send(FIRST)
            games.head()
            text = b""
            while b"error" not in text:
                text = games.lines()
            assert json.loads(text)["error"]["code"] == "too_slow"


def test_verdicts_wait_for_the_client_in_memory_and_then_in_a_file() -> None:
    async def run() -> None:
        waiting = Overflowing(asyncio.get_running_loop())
        data = bytes(range(256)) * (KEPT // 100)  # more than is kept in memory
        for at in range(0, len(data), 50_000):
            await asyncio.to_thread(waiting.put, data[at : at + 50_000])
        taken = b""
        while len(taken) < len(data):
            part = await waiting.take()
            assert 0 < len(part) <= PORTION
            taken += part
        assert taken == data
        waiting.put(b"more")
        waiting.end()
        assert [await waiting.take(), await waiting.take()] == [b"more", b""]
        waiting.close()

    asyncio.run(run())


def test_file_of_verdicts_stays_small_for_a_client_that_lags() -> None:
    async def run() -> None:
        waiting = Overflowing(asyncio.get_running_loop())
        part = bytes(range(256)) * (PORTION // 256)
        waiting.put(part * 3)
        for number in range(60 * KEPT // PORTION):
            await asyncio.to_thread(waiting.put, number.to_bytes(2) + part[2:])
            taken = await waiting.take()
            assert taken[:2] == (part[:2] if number < 3 else (number - 3).to_bytes(2))
            assert waiting.stored < 2 * KEPT
        waiting.close()

    asyncio.run(run())


# Limits


def test_waiting_verdicts_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a client read nothing before the server has given up."""
    monkeypatch.setattr(responses, "MOST_UNREAD", 100_000)
    sent: list[bytes] = []

    async def run() -> None:
        games = b'{"n": 3, "moves": []}\n' * 50_000
        stream = VerdictStream(Reading(), Judges(), NO_LIMITS, lambda: None)

        body = [{"type": "http.request", "body": games, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return body.pop() if body else await asyncio.Future[dict[str, Any]]()  # it stays

        async def send(message: Any) -> None:
            while message["type"] == "http.response.body" and not stream.refused:
                await asyncio.sleep(0)
            sent.append(message.get("body", b""))

        await stream({"root_path": ""}, receive, send)

    asyncio.run(run())
    assert json.loads(b"".join(sent).splitlines()[-1])["error"]["code"] == "too_slow"


def test_games_are_limited_per_minute(tmp_path: Path) -> None:
    with served(tmp_path, "--judge-games=3", before=FROZEN) as (_, client):
        body = "".join(GAME % number for number in range(5))
        *verdicts, error = judged(client, body)
        assert verdicts == [json.loads(WON % number) for number in range(3)]
        assert error["error"]["message"].endswith("at most 3 per minute; try again in 20 s")
        refused = client.post("/api/judge", content=body)
        assert code(refused) == "too_many"
        assert refused.headers["Retry-After"] == "20"


def test_bytes_are_limited_after_decompression(tmp_path: Path) -> None:
    with served(tmp_path, "--judge-megabytes=1", before=FROZEN) as (_, client):
        bomb = gzip.compress(b"\n" * 50_000_000)
        answer = client.post("/api/judge", content=bomb)
        assert (code(answer), "1000000 per minute" in answer.text) == ("too_many", True)


def test_time_of_a_request_is_limited(tmp_path: Path) -> None:
    ticking = (
        "import itertools; from noughts.service.http import responses; "
        "responses.monotonic = itertools.count().__next__"  # a second passes with each look
    )
    with served(tmp_path, "--judge-seconds=3", before=ticking) as (_, client):
        answer = client.post("/api/judge", content=FIRST)
        assert code(answer) == "too_slow"
        assert "at most 3 seconds" in answer.text


# Positions


@pytest.fixture(scope="module")
def solving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Start a server that solves positions; return a client of it."""
    with served(tmp_path_factory.mktemp("solving"), "--solve-seconds=60") as (_, client):
        yield client


def test_position_is_solved_as_by_the_command(solving: httpx.Client, tmp_path: Path) -> None:
    for body, rules in (("a1 b2", "3x3"), ("", "4x3,k=3"), ("4453", "5x5,k=4,gravity")):
        game = f'{{"id": 1, "rules": "{rules}", "moves": "{body}"}}'
        (path := tmp_path / "position.jsonl").write_text(game)
        answer = solving.post("/api/solve", content=game)
        assert answer.status_code == 200, answer.text
        assert answer.json() == json.loads(noughts("solve", path).stdout)


def test_position_may_be_a_board_or_moves(solving: httpx.Client) -> None:
    board = solving.post("/api/solve", content="X O X\n. O .\n. . .\n")
    assert (board.json()["value"], board.json()["best"]) == (0, [2, 1])
    packed = gzip.compress(b"a1 b1 a2")
    assert solving.post("/api/solve?rules=3x3", content=packed).json()["best"] == [2, 0]


def test_game_is_analysed(solving: httpx.Client) -> None:
    answer = solving.post("/api/analyse?rules=3x3", content="b2 b1 a1 c3")
    game = Game.replay("3x3", [(1, 1), (0, 1), (0, 0), (2, 2)])
    wanted = [finding.lost for finding in analyse(game)]
    assert [found["lost"] for found in answer.json()["findings"]] == wanted


REFUSED: dict[str, tuple[str, str | bytes, str]] = {
    "a taken cell": ("solve", "a1 a1", "malformed"),
    "two games": ("solve", "a1\na2", "malformed"),
    "nothing": ("solve", "", "malformed"),
    "a call list": ("solve", '["TicTacToe"]\n[[3]]', "malformed"),
    "a large board": ("solve", '{"rules": "gomoku", "moves": []}', "malformed"),
    "three players": ("solve", '{"rules": "3x3,players=3", "moves": []}', "malformed"),
    "an archive": ("solve", b"PK\3\4", "bad_encoding"),
    "a long body": ("solve", b"x" * 70_000, "too_large"),
    "a long body, packed": ("solve", gzip.compress(b"x" * 70_000), "too_large"),
    "packed twice": ("solve", gzip.compress(gzip.compress(b"a1")), "bad_encoding"),
    "three dimensions": ("analyse", '{"rules": "3x3x3", "moves": []}', "malformed"),
    "a vast board": ("analyse", '{"rules": "200x200,k=5", "moves": []}', "malformed"),
    "a long game": (
        "analyse",
        json.dumps({"rules": "16x16", "moves": [*range(226)]}),
        "too_long",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_position_that_is_not_one_small_game_is_refused(solving: httpx.Client, kind: str) -> None:
    path, body, why = REFUSED[kind]
    assert code(solving.post(f"/api/{path}?rules=3x3", content=body)) == why


def test_id_of_a_position_may_be_invalid_utf_8(solving: httpx.Client) -> None:
    game = {"id": "\ud800", "n": 3, "moves": [[0, 0]]}
    answer = solving.post("/api/solve", content=json.dumps(game))
    assert answer.json()["id"] == r"\ud800"


def test_positions_are_refused_by_default(client: httpx.Client) -> None:
    for path in ("solve", "analyse"):
        assert code(client.post(f"/api/{path}?rules=3x3", content="a1")) == "disabled"


# The examples, and many games


def example(language: str, server: Server) -> str:
    """Return the example of judging in a language, for this server."""
    page = (Path(__file__).parents[2] / "docs/server.md").read_text("utf-8")
    part = page.partition("### Judging games without storing them")[2]
    found = re.search(rf"```{language}\n(.*?)```", part, re.DOTALL)
    assert found
    return found[1].replace("http://127.0.0.1:8000", server.url)


def test_python_example_runs(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.jsonl").write_text(GAME % 1 + GAME % 2)
    exec(example("py", server), {})
    assert capsys.readouterr().out == "1 won 1\n2 won 1\n"


@pytest.mark.tier2("process")
@pytest.mark.parametrize(("program", "language"), [("node", "js"), ("bash", "sh")])
def test_other_examples_run(server: Server, tmp_path: Path, program: str, language: str) -> None:
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    (tmp_path / "games.jsonl").write_text(GAME % 1 + GAME % 2)
    script = tmp_path / f"example.{'mjs' if language == 'js' else language}"
    script.write_text(example(language, server))
    done = subprocess.run([program, script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert '"won"' in done.stdout or "won 1" in done.stdout


@pytest.mark.tier2("load")
@pytest.mark.compiled("noughts.bulk._judge")
def test_a_million_games_are_judged_in_bounded_memory(tmp_path: Path) -> None:
    few, many = tmp_path / "few.jsonl", tmp_path / "many.jsonl"
    few.write_text(FIRST * 1000)
    many.write_text(FIRST * 10_000)

    def count(server: Server, path: Path) -> int:
        """Send all games before reading a verdict, as many clients do; count the verdicts."""
        with path.open("rb") as file:
            request = urllib.request.Request(f"{server.url}/api/judge", data=file)
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return sum(b'"won"' in line for line in answer)

    def peak(server: Server) -> int:
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found
        return int(found[1])

    with served(tmp_path) as (server, _):
        assert count(server, few) == 100_000
        before = peak(server)
        assert count(server, many) == 1_000_000
        assert peak(server) - before < 50_000  # kB; the games are 70 MB, and so are the verdicts
