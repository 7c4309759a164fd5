"""SGF, the Smart Game Format (FF[4], https://www.red-bean.com/sgf/), for gomoku and renju.

A file holds any number of games, each a tree of moves, of which the main line is read. A point is
two letters, its column from the left and its row from the top: ``B[hg]`` is cell (6, 7). Black is
player 1. Games must have ``GM[4]``. These properties are read and written:

=============  ====================================================================================
``GN``         `Record.id`
``SZ``         the board: ``15``, or columns and rows, ``20:15``; 15 if missing
``RU``         the rules, as read by `Rules.parse`, or a number of the Gomocup protocol
``PB`` ``PW``  `Record.names`
``RE``         `Record.result`: ``B+…``, ``W+…``, ``0``, 黑胜, 白胜, 和棋; otherwise none
``C``          comments; a last line such as ``456ms`` gives the time that the move took
``BL`` ``WL``  the seconds left on the player's clock; ``OB`` ``OW``, the moves to make in that time
=============  ====================================================================================

Text is UTF-8, or in the encoding named by ``CA``. Needs ``noughts[records]``.
"""

import codecs
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import IO

from noughts.errors import InvalidRecord, InvalidRules, short_repr
from noughts.extras import require_extra
from noughts.game.geometry import Cell
from noughts.game.names import GOMOCUP_RULES
from noughts.game.rules import Rules
from noughts.records.record import Note, Record, rules_of_name, rules_of_size

with require_extra("SGF", "sgfmill", "records"):
    from sgfmill import sgf_grammar as grammar

MAX_GAME = 1 << 20  # bytes; a game needs about a hundred times its size in memory
PIECE = 1 << 20  # bytes read at once

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLOURS = ("B", "W")
GO_SIZES = ("19", "19:19")
NUMBERED = {str(number): variant for variant, number in GOMOCUP_RULES.items()} | {"0": "gomoku"}
RESULTS = {"黑": 1, "白": 2, "和": 0, "b": 1, "w": 2, "0": 0, "draw": 0}

