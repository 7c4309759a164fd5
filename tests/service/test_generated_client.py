"""A client that is generated from the API's description plays a whole game, without an edit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import httpx
import pytest

from commands import SECONDS
from service.serving import Server, missing

ROOT = Path(__file__).parents[2]
GENERATE = "openapi-python-client generate --path openapi.json"
PLAY = """
import sys

from noughts_client import AuthenticatedClient, Client
from noughts_client.api.default import create, join, move, resign, state
from noughts_client.models import (
    Acted, ActRequest, JoinRequest, MoveRequest, NewGameRequest, Problem, SeatedAnswer, SeenAnswer
)

url = sys.argv[1]
anyone = Client(base_url=url)
one = create.sync(client=anyone, body=NewGameRequest(n=3, name="Ada"))
assert isinstance(one, SeatedAnswer), one
two = join.sync(one.id, client=anyone, body=JoinRequest(invite=one.invite))
assert isinstance(two, SeatedAnswer), two
players = [AuthenticatedClient(base_url=url, token=each.token) for each in (one, two)]
seq = two.game.seq
for ply, cell in enumerate([[0, 0], [1, 0], [0, 1], [1, 1], [0, 2]]):
    body = MoveRequest(cell=cell, seq=seq, key=f"move-{ply}")
    acted = move.sync(one.id, client=players[ply % 2], body=body)
    assert isinstance(acted, Acted), acted
    seq = acted.seq
seen = state.sync(one.id, client=players[0])
assert isinstance(seen, SeenAnswer), seen
assert [seen.to_dict()[name] for name in ("status", "winner")] == ["won", 1], seen
late = resign.sync(one.id, client=players[1], body=ActRequest(seq=seq, key="late"))
assert isinstance(late, Problem), late
print(late.code, late.detail)
"""


@pytest.mark.tier2("network")
def test_generated_client_plays_a_game(
    server: Server, client: httpx.Client, tmp_path: Path
) -> None:
    (tmp_path / "openapi.json").write_bytes(client.get("/openapi.json").content)
    (tmp_path / "play.py").write_text(PLAY)
    over = str(ROOT / "script/tools/over"), "openapi-python-client>=0.29", "--"
    generated = running(tmp_path, *over, *GENERATE.split())
    if running(tmp_path, *over, "openapi-python-client", "--version").returncode:
        missing("openapi-python-client")
    assert (tmp_path / "noughts-client").is_dir(), f"{generated.stdout}{generated.stderr}"
    (tmp_path / "noughts-client/noughts_client").rename(tmp_path / "noughts_client")
    played = running(tmp_path, *over, "python", "play.py", server.url)
    assert played.stdout == "game_over the game is over: player 1 has won\n", played.stderr


def running(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder."""
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=10 * SECONDS
    )
