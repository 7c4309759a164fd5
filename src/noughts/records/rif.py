"""RenjuNet's database of renju games (.rif), XML; it is only read.

::

    <database><games><game id="7" black="1" white="2" bresult="1">
    <move>h8 h9 i8</move></game></games></database>

``bresult`` is Black's result: 1, 0.5 or 0. Rows are counted from the bottom. The names of players
come from the elements ``player``, which precede the games. The format has no public description;
this is what the published files contain.
"""

from collections.abc import Iterator
from typing import IO
from xml.etree import ElementTree  # expat limits the expansion of entities

from noughts.errors import InvalidRecord
from noughts.game.rules import Rules
from noughts.records.moves import read_moves
from noughts.records.record import Record

RESULTS = {"1": 1, "0": 2, "0.5": 0, "1/2": 0}


def read_rif(
    file: IO[bytes], source: str, rules: Rules | None = None
) -> Iterator[Record | InvalidRecord]:
    """Yield the games of a file, like `noughts.records.read_records`; they are renju by default."""
    players: dict[str, str] = {}
    known = rules or Rules.gomoku("renju")
    games: list[ElementTree.Element] = []
    begun = False
    try:
        for event, element in ElementTree.iterparse(file, ("start", "end")):
            if event == "start" and not begun and element.tag != "database":
                yield InvalidRecord(f"expected <database>, got <{element.tag[:40]}>", source)
                return
            begun = True
            if element.tag == "games" and event == "start":
                games.append(element)
            elif element.tag == "player" and event == "end":
                words = (element.get("name", ""), element.get("surname", ""))
                players[element.get("id", "")] = " ".join(filter(None, words))
            elif element.tag == "game" and event == "end":
                yield _game(element, source, known, players)
                for parent in games:
                    parent.clear()  # otherwise memory would grow with the file
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        line = error.position[0] if isinstance(error, ElementTree.ParseError) else None
        yield InvalidRecord(f"this is not XML: {error}", source, line)


def _game(
    element: ElementTree.Element, source: str, rules: Rules, players: dict[str, str]
) -> Record | InvalidRecord:
    name = element.get("id")
    names = tuple(players.get(element.get(colour, ""), "") for colour in ("black", "white"))
    try:
        moves = read_moves(element.findtext("move") or "", rules, "bottom")
    except InvalidRecord as error:
        return InvalidRecord(f"game {name}: {error.args[0]}", source)
    return Record(
        rules,
        moves,
        name,
        RESULTS.get(element.get("bresult", "")),
        names if any(names) else (),
        notation="pos",
    )
