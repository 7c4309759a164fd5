# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Games read from lines of JSON, many at once; `noughts.bulk.files` is the door to it.

One pass, for the plain lines that programs write. A line that is not plain need not be wrong: then
`noughts.records` reads it, and says what is wrong if anything is.

Nothing here asks whether the text has ended. Its last byte is a newline, and only the step from
line to line leads past one: it is part of no string, number, word or space within a line.
"""

import cython

if not cython.compiled:
    raise ImportError("noughts.kernels.reader has not been compiled")

from cython.cimports.libc.string import memcpy

NUMBERS = ("id", "n", "k", "players", "early_draw")
KEYS = (*NUMBERS, "shape", "moves")
TEXT = len(KEYS)  # the bit after those of the keys
DEPTH = cython.declare(cython.int, 8)  # of lists and objects in what is ignored

# The same for the compiler.
_ID = cython.declare(cython.int, 0)
_EARLY_DRAW = cython.declare(cython.int, 4)
_SHAPE = cython.declare(cython.int, 5)
_MOVES = cython.declare(cython.int, 6)
_TEXT = cython.declare(cython.int, 7)

Bytes = cython.typedef(cython.pointer[cython.const[cython.uchar]])
Integers = cython.typedef(cython.pointer[cython.longlong])
Ends = cython.typedef(cython.pointer[cython.int])

# Where the games go, and how much there is of them so far.
Games = cython.struct(
    number=Integers,  # [key, game]
    rows=cython.Py_ssize_t,
    row=cython.Py_ssize_t,  # the game that is being read
    text=cython.pointer[cython.uchar],
    texts=cython.Py_ssize_t,
    side=Integers,
    sides=cython.Py_ssize_t,
    coordinate=Integers,
    coordinates=cython.Py_ssize_t,
    move_end=Ends,
    moves=cython.Py_ssize_t,
)

_keys = cython.declare(cython.pointer[cython.const[cython.char]][7])  # each with its second quote
_keys[0], _keys[1], _keys[2], _keys[3] = b'id"', b'n"', b'k"', b'players"'
_keys[4], _keys[5], _keys[6] = b'early_draw"', b'shape"', b'moves"'

# --- words, numbers and strings -------------------------------------------------------------------
#
# Each function is given the place of what it reads, and returns the place after it, or NULL if it
# is not there.


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _space(at: Bytes) -> Bytes:
    while at[0] <= 32 and (at[0] == b" " or at[0] == b"\t" or at[0] == b"\r"):
        at += 1
    return at


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _word(at: Bytes, word: cython.pointer[cython.const[cython.char]]) -> Bytes:
    while word[0] != 0:
        if at[0] != word[0]:
            return cython.NULL
        at += 1
        word += 1
    return at


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_digit(byte: cython.uchar) -> cython.bint:
    return cython.cast(cython.uchar, byte - 48) <= 9


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _integer(at: Bytes, number: Integers) -> Bytes:
    """Of at most 18 digits, so that it fits in 64 bits."""
    total: cython.ulonglong  # may overflow, when it does not count
    negative: cython.bint = at[0] == b"-"
    if negative:
        at += 1
    first: Bytes = at
    if not _is_digit(at[0]):
        return cython.NULL
    total = at[0] - 48
    at += 1
    if _is_digit(at[0]):
        while _is_digit(at[0]):
            total = total * 10 + (at[0] - 48)
            at += 1
        if at - first > 18 or first[0] == b"0":
            return cython.NULL
    value: cython.longlong = cython.cast(cython.longlong, total)
    number[0] = -value if negative else value
    return at


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _digits(at: Bytes) -> Bytes:
    if not _is_digit(at[0]):
        return cython.NULL
    while _is_digit(at[0]):
        at += 1
    return at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _number(at: Bytes) -> Bytes:
    """An integer of at most 18 digits, and perhaps a fraction and an exponent."""
    ignored: cython.longlong = 0
    at = _integer(at, cython.address(ignored))
    if at != cython.NULL and at[0] == b".":
        at = _digits(at + 1)
    if at != cython.NULL and (at[0] == b"e" or at[0] == b"E"):
        at += 1
        at = _digits(at + 1 if at[0] == b"+" or at[0] == b"-" else at)
    return at


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _string(at: Bytes) -> Bytes:
    """`at` is after the first quote."""
    i: cython.int
    while at[0] != b'"':
        if at[0] < 32:
            return cython.NULL
        at += 1
        if at[-1] != b"\\":
            continue
        if at[0] == b"u":
            for i in range(1, 5):
                if not (_is_digit(at[i]) or b"a" <= (at[i] | 32) <= b"f"):
                    return cython.NULL
            at += 4
        elif not (
            at[0] == b'"'
            or at[0] == b"\\"
            or at[0] == b"/"
            or at[0] == b"b"
            or at[0] == b"f"
            or at[0] == b"n"
            or at[0] == b"r"
            or at[0] == b"t"
        ):
            return cython.NULL
        at += 1
    return at + 1


# --- games ----------------------------------------------------------------------------------------


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _name(at: Bytes, key: cython.pointer[cython.int]) -> Bytes:
    """A key in quotes, without escapes; `key` becomes its place among `KEYS`, or -1."""
    end: Bytes
    i: cython.int
    if at[0] != b'"':
        return cython.NULL
    for i in range(7):
        end = _word(at + 1, _keys[i])
        if end != cython.NULL:
            key[0] = i
            return end
    key[0] = -1
    end = at + 1
    while end[0] != b'"':
        if end[0] < 32 or end[0] == b"\\":
            return cython.NULL
        end += 1
    return end + 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _integers(at: Bytes, into: Integers, count: cython.pointer[cython.Py_ssize_t]) -> Bytes:
    """A list of integers, which go after the `count` that are there already."""
    i: cython.Py_ssize_t = count[0]
    if at[0] != b"[":
        return cython.NULL
    at = _space(at + 1)
    if at[0] == b"]":
        return at + 1
    while True:
        at = _integer(at, into + i)
        if at == cython.NULL:
            return at
        i += 1
        at = _space(at)
        if at[0] != b",":
            break
        at = _space(at + 1)
    count[0] = i
    return at + 1 if at[0] == b"]" else cython.NULL


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _moves(at: Bytes, games: cython.pointer[Games]) -> Bytes:
    if at[0] != b"[":
        return cython.NULL
    at = _space(at + 1)
    if at[0] == b"]":
        return at + 1
    while True:
        at = _integers(at, games.coordinate, cython.address(games.coordinates))
        if at == cython.NULL:
            return at
        games.moves += 1
        games.move_end[games.moves] = games.coordinates
        at = _space(at)
        if at[0] != b",":
            break
        at = _space(at + 1)
    return at + 1 if at[0] == b"]" else cython.NULL


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _text(at: Bytes, games: cython.pointer[Games]) -> Bytes:
    """An id, whose escapes are left to the caller to read; `at` is after the first quote."""
    after: Bytes = _string(at)
    if after != cython.NULL:
        memcpy(games.text + games.texts, at, after - 1 - at)
        games.texts += after - 1 - at
    return after


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _ignored(at: Bytes, depth: cython.int) -> Bytes:
    """Any value, with others in it to this depth."""
    if at[0] == b'"':
        return _string(at + 1)
    if at[0] == b"t":
        return _word(at, b"true")
    if at[0] == b"f":
        return _word(at, b"false")
    if at[0] == b"n":
        return _word(at, b"null")
    if at[0] != b"[" and at[0] != b"{":
        return _number(at)
    if depth == 0:
        return cython.NULL
    is_object: cython.bint = at[0] == b"{"
    last: cython.uchar = b"}" if is_object else b"]"
    at = _space(at + 1)
    if at[0] == last:
        return at + 1
    while True:
        if is_object:
            at = _string(at + 1) if at[0] == b'"' else cython.NULL
            if at == cython.NULL:
                return at
            at = _space(at)
            if at[0] != b":":
                return cython.NULL
            at = _space(at + 1)
        at = _ignored(at, depth - 1)
        if at == cython.NULL:
            return at
        at = _space(at)
        if at[0] != b",":
            return at + 1 if at[0] == last else cython.NULL
        at = _space(at + 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _value(at: Bytes, key: cython.int, games: cython.pointer[Games]) -> Bytes:
    """What stands after one of `KEYS`."""
    if key == _MOVES:
        return _moves(at, games)
    if key == _SHAPE:
        return _integers(at, games.side, cython.address(games.sides))
    number: Integers = games.number + key * games.rows + games.row
    if key != _EARLY_DRAW:
        return _integer(at, number)
    number[0] = at[0] == b"t"
    return _word(at, b"true" if number[0] else b"false")


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _game(at: Bytes, games: cython.pointer[Games], keys: cython.pointer[cython.uchar]) -> Bytes:
    """A line with its newline; `keys` becomes what it is in `read_games`."""
    key: cython.int = -1
    bits: cython.int = 0
    at = _space(at)
    if at[0] != b"{":
        return cython.NULL
    while True:
        at = _name(_space(at + 1), cython.address(key))
        if at == cython.NULL:
            return at
        at = _space(at)
        if at[0] != b":":
            return cython.NULL
        at = _space(at + 1)
        if key < 0:
            at = _ignored(at, DEPTH)
        elif bits >> key & 1:
            return cython.NULL
        else:
            bits |= 1 << key
            if key == _ID and at[0] == b'"':
                bits |= 1 << _TEXT
                at = _text(at + 1, games)
            else:
                at = _value(at, key, games)
        if at == cython.NULL:
            return at
        at = _space(at)
        if at[0] != b",":
            break
    if at[0] != b"}" or not bits >> _MOVES & 1:
        return cython.NULL
    keys[0] = bits
    at = _space(at + 1)
    return at + 1 if at[0] == b"\n" else cython.NULL


def read_games(
    block: bytes,
    longest: cython.Py_ssize_t,
    keys: cython.uchar[::1],
    numbers: cython.longlong[:, ::1],
    texts: tuple,
    shapes: tuple,
    moves: tuple,
) -> bool:
    """Read a block of lines, a game each.

    A plain line is an object with some of `KEYS`, none of them twice, among them moves. There may
    be others, whose values are ignored if lists and objects in them are nested at most 8 deep. Keys
    have no backslash, integers at most 18 digits, and after none of `KEYS` there is null. Whether
    strings are UTF-8, and what the backslashes in ids mean, is not looked at.

    Args:
        block: of less than 2**31 bytes.
        longest: how many bytes a line may have, its newline included.
        keys: to write to, like all that follows; an item a line. Bit i of keys[game] says whether
            the game has KEYS[i], and bit `TEXT` whether its id is a text.
        numbers: a row for each of `NUMBERS`, in which numbers[i, game] is what the game has there.
        texts: (bytes, ends), uint8 and int32. The ids that are texts, one after the other as they
            stand in the block; and, after a 0, for each game where its own ends.
        shapes: (sides, ends), int64 and int32: shapes in the same way.
        moves: (coordinates, ends, game ends), int64, int32 and int32: coordinates one after the
            other; after a 0, where each move ends in them, and where each game ends in the moves.

    Returns:
        Whether all lines are plain and all ids of one kind. If not, what was written means nothing.

    Raises:
        TypeError, ValueError: the buffers are not like this, or have no room. Bytes and ends of
            moves need as many places as the block has, sides and coordinates half as many.

    Cost: about a nanosecond a byte, without the GIL.
    """
    text: cython.uchar[::1]
    sides: cython.longlong[::1]
    coordinates: cython.longlong[::1]
    text_ends: cython.int[::1]
    side_ends: cython.int[::1]
    move_ends: cython.int[::1]
    game_ends: cython.int[::1]
    text, text_ends = texts
    sides, side_ends = shapes
    coordinates, move_ends, game_ends = moves
    size: cython.Py_ssize_t = len(block)
    rows: cython.Py_ssize_t = keys.shape[0]
    # The shortest integer with what divides it from the next takes two bytes, the shortest move
    # three.
    room = min(text.shape[0], move_ends.shape[0], 2 * sides.shape[0], 2 * coordinates.shape[0])
    if room < size:
        raise ValueError(f"there is room for {room} of {size} bytes")
    ends = (text_ends.shape[0], side_ends.shape[0], game_ends.shape[0])
    if numbers.shape[0] != 5 or numbers.shape[1] != rows or ends != (rows + 1,) * 3:
        raise ValueError(f"there is no room for {rows} games")
    if size == 0 or size >= 2**31 or block[size - 1] != 10:
        return False
    games = cython.declare(Games)
    games.number = cython.address(numbers[0, 0])
    games.rows, games.row = rows, 0
    games.text = cython.address(text[0])
    games.side = cython.address(sides[0])
    games.coordinate = cython.address(coordinates[0])
    games.move_end = cython.address(move_ends[0])
    games.texts = games.sides = games.coordinates = games.moves = 0
    text_ends[0] = side_ends[0] = move_ends[0] = game_ends[0] = 0
    begin: Bytes = block
    end: Bytes = begin + size
    after: Bytes
    kinds: cython.int = 0  # of ids: 1 for integers, 2 for texts
    with cython.nogil:
        while begin != end and games.row < rows:
            after = _game(begin, cython.address(games), cython.address(keys[games.row]))
            if after == cython.NULL or after - begin > longest:
                break
            begin = after
            if keys[games.row] >> _ID & 1:
                kinds |= 1 << (keys[games.row] >> _TEXT)
            games.row += 1
            text_ends[games.row] = games.texts
            side_ends[games.row] = games.sides
            game_ends[games.row] = games.moves
    return begin == end and games.row == rows and kinds != 3