# Encodings that keep the brackets of ASCII, and whose decoders run in linear time.
_ENCODING = re.compile(r"utf-8|ascii|gb\w+|big5\w*|shift_jis\w*|euc\w+|iso8859-\d+|cp\d+|koi8-\w")
_CHARSET = re.compile(rb"[;\]\s]CA\s*\[\s*([\w.:-]{1,40})\s*\]")
# The grammar allows only letters in identifiers, but some files use names such as 5A. This pattern
# removes digits from identifiers; values keep theirs.
_DIGITS = re.compile(rb"(\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(?:\]|\\?\Z))|[0-9]", re.DOTALL)
# A bracket before a non-ASCII character does not close the value, although it should be escaped.
_UNESCAPED = re.compile(rb"(?<!\\)\](?=[\x80-\xff])")
_SECONDS = re.compile(r"(?:-?[0-9]{1,15}(?:\.[0-9]{0,15})?)?")
_COUNT = re.compile(r"(?:[0-9]{1,15})?")
# The parts of a game that matter for its end: values, brackets of variations, an unfinished value.
_PARTS = re.compile(rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]|[()\[]", re.DOTALL)
_START = re.compile(rb"\s*+(\(\s*+;)?")
_SPACES = re.compile(rb"\s++")
_UNDECIDED = re.compile(rb"\s*+(?:\(\s*+)?\Z")  # what follows decides whether a game begins

Node = dict[str, list[bytes]]


def read_sgf(
    file: IO[bytes], source: str, rules: Rules | None = None
) -> Iterator[Record | InvalidRecord]:
    """Yield the games of a file, like `noughts.records.read_records`.

    Reading ends at the first game whose brackets do not match. The board of a game always comes
    from the file, not from `rules`.
    """
    at = 0
    try:
        text = _Text(file)
        while start := _START.match(text.data, at):
            if _UNDECIDED.match(text.data, at):
                spaces = _SPACES.match(text.data, at)
                begin = spaces.end() if spaces else at
                if len(text.data) - begin < MAX_GAME and text.more(begin):
                    at = 0
                    continue
            line = text.line(start.end())
            if start[1] is None:
                if start.end() < len(text.data):
                    unexpected = short_repr(chr(text.data[start.end()]))
                    yield InvalidRecord(f"expected ( before a game, got {unexpected}", source, line)
                return
            begin = start.start(1)
            end = _end_of_game(text.data, begin)
            if end is None and len(text.data) - begin < MAX_GAME and text.more(begin):
                at = 0
                continue
            at = min(end or len(text.data), begin + MAX_GAME)
            line = text.line(begin)
            yield _game(_tokens(text.data[begin:at], line), source, line, rules)
    except InvalidRecord as error:
        yield InvalidRecord(error.args[0], source, error.line)


def _tokens(data: bytes, line: int) -> list[tuple[str, bytes]]:
    """Split the text of a game; raise InvalidRecord if its end cannot be found."""
    plain = _DIGITS.sub(rb"\1", data)
    tokens, length = grammar.tokenise(plain)
    if length < len(plain) or tokens.count(("D", b"(")) != tokens.count(("D", b")")):
        rest = plain[length:].lstrip()
        line += plain.count(b"\n", 0, len(plain) - len(rest) if rest else length)
        raise InvalidRecord(_broken(rest, len(data) == MAX_GAME), line=line)
    return list(tokens)


def _game(
    tokens: list[tuple[str, bytes]], source: str, line: int, rules: Rules | None
) -> Record | InvalidRecord:
    """Read a game whose text begins in this line."""
    try:
        return _record(_main_line(tokens), rules)
    except (InvalidRecord, InvalidRules) as error:
        return InvalidRecord(error.args[0], source, line)


def _end_of_game(data: bytes, begin: int) -> int | None:
    """Return where the game ends that begins here; None if its end is missing."""
    depth = 0
    for part in _PARTS.finditer(data, begin, begin + MAX_GAME):
        if part[0] == b"[":  # a value without its end
            return None
        depth += {b"(": 1, b")": -1}.get(part[0], 0)
        if not depth:
            return part.end()
    return None


class _Text:
    """The text of a file, converted to UTF-8, of which only a part is kept.

    Attributes:
        data: the part.

    Raises:
        InvalidRecord: the text is not in the encoding that it names.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        head = file.read(PIECE).removeprefix(codecs.BOM_UTF8)
        named = _CHARSET.search(head, 0, 4096)
        self._name = named[1].decode() if named else "UTF-8"
        self._advice = "" if named else ", and CA[…] does not name another encoding"
        try:
            known = _ENCODING.fullmatch(codecs.lookup(self._name).name)
        except LookupError:
            known = None
        if not known:
            raise InvalidRecord(f"CA[{self._name}] names an unsupported encoding")
        self._decode = codecs.getincrementaldecoder(self._name)().decode
        self._line, self._counted, self._held = 1, 0, ""
        self.data = b""
        self._add(head)

    def line(self, at: int) -> int:
        """Return the number of the line at this place; places must not decrease."""
        self._line += self.data.count(b"\n", self._counted, at)
        self._counted = max(self._counted, at)
        return self._line

    def more(self, begin: int) -> bool:
        """Read on, and drop what is before this place; return whether the file had more."""
        piece = self._file.read(PIECE)
        if not piece and not self._held:
            return False
        self.line(begin)
        self.data, self._counted = self.data[begin:], self._counted - begin
        self._add(piece)
        return True

    def _add(self, piece: bytes) -> None:
        try:
            text = self._held + self._decode(piece, not piece)
        except UnicodeDecodeError as error:
            line = self.line(len(self.data)) + piece.count(b"\n", 0, error.start)
            problem = f"the text is not {self._name}{self._advice}: byte "
            raise InvalidRecord(f"{problem}0x{error.object[error.start]:02x}", line=line) from None
        # What stands around a bracket decides whether it is escaped, so hold the end back.
        held = re.search(r"\\?\]\Z|\\\Z", text[-2:]) if piece else None
        self._held = held[0] if held else ""
        text = text.removesuffix(self._held)
        self.data += _UNESCAPED.sub(rb"\]", text.encode())


def to_sgf(record: Record) -> str:
    """Return the record as an SGF game, ending with a newline.

    Raises:
        InvalidRecord: SGF does not support the board, the number of players or a cell.
    """
    rules = record.rules
    if len(rules.shape) != 2 or max(rules.shape) > len(LETTERS) or rules.players != 2:
        raise InvalidRecord("SGF supports only two players and boards of up to 52×52")
    rows, columns = rules.shape
    size = f"{columns}" if rows == columns else f"{columns}:{rows}"
    root = {"FF": "4", "GM": "4", "CA": "UTF-8", "SZ": size, "RU": str(rules)}
    root |= {} if record.id is None else {"GN": str(record.id)}
    root |= dict(zip(("PB", "PW"), record.names, strict=False))
    root |= {} if record.result is None else {"RE": ("0", "B+", "W+")[record.result]}
    root |= {"C": record.comment} if record.comment else {}
    tree = grammar.Coarse_game_tree()
    tree.sequence = [_node(root)]
    for ply, (cell, note) in enumerate(
        zip_longest(record.moves, record.notes[: len(record.moves)])
    ):
        colour = COLOURS[ply % 2]
        tree.sequence.append(_node({colour: _point(cell)} | _noted(note or Note(), colour)))
    written: bytes = grammar.serialise_game_tree(tree)
    return written.decode()


def _broken(rest: bytes, long: bool) -> str:
    """Return why the end of a game was not found; `rest` is the text that could not be read."""
    if long:
        return f"the game is longer than {MAX_GAME >> 20} MiB, or its end is missing"
    if not rest or rest.startswith(b"["):
        return f"the game is cut off: {'a ]' if rest else 'a )'} is missing"
    return f"expected a property, ; or ), got {short_repr(rest[:20].decode(errors='replace'))}"


def _main_line(tokens: list[tuple[str, bytes]]) -> list[Node]:
    """Return the nodes of the main line, which ends at the first closing bracket."""
    nodes: list[Node] = []
    values: list[bytes] | None = None
    before = None
    for kind, token in tokens:
        if kind == "V":
            if values is None:
                raise InvalidRecord(f"expected a property before [{_text(token)[:20]}]")
            values.append(token)
        elif before == "I":
            raise InvalidRecord("a property has no value")
        elif token == b")":
            break
        elif kind == "I":
            values = nodes[-1].setdefault(token.decode(), [])
        else:
            values = None
            if token == b";":
                nodes.append({})
        before = kind
    return nodes


def _record(nodes: list[Node], rules: Rules | None) -> Record:
    root = nodes[0]
    if (game := _value(root, "GM") or "4") != "4":
        raise InvalidRecord(f"expected GM[4], gomoku or renju, got GM[{game[:20]}]")
    moves: list[Cell] = []
    notes: list[Note] = []
    remarks: list[str] = []
    for node in nodes:
        if setup := {"AB", "AW", "AE"} & node.keys():
            raise InvalidRecord(f"{min(setup)} sets up stones: records begin with an empty board")
        colour = COLOURS[len(moves) % 2]
        comment = "\n".join(_text(value) for value in node.get("C", ()))
        if played := [name for name in COLOURS if name in node]:
            given = f"{played[-1]}[{_value(node, played[-1])}]"[:20]
            if played != [colour] or len(node[colour]) != 1:
                raise InvalidRecord(f"move {len(moves) + 1} must be one {colour} move, got {given}")
            moves.append(_cell(_value(node, colour), f"move {len(moves) + 1}, {given},"))
            notes.append(_note(node, comment, colour))
        elif comment and notes:  # a remark after a move
            comment = "\n".join(filter(None, (notes[-1].comment, comment)))
            notes[-1] = Note(comment, notes[-1].took, notes[-1].left, notes[-1].moves_left)
        else:
            remarks += [comment] if comment else []
    names = tuple(_value(root, name) for name in ("PB", "PW"))
    return Record(
        _rules(root, rules),
        tuple(moves),
        _value(root, "GN") or None,
        _result(_value(root, "RE")),
        names if any(names) else (),
        "\n".join(remarks),
        tuple(notes) if any(note != Note() for note in notes) else (),
        notation="sgf",
    )


def _rules(root: Node, given: Rules | None) -> Rules:
    """Return the rules that a game names, or else the given ones, on the game's board."""
    name = _value(root, "RU").strip().lower()
    rules = given or Rules.gomoku()
    if name:
        rules = rules_of_name(NUMBERED.get(name, name), given, f"RU[{name[:20]}]")
    size = _value(root, "SZ")
    is_go = size.strip() in GO_SIZES or {"KM", "HA"} & root.keys()
    if is_go and given is None and not (name or "GM" in root):
        raise InvalidRecord("without GM and RU this is a game of Go: pass --rules if not")
    if not size:
        return rules
    sides = re.fullmatch(r"\s*([0-9]{1,4})\s*(?::\s*([0-9]{1,4})\s*)?", size)
    if not sides:
        raise InvalidRecord(f"expected a size such as SZ[15] or SZ[20:15], got SZ[{size[:20]}]")
    return rules_of_size(rules, (int(sides[2] or sides[1]), int(sides[1])))


def _cell(point: str, move: str) -> Cell:
    if not re.fullmatch(r"[a-zA-Z]{2}", point):
        reason = "is not a point" if point else "is a pass, which these games do not allow"
        raise InvalidRecord(f"{move} {reason}: expected two letters such as hh")
    return LETTERS.index(point[1]), LETTERS.index(point[0])


def _note(node: Node, comment: str, colour: str) -> Note:
    *before, last = comment.split("\n")
    took = re.fullmatch(r"([0-9]{1,15}) ?ms", last.strip())
    left, moves_left = _value(node, f"{colour}L"), _value(node, f"O{colour}")
    if not _SECONDS.fullmatch(left) or not _COUNT.fullmatch(moves_left):
        given = f"{colour}L[{left[:20]}] and O{colour}[{moves_left[:20]}]"
        raise InvalidRecord(f"expected numbers of seconds and moves, got {given}")
    return Note(
        "\n".join(before) if took else comment,
        int(took[1]) if took else None,
        float(left) if left else None,
        int(moves_left) if moves_left else None,
    )


def _result(text: str) -> int | None:
    """Return the winner according to this text, 0 for a draw, or None."""
    word = text.strip().lower()
    return RESULTS.get(word, RESULTS.get(word[:1]) if re.match(r"[bw]\+|[黑白和]", word) else None)


def _value(node: Node, name: str) -> str:
    """Return a property's text on one line; empty without the property."""
    values = node.get(name)
    return grammar.simpletext_value(values[0]).decode() if values else ""


def _text(value: bytes) -> str:
    text: bytes = grammar.text_value(value)
    return text.decode()


def _node(properties: dict[str, str]) -> Node:
    # JSON can hold half of a surrogate pair, and UTF-8 cannot: write the escape as text.
    return {
        name: [grammar.escape_text(value.encode(errors="backslashreplace"))]
        for name, value in properties.items()
    }


def _point(cell: Cell) -> str:
    if not all(0 <= at < len(LETTERS) for at in cell):
        raise InvalidRecord(f"SGF cannot name cell {cell}")
    return LETTERS[cell[1]] + LETTERS[cell[0]]


def _noted(note: Note, colour: str) -> dict[str, str]:
    """Return the properties of a note."""
    took = "" if note.took is None else f"{note.took}ms"
    comment = "\n".join(filter(None, (note.comment, took)))
    properties = {"C": comment} if comment else {}
    properties |= {} if note.left is None else {f"{colour}L": f"{note.left:.15g}"}
    return properties | ({} if note.moves_left is None else {f"O{colour}": str(note.moves_left)})
