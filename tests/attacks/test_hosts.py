"""Foreign host names, secrets in messages, forged proxy headers and invisible names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from noughts.cli.app import application
from noughts.service.http.middleware import Hosts
from noughts.service.http.models import normalised
from noughts.service.play.api_errors import APIError
from noughts.service.settings import read_settings
from noughts.service.store.dialects import store_at
from noughts.service.store.sql import DatabaseRefused
from service.serving import Server, code, serving, speaking_to

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("door") / "noughts.db"
    names = "--host-name=games.example, other.example"
    with serving(f"sqlite:///{path}", names, "--proxy=127.0.0.1") as server:
        yield server


@pytest.fixture(scope="module")
def client(attacked: Server) -> Iterator[httpx.Client]:
    with speaking_to(attacked) as found:
        yield found


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("192.0.2.7", True),
        ("localhost:1", True),
        ("LOCALHOST", True),
        ("games.example", True),
        ("Games.Example:443", True),
        ("other.example.", True),
        ("evil.example", False),
        ("games.example.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example", False),
        ("evil.example:127.0.0.1", False),
        ("evil.example@127.0.0.1", True),  # still an address, as the part before @ is a user
        ("[evil", False),
        ("", False),
    ],
)
def test_only_own_host_names_are_answered(client: httpx.Client, host: str, own: bool) -> None:
    for path in ("/", "/api/games?listed=open", "/healthz", "/nowhere"):
        answer = client.get(path, headers={"Host": host})
        assert (answer.status_code == 421) is not own
        if not own:
            assert code(answer) == "wrong_host"
            assert "--host-name" in answer.text


def test_host_option_is_an_own_host_name() -> None:
    hosts = Hosts(read_settings(host="here.example").host_names)
    hosts.check({"headers": [(b"host", b"here.example:8000")]})
    with pytest.raises(APIError):
        hosts.check({"headers": [(b"host", b"there.example")]})


def refused(*options: str, **environment: str) -> str:
    """Return the error of `noughts serve`, which does not start."""
    ended = CliRunner().invoke(application, ["serve", "--port=0", *options], env=environment)
    assert ended.exit_code == 2, ended.output
    return ended.stderr


def test_empty_host_is_refused() -> None:
    assert refused("--host=") == "noughts: --host: expected a value, got ''\n"
    assert refused(NOUGHTS_HOST="") == "noughts: NOUGHTS_HOST: expected a value, got ''\n"


@pytest.mark.parametrize(
    "address",
    [
        "postgres//user:hunter2@db/games",
        "postgresql://user:hunter2@db:port/games",
        "mysql://user:hunter2@db/games",
        "postgresql+nothing://user:hunter2@db/games",
        "postgresql://user:hunter2@127.0.0.1:1/games",
        "hunter2",
    ],
)
def test_error_messages_omit_database_passwords(address: str) -> None:
    with pytest.raises(DatabaseRefused) as error:
        store_at(address).open()
    assert "hunter2" not in str(error.value)
    assert "hunter2" not in refused(f"--database-url={address}")


def test_forwarded_for_accepts_only_addresses(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/noughts.db"
    with serving(database, "--proxy=127.0.0.1") as server, speaking_to(server) as client:
        said = ["203.0.113.9", "2001:db8::1", "\x9b31mred", "1.2.3.4 GET '/forged' 200", "é" * 999]
        for each in said:
            headers = {b"X-Forwarded-For": each.encode("latin-1")}
            assert client.get("/docs", headers=headers).status_code == 200
        lines = [line for line in server.stop().splitlines() if "/docs" in line]
    clients = [line.split(" INFO ")[1].split(" GET ")[0] for line in lines]
    assert clients == ["203.0.113.9", "2001:db8::1", "unknown", "unknown", "unknown"]
    assert not any("forged" in line or "\x9b" in line for line in lines)


@pytest.mark.parametrize(
    "name", ["\u3164", "\u2800\u2800", "\u115f \u1160", "\uffa0", "\u200b", "\u3164\u200d\u3164"]
)
def test_invisible_name_is_none(name: str) -> None:
    assert normalised(name) is None
    assert normalised(f"{name}Ada{name}") == "Ada"


@pytest.mark.parametrize(
    "name",
    [
        "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}",
        "\U0001f3f3\ufe0f\u200d\N{RAINBOW}",
        "\N{WOMAN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}\u200d\N{ROCKET}",
        "\N{WAVING BLACK FLAG}\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian uses joiners within words
    ],
)
def test_joiners_within_characters_are_kept(name: str) -> None:
    assert normalised(name) == name


def test_joiners_elsewhere_are_removed() -> None:
    assert (
        normalised("A\u200dda \u200c\N{WOMAN}\u200d Lovelace\U000e0067") == "Ada \N{WOMAN} Lovelace"
    )
