"""All commands: rejected input, help, completion, and the page about them."""

from __future__ import annotations

import re
import sys
from contextlib import redirect_stdout
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from commands import CALLS, GAMES, noughts
from noughts.cli import main
from noughts.cli.app import application
from noughts.game.rules import NAMED, VARIANTS
from noughts.opponent import LEVELS
from script.tools.cli_page import EXAMPLES, FILE, page

pytestmark = pytest.mark.usefixtures("plain_terminal")


# Rejected input

CLASSIC = "trace supports only two players and n in a row on an n×n board, not "


@pytest.mark.parametrize(
    ("arguments", "typed", "message"),
    [
        (["trace", GAMES, "--id", "missing"], "", f"no game with the id 'missing' in {GAMES}"),
        (["show", GAMES, "--id", "missing"], "", f"no game with the id 'missing' in {GAMES}"),
        (["trace"], '{"n":40000,"moves":[]}', "a 40000×40000 board is too large to draw"),
        (["show"], '{"n":1001,"moves":[]}', "a 1001×1001 board is too large to draw"),
        (["show", "--svg"], '{"n":1001,"moves":[]}', "a 1001×1001 board is too large to draw"),
        (["show", CALLS], "",
         "cannot show a call list; use noughts trace"),
        (["trace", GAMES, "--id", "gomoku"], "", f"{CLASSIC}15×15 with k = 5 and 2 players"),
        (["trace", GAMES, "--id", "cube"], "", f"{CLASSIC}4×4×4 with k = 4 and 2 players"),
        (["trace", GAMES, "--id", "five-by-six"], "", f"{CLASSIC}6×5 with k = 4 and 2 players"),
        (["trace", GAMES, "--id", "three-players"], "", f"{CLASSIC}6×6 with k = 3 and 3 players"),
        (["trace"], '{"n":3,"players":3,"moves":[]}', f"{CLASSIC}3×3 with k = 3 and 3 players"),
        (["trace"], '{"n":4,"k":3,"moves":[]}', f"{CLASSIC}4×4 with k = 3 and 2 players"),
        (["trace"], '{"shape":[3],"moves":[]}', f"{CLASSIC}1×3 with k = 3 and 2 players"),
    ],
)  # fmt: skip
def test_command_rejects_unsupported_game_in_one_line(
    arguments: list[str | Path], typed: str, message: str
) -> None:
    result = noughts(*arguments, typed=typed)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"noughts: {message}\n"


START_WITH = f": start with {', '.join(NAMED)} or a board"
NO_LEVEL = f"is not one of {', '.join(map(repr, LEVELS))}"


