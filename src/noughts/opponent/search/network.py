"""The network that the engine judges positions with, under the rules that it has learned.

``script/lab train`` makes the file: a line of JSON with the command that made it, what it reached
and a checksum; then its numbers, compressed, in the order in which `network.pxd` unfolds them.
"""

import json
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from noughts.compiled import required
from noughts.errors import NoughtsError
from noughts.game.rules import Rules

FOLDER = Path(__file__).parent


def file_of(variant: str, folder: Path = FOLDER) -> Path:
    """Where the network of a variant is, if there is one."""
    return folder / f"{variant}.network"


def network_for(rules: Rules, folder: Path = FOLDER) -> Any:
    """The network for games by these rules, None where there is none.

    Raises:
        ModuleNotFoundError: the engine was not compiled. NoughtsError: the file is damaged.
    """
    engine = required("noughts.opponent.search._engine", 'the level "strong"')
    file = file_of(rules.variant, folder)
    return _network(file) if engine.can_learn(rules) and file.exists() else None


@cache
def _network(file: Path) -> Any:
    engine = required("noughts.opponent.search._engine", 'the level "strong"')
    return engine.Network(read(file)[1])


def read(file: Path) -> tuple[dict[str, Any], bytes]:
    """What the file of a network says about it, and its numbers.

    Raises:
        NoughtsError: the file is damaged.
    """
    head, _, rest = file.read_bytes().partition(b"\n")
    try:
        about, numbers = json.loads(head), zlib.decompress(rest)
        whole = zlib.crc32(numbers) == about["checksum"]
    except (ValueError, KeyError, TypeError, zlib.error):
        whole = False
    if not whole:
        raise NoughtsError(f"{file} is damaged; install noughts again")
    return about, numbers
