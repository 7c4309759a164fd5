"""The network that evaluates positions for the engine, for the rules it was trained on.

``script/lab train`` writes the file: one line of JSON, with the training command, its results and a
checksum, and then the compressed weights in the order in which `network.pxd` unfolds them.
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
    """Return the path of a variant's network, which need not exist."""
    return folder / f"{variant}.network"


def network_for(rules: Rules, folder: Path = FOLDER) -> Any:
    """Return the network for games with these rules, or None if there is none.

    Raises:
        ModuleNotFoundError: the engine was not compiled.
        NoughtsError: the file is damaged.
    """
    engine = required("noughts.opponent.search._engine", 'the level "strong"')
    file = file_of(rules.variant, folder)
    return _network(file) if engine.can_learn(rules) and file.exists() else None


@cache
def _network(file: Path) -> Any:
    engine = required("noughts.opponent.search._engine", 'the level "strong"')
    return engine.Network(read(file)[1])


def read(file: Path) -> tuple[dict[str, Any], bytes]:
    """Return a network's metadata and weights. Raises NoughtsError if the file is damaged."""
    head, _, rest = file.read_bytes().partition(b"\n")
    try:
        about, numbers = json.loads(head), zlib.decompress(rest)
        whole = zlib.crc32(numbers) == about["checksum"]
    except (ValueError, KeyError, TypeError, zlib.error):
        whole = False
    if not whole:
        raise NoughtsError(f"{file} is damaged; install noughts again")
    return about, numbers
