r"""Libraries of RenLib (.lib): a tree of renju moves, each of whose lines is read as a game.

A header of 20 bytes begins with ``\xffRenLib\xff`` and the version; old files without it begin
with the centre. Then come the nodes of the tree, each before its children. A node has two bytes:
the cell, 16 times the row from the top plus the column counted from 1, and flags. Where the flags
say so, two more bytes of flags, a comment and a text on the board follow. The first node may be a
root without a move. The layout is that of RenLib's published source, version 3.4. Texts on the
board are skipped, and a line with a pass is an error.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import IO, NamedTuple

from noughts.errors import InvalidRecord
from noughts.game.geometry import Cell
from noughts.game.rules import Rules
from noughts.records.lines import MAX_LINE
from noughts.records.record import Note, Record

HEADER = b"\xffRenLib\xff"
CENTRE = b"\x78"
"""The first byte of old files."""

SIDE = 15
_HEADER_SIZE, _VERSION = 20, (3, 4)
# Flags of a node. After a leaf comes the sibling of the latest node that has one left.
_SIBLING, _LEAF, _OLD_COMMENT, _COMMENT, _NO_MOVE, _EXTENDED = 0x80, 0x40, 0x20, 0x08, 0x02, 0x01
_TEXT = 0x01  # in the second pair of flags
_DEEPEST = 2 * SIDE * SIDE  # nodes of a line, of which some hold only a text
_PASS: Cell = ()
# Texts are in the writer's code page, which the file does not name. GB 2312, a part of GBK, rarely
# fits Latin-1, in which two accented letters seldom stand together.
_ENCODINGS = ("utf-8", "gb2312", "latin-1")


class _Node(NamedTuple):
    """A node; its cell is None if it holds no move."""

    cell: Cell | None
    comment: str
    has_sibling: bool
    is_leaf: bool


def read_renlib(
    file: IO[bytes], source: str, rules: Rules | None = None
) -> Iterator[Record | InvalidRecord]:
    """Yield the lines of a library, like `noughts.records.read_records`; renju by default."""
    rules = rules or Rules.gomoku("renju")
    if rules.shape != (SIDE, SIDE):
        yield InvalidRecord(f"a library of RenLib needs a board of 15×15, got {rules}", source)
        return
    try:
        for number, line in enumerate(_lines(_nodes(file)), 1):
            yield _record(line, rules, number, source)
    except InvalidRecord as error:
        yield InvalidRecord(error.args[0], source)


def _record(line: list[_Node], rules: Rules, number: int, source: str) -> Record | InvalidRecord:
    moves = [node for node in line if node.cell is not None]
    cells = tuple(node.cell for node in moves if node.cell is not None)
    if _PASS in cells:
        ply = cells.index(_PASS) + 1
        return InvalidRecord(f"line {number} of the tree: move {ply} is a pass", source)
    comment = "\n".join(node.comment for node in line if node.cell is None and node.comment)
    notes = tuple(Note(node.comment) for node in moves) if any(n.comment for n in moves) else ()
    return Record(rules, cells, comment=comment, notes=notes, notation="pos")


def _lines(nodes: Iterator[_Node]) -> Iterator[list[_Node]]:
    """Yield the nodes from the root to each leaf, if they hold moves that no other line holds.

    Raises:
        InvalidRecord: the tree is cut off or too deep.
    """
    line, siblings, told = list[_Node](), list[int](), list[Cell]()
    for node in nodes:
        line.append(node)
        if len(line) > _DEEPEST:
            raise InvalidRecord(f"a line has more than {_DEEPEST} nodes")
        if node.has_sibling:
            siblings.append(len(line) - 1)
        if node.is_leaf:
            cells = [each.cell for each in line if each.cell is not None]
            if cells != told[: len(cells)]:
                yield line
                told = cells
            if not siblings:
                if next(nodes, None):
                    raise InvalidRecord("the tree ends before the file does")
                return
            del line[siblings.pop() :]
    raise InvalidRecord("the file ends before its tree does")


def _nodes(file: IO[bytes]) -> Iterator[_Node]:
    """Yield the nodes of a library.

    Raises:
        InvalidRecord: the file is not a library, or of a later version.
    """
    number = 0
    while pair := _pair(file) if number else _first_pair(file):
        number += 1
        cell, flags = pair
        more = int.from_bytes(_pair(file)[1:]) if flags & _EXTENDED else 0
        comment = _text(file, flags) if flags & (_COMMENT | _OLD_COMMENT) else ""
        if more & _TEXT:
            _text(file, _COMMENT)
        has_move = not flags & _NO_MOVE and (cell or number > 1)
        found = _cell(cell, number) if has_move else None
        yield _Node(found, comment, bool(flags & _SIBLING), bool(flags & _LEAF))


def _first_pair(file: IO[bytes]) -> bytes:
    """Skip the header, if there is one, and return the next two bytes."""
    first = file.read(2)
    if len(first) == 2 and first.startswith(CENTRE):
        return first
    head = first + file.read(_HEADER_SIZE - 2)
    if not head.startswith(HEADER) or len(head) < _HEADER_SIZE:
        raise InvalidRecord("this is not a library of RenLib")
    version = head[len(HEADER)], head[len(HEADER) + 1]
    if version > _VERSION:
        wanted, got = (".".join(map(str, each)) for each in (_VERSION, version))
        raise InvalidRecord(f"expected a library of RenLib {wanted} or earlier, got {got}")
    return _pair(file)


def _pair(file: IO[bytes]) -> bytes:
    """Return the next two bytes; none at the end of the file."""
    pair = file.read(2)
    return pair if len(pair) == 2 else b""


def _cell(byte: int, number: int) -> Cell:
    row, col = divmod(byte, 16)
    if byte and (row >= SIDE or not col):
        raise InvalidRecord(f"node {number}: byte 0x{byte:02x} is no cell of a 15×15 board")
    return (row, col - 1) if byte else _PASS


def _text(file: IO[bytes], flags: int) -> str:
    """Read a text in whole pairs of bytes, in the first of `_ENCODINGS` that fits.

    It ends with a zero, or in old files with a byte whose highest bit is set. A backspace separates
    its first line from the others.
    """
    text, old = bytearray(), flags & _OLD_COMMENT
    while pair := _pair(file):
        for byte in pair:
            if byte or old:
                text.append(byte & 0x7F if old else byte)
            if byte & 0x80 if old else not byte:
                return _decoded(bytes(text)).replace("\b", "\n").replace("\r\n", "\n").strip()
        if len(text) > MAX_LINE:
            raise InvalidRecord(f"a comment is longer than {MAX_LINE >> 20} MiB")
    raise InvalidRecord("the file ends within a comment")


def _decoded(text: bytes) -> str:
    for encoding in _ENCODINGS[:-1]:
        with suppress(UnicodeDecodeError):
            return text.decode(encoding)
    return text.decode(_ENCODINGS[-1])