@pytest.mark.parametrize(
    ("commands", "arguments", "message"),
    [
        *(
            (["play", "perft"], arguments, message)
            for arguments, message in [
                *((["--rules", board], f"unknown rules '{board}'{START_WITH}")
                  for board in ("abc", "x", "3x-3", "", "٣x٣")),
                (["--rules", "3,3"], f"unknown rules '3'{START_WITH}"),
                (["--rules", "3,renju"], f"unknown rules 'renju'{START_WITH}"),
                (["--rules", "0x3"], "every side of the board must be at least 1, got 0"),
                (["--rules", "3x4"], "the sides of a 3×4 board differ: give k"),
                (["--rules", "1x1x1x1x1x1x1x1x1"], "a board has 1 to 8 dimensions, got 9"),
                (["--rules", "3,k=4"], "k must be 1 to 3 on a 3×3 board, got 4"),
                (["--rules", "3,k=0"], "k must be 1 to 3 on a 3×3 board, got 0"),
                (["--rules", "3,players=1"], "players must be 2 to 8, got 1"),
                (["--rules", "3,players=9"], "players must be 2 to 8, got 9"),
            ]
        ),
        *(
            (["play", "match easy easy", "solve"], ["--seconds", seconds],
             "Invalid value for '--seconds'")
            for seconds in ("nan", "-1", "x")
        ),
        (["play"], ["--rules", "1001x1001,k=3"], "board is too large to draw"),
        (["play"], ["--rules", "1000001x1,k=3"], "board is too large to draw"),
        (["play"], ["--level", "EASY"], f"'EASY' {NO_LEVEL}"),
        (["match"], ["easy", "EASY"], f"'EASY' {NO_LEVEL}"),
        (["play"], ["--opponent", "EASY"], "'EASY' is not one of 'human', 'computer'"),
        (["play"], ["--first", "EASY"], "'EASY' is not one of 'human', 'computer'"),
        (["trace"], ["--referee", "guess"], "'guess' is not one of 'scan', 'tallies', 'signed'"),
        (["show"], ["--ply", "-1"], "Invalid value for '--ply'"),
        *((["perft"], ["--depth", depth], "Invalid value for '--depth'")
          for depth in ("0", "-1", "x")),
        (["perft"], ["--positions", "--depth", "3"], "cannot be combined with --depth"),
        (["play"], ["--level", "stong"], f"'stong' {NO_LEVEL}; did you mean 'strong'?"),
        (["jugde"], [], "No such command 'jugde'. Did you mean 'judge'?"),
        (["judge"], ["--jbos"], "No such option '--jbos'. Did you mean '--jobs'?"),
    ],
)  # fmt: skip
def test_command_rejects_wrong_options(
    commands: list[str], arguments: list[str], message: str
) -> None:
    for command in commands:
        result = noughts(*command.split(), *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr


# Help


def unwrapped(shown: str) -> str:
    """Return the text on one line."""
    return " ".join(shown.split())


COMMANDS: dict[str, Any] = dict(application.commands)
PARAMETERS = [
    pytest.param(name, parameter, id=f"{name}-{parameter.name}")
    for name, command in COMMANDS.items()
    for parameter in command.params
    if not getattr(parameter, "hidden", False)
]


def test_help_lists_these_commands() -> None:
    expected = (
        "play join rules check trace judge convert show analyse serve migrate export match brain "
        "solve prove perft"
    )
    assert list(COMMANDS) == expected.split()
    assert re.findall(r"^  (\w+)  ", noughts("--help").stdout, re.M) == expected.split()


def test_noughts_without_command_prints_help() -> None:
    assert unwrapped(noughts().output) == unwrapped(noughts("--help").output)


def test_help_describes_every_command() -> None:
    shown = unwrapped(noughts("--help").stdout)
    for name, command in COMMANDS.items():
        assert f"{name} {command.help.splitlines()[0]}" in shown


@pytest.mark.parametrize("flag", ["--help", "-h"])
@pytest.mark.parametrize("name", COMMANDS)
def test_command_has_help(name: str, flag: str) -> None:
    result = noughts(name, flag)
    assert (result.exit_code, result.stderr) == (0, "")
    shown = unwrapped(result.stdout)
    assert shown.startswith(f"Usage: noughts {name} ")
    assert unwrapped(COMMANDS[name].help.splitlines()[0]) in shown


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_parameter_has_a_sentence_of_help(name: str, parameter: Any) -> None:
    assert re.fullmatch(r"[A-Z].*\.", parameter.help, re.DOTALL)
    assert parameter.help.split()[0] in noughts(name, "--help").stdout


# Completion


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("noughts so", "plain,solve"),
        ("noughts solve --rules re", "plain,renju"),
        ("noughts solve --rules gomoku-st", "plain,gomoku-standard"),
        ("noughts rules early", "plain,early-draw"),
        ("noughts play --rules tic", "plain,tic-tac-toe"),
        ("noughts play --level m", "plain,medium"),
        ("noughts match ea", "plain,easy"),
        ("noughts match ./e", "file,./e"),
        ("noughts show ga", "file,ga"),
        ("noughts judge ga", "file,ga"),
        ("noughts convert ga", "file,ga"),
        ("noughts solve --rules 4x4,var", " ".join(f"plain,4x4,variant={v}" for v in VARIANTS)),
        ("noughts trace --ref", "plain,--referee"),
    ],
)
def test_shell_completes(
    typed: str,
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.setenv("_NOUGHTS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    with pytest.raises(SystemExit) as ended:
        application.main([])
    assert ended.value.code == 0
    assert capfdbinary.readouterr().out.decode().split() == expected.split()


def test_commands_page_is_the_text_of_the_help() -> None:
    assert FILE.read_text("utf-8") == page(), "run .venv/bin/python -m script.tools.cli_page"


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_uses_existing_options(name: str) -> None:
    options = {word for parameter in COMMANDS[name].params for word in parameter.opts}
    used = re.findall(r"(?<=\s)--?[a-z][\w-]*", "\n".join(EXAMPLES[name]))
    assert set(used) <= options


def test_main_writes_to_redirected_standard_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["noughts", "--version"])
    with redirect_stdout(StringIO()) as printed, pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert printed.getvalue() == f"noughts {version('noughts')}\n"
