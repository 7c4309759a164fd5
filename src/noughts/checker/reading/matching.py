"""Matching: which method makes the moves, and what its parameters mean.

Names are compared without case and underscores. The names are those that published solutions use.
"""

import ast
import re
from collections.abc import Sequence

from noughts.checker.reading.convention import (
    PLAIN_ANSWERS,
    Answers,
    Argument,
    Name,
    Role,
    Value,
)
from noughts.checker.reading.source import Enum, Function, Parameter, Source

MARKS = re.compile(r"""(["'])([XOxo])\1""")  # letters for players, in the text of a file
MOVES = (
    *("move", "makemove", "playmove", "domove", "addmove", "applymove", "place", "placemark"),
    *("placemove", "placepiece", "placesymbol", "placemarker", "play", "playat", "playturn"),
    *("taketurn", "turn", "mark", "markcell", "put", "putmark", "putpiece", "set", "setmark"),
    *("setcell", "step", "add", "addmark", "addpiece", "drop", "makeplay", "update"),
    *("placemarkerat", "placeat", "playin", "takefield", "takecell", "takesquare", "makeamove"),
    *("placetoken", "puttoken", "addtoken", "marksquare", "marksquareat", "setsquare", "setvalue"),
    *("fillcell", "fill", "claim", "claimcell", "select", "selectcell", "occupy", "choose"),
    *("playposition", "playcell", "playsquare", "playermove", "playerturn", "maketurn", "insert"),
    *("tictactoemove", "tictactoemakemove", "tictactoeplay"),
)
"""Names of methods that move, the likeliest first."""
WINNERS = (
    *("winner", "getwinner", "checkwinner", "checkforwinner", "findwinner", "whowon", "whowins"),
    *("gamewinner", "checkwin", "checkforwin", "haswon", "haswinner", "iswinner", "iswin", "won"),
    *("checkvictory", "haswin", "wins", "didwin", "iswinningmove", "checkgameover"),
    *("getgamewinner", "determinewinner", "calculatewinner", "whoiswinner", "whoisthewinner"),
    *("winningplayer", "getwinningplayer", "victor", "getvictor", "hasplayerwon", "playerhaswon"),
    *("isgamewon", "gamewon", "checkwinners", "checkwinning", "checkforvictory", "hasanyonewon"),
)
"""Names of methods and fields that say who has won."""
STATUSES = (
    *("status", "getstatus", "gamestatus", "getgamestatus", "checkstatus", "checkgamestatus"),
    *("result", "getresult", "gameresult", "getgameresult", "outcome", "getoutcome"),
    *("state", "getstate", "gamestate", "getgamestate", "checkgamestate", "checkgame"),
)
"""Names of methods and fields that say how a game stands, and who has won if they name winners."""
BOARDS = ("board", "grid", "state", "cells", "field", "squares", "table", "matrix")
"""Names of parameters that are a board."""
PASSES = tuple(
    f"{verb}{what}"
    for verb in ("change", "switch", "swap", "next", "toggle", "alternate", "end", "pass")
    for what in ("player", "players", "turn", "turns", "currentplayer")
)
"""Names of methods that let the other player move."""
ROWS = ("row", "r", "rowindex", "rowidx", "rownum", "i", "line", "rowno")
COLUMNS = ("col", "column", "c", "colindex", "colidx", "columnindex", "colnum", "j", "colno")
CELLS = (
    *("cell", "pos", "position", "square", "coord", "coords", "coordinate", "coordinates"),
    *("move", "point", "location", "loc", "at", "spot", "index", "idx", "place", "field"),
)
SIZES = ("n", "size", "boardsize", "dim", "dimension", "gridsize", "side", "length", "m", "s")
NO_SIZE = re.compile("player|name|symbol|marker|human|computer|user|board|grid|^(?:x|o|p1|p2)$")
"""Names of a constructor's parameters that are no size."""
PLAYERS = (
    *("player", "p", "mark", "marker", "symbol", "who", "turn", "piece", "token", "playerid"),
    *("sign", "currentplayer", "playernumber", "playernum", "playerno", "user", "side", "ch"),
    *("char", "letter", "value", "val", "playersymbol", "id", "whose", "role"),
)
NOBODY = ("0", "None", "null", "nil", "undefined", "nothing", "''", "' '", "'-'", "'.'", "'_'",
          "'None'", "'none'", "False", "false", *(f"'{text}'" for text in ("Draw", "draw", "Tie",
          "tie", "DRAW", "TIE", "D", "T")))  # fmt: skip
"""Answers that name no winner, of solutions that declare no type."""
TITLES = (
    ("'X'", "'x'", "'1'", "'Player 1'", "'player 1'", "'Player1'", "'player1'", "'P1'", "'p1'",
     "'Player X'", "'PlayerX'", "'One'", "'one'", "'Player One'", "'A'"),
    ("'O'", "'o'", "'2'", "'Player 2'", "'player 2'", "'Player2'", "'player2'", "'P2'", "'p2'",
     "'Player O'", "'PlayerO'", "'Two'", "'two'", "'Player Two'", "'B'"),
)  # fmt: skip
"""Answers in text that name the first and the second player."""
INTEGERS = re.compile(
    r"(?:unsigned |signed |const |final )*(?:u?int(?:8|16|32|64)?(?:_t)?|long|long long|short|byte"
    r"|sbyte|u?short|s?size_t|[iu](?:8|16|32|64|128|size)|Integer|Long|Short|Byte|Int(?:8|16|32|64)?"
    r"|UInt|number|unsigned|signed|usize|isize|uintptr|ulong|uint|std::size_t)&?"
)
LETTERS = re.compile(r"(?:const |final )?(?:char|Character|Char|rune|wchar_t)&?")
TEXTS = re.compile(
    r"(?:const )?(?:str|String|string|std::string|&'?\w* ?str|std::string_view|char ?\*)(?: ?&)?"
)
UNTYPED = re.compile(
    r"|any|Any|object|unknown|Object|interface ?\{\}|(?:Literal\[|\]|[|,]| |-?\d+|'\w*'|\"\w*\")+"
)
FLAT = re.compile(
    r"\* ?9\b|\b9 ?\*|\(9\)|range\(1, ?10\)|\*\* ?2\b|\b(\w+) ?\* ?\1\b|\b2, ?4, ?6\b"
)
"""What shows that a board is a row of cells."""
TO_NINE = re.compile(
    r"\brange\(1, ?10\)|(?<!\d)1\W{1,3}2\W{1,3}3\b.{0,60}?(?<!\d)7\W{1,3}8\W{1,3}9\b", re.DOTALL
)
"""What shows that cells are counted from 1, in a class."""
LINE_TO_NINE = re.compile(r"[\[({]\s*7, ?8, ?9\s*[\])}]")
LINE_FROM_ZERO = re.compile(r"[\[({]\s*0, ?1, ?2\s*[\])}]")
"""The rows of a board whose cells are counted from 1 or 0, anywhere in a file."""
NO_SIDE = re.compile(
    r"no|empty|blank|draw|tie|pending|progress|ongoing|playing|unset|null|unknown|continue|"
    r"undecided|^_*$"
)
"""Names of an enum's members that stand for no player."""
ENDING = re.compile("win|won|victor|over|finish|end|done|complete")
"""Names of an enum's members that say that a game is over, but not who has won it."""
TESTING = ("any", "all", "bool", "isinstance", "every", "some", "includes", "Boolean")
"""Functions and methods whose answer is true or false."""
COMPARES = re.compile(
    r"true|false|null|undefined|![^=].*|[\w.]+\.(?:every|some|includes)\(\)"
    r"|(?:(?!>>|<<|=>).)*(?:[=!]==?|[<>]=?)(?:(?!>>|<<|=>).)*"
)
"""What an operand of && and || looks like if it is true or false; brackets are emptied."""
TRUTHS = re.compile(r"(?:bool|boolean|Boolean|Bool|_Bool)")
VOID = ("void", "None", "Unit", "()", "Void", "unit")


def plain(name: str) -> str:
    """Return a name without case, underscores and marks, as in ``won?`` and ``r#move``."""
    return re.sub(r"[\W_]", "", name.rpartition("#")[2]).lower()


def bare(type: str) -> str:
    """Return a type without what says that there may be none: ``Option<T>``, ``T?``, ``*T``."""
    type = type.strip()
    if re.fullmatch(r"(['\"])[^'\"]*\1", type) and len(type) > 3:
        type = type[1:-1]  # an annotation in quotes
    for pattern in (
        r"(?:std::)?optional<(.*)>", r"Option<(.*)>", r"Optional[<\[](.*)[>\]]", r"Nullable<(.*)>",
        r"\((.*), ?error\)", r"Result<(.*?),.*>", r"(.*)\?", r"\*(.*)",
        r"(.*?) ?\| ?(?:None|null|undefined)", r"(?:None|null|undefined) ?\| ?(.*)",
    ):  # fmt: skip
        if found := re.fullmatch(pattern, type):
            return bare(found[1])
    return type


def signature(function: Function, text: str, file: str = "") -> tuple[Argument, ...] | None:
    """Return the arguments of a function that moves, or None if it cannot be one.

    Parameters with a default are left out unless their names are known.

    Args:
        function: the function.
        text: the source of its class, which shows how a cell is given.
        file: the text of the file, which may show it as well.
    """
    kept = [p for p in function.parameters if not p.default or _role(p) is not None]
    found = [_role(parameter) for parameter in kept]
    meant: Sequence[Role]
    if len(kept) == 1 and found[0] != "player":
        meant = ("cell",)
    elif len(kept) == 2 and "player" in found:
        meant = ("player", "cell") if found[0] == "player" else ("cell", "player")
        if found[meant.index("cell")] not in ("cell", None):
            return None
    elif len(kept) == 2:
        meant = _in_order(found)
    elif len(kept) == 3 and found.count("player") == 1:
        at = found.index("player")
        meant = _in_order([*found[:at], *found[at + 1 :]])
        meant = (*meant[:at], "player", *meant[at:])
    elif len(kept) == 3:
        meant = (*_in_order(found[:2]), "player")
    else:
        return None
    return tuple(
        Argument(_cell(p, text, file) if role == "cell" else role, p.type, p.label)
        for role, p in zip(meant, kept, strict=True)
    )


def numbered(function: Function, arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
    """Return the arguments with the row and the column counted from 1 if the function shows it."""
    roles: dict[Role, Role] = {"row": "row number", "col": "col number"}
    given = zip((parameter.name for parameter in function.parameters), arguments, strict=False)
    names = [re.escape(name) for name, argument in given if argument.role in roles]
    if len(names) != 2 or not all(_from_one(name, function.text) for name in names):
        return arguments
    return tuple(each._replace(role=roles.get(each.role, each.role)) for each in arguments)


def _from_one(name: str, text: str) -> bool:
    """Return whether 1 is subtracted from a row or column before it is used, outside loops."""
    less = re.search(rf"[\[(, ]{name} ?- ?1\b(?! ?[<>=])", text)
    changed = re.search(
        rf"\b{name} ?(?:-= ?1\b|\+= ?-1\b|--)|\b{name} ?= ?{name} ?- ?1\b|--{name}\b", text
    )
    if changed:
        before = text[: changed.start()]
        return not re.search(r"\b(?:while|for|loop)\b", before) and not _from_zero(name, before)
    return bool(less) and not _from_zero(name, text)


def _from_zero(name: str, text: str) -> bool:
    """Return whether a row or column is used as it is, or compared with 0."""
    alone = rf"\b{name}\b(?! ?- ?1\b)"
    used = rf"\[[^][]*{alone}[^][]*\]|(?<!\w)\({alone},|(?<!\w)\(\w+, ?{alone}\)"
    used += rf"|{alone} ?\*|\* ?{alone}"
    return bool(re.search(rf"{used}|{alone} ?[<>=!]=? ?0\b|\b0 ?[<>=!]=? ?{alone}", text))


def _cell(parameter: Parameter, text: str, file: str) -> Role:
    """Return how a parameter gives a cell: by its type, or else by what the source does with it.

    Without any sign it is a pair.
    """
    name = rf"\b{re.escape(parameter.name)}\b"
    one_by_one = rf"{name} ?\[|\] ?= ?{name}|, ?\w+\)? ?= ?{name}|(?:\*|\.\.\.|in ){name}"
    counted = rf"{name} ?(?:[-+/%<>]|==)|[<>] ?=? ?{name}|divmod\({name}|int\({name}"
    if not is_integer(parameter.type):
        if parameter.type or re.search(one_by_one, text):
            return "cell"
        flat = re.search(rf"\[ ?{name} ?\]", text) and FLAT.search(text)
        if not flat and not re.search(counted, text):
            return "cell"
    from_one = rf"(?<!- ){name}\)? ?-=? ?1\b|\b1 ?<= ?{name}|{name} ?< ?1\b"
    from_zero = re.search(rf"{name}\)? ?\+=? ?1\b", text) or LINE_FROM_ZERO.search(file)
    to_nine = TO_NINE.search(text) or LINE_TO_NINE.search(file)
    return "number" if re.search(from_one, text) or (to_nine and not from_zero) else "index"


def _in_order(found: Sequence[Role | None]) -> tuple[Role, Role]:
    """Return the roles of two parameters: by their names, or else the row first."""
    return ("col", "row") if found[0] == "col" or found[1] == "row" else ("row", "col")


def _role(parameter: Parameter) -> Role | None:
    """Return the role that a parameter's name says, if any."""
    name = plain(parameter.name)
    roles: Sequence[tuple[Role, Sequence[str]]] = (
        ("row", ROWS), ("col", COLUMNS), ("player", PLAYERS), ("cell", CELLS),
    )  # fmt: skip
    for role, names in roles:
        if name in names:
            return role
    return None


def is_integer(type: str) -> bool:
    """Return whether a type as written is an integer."""
    return bool(INTEGERS.fullmatch(bare(type)))


def sized(make: Function) -> tuple[Argument, ...] | None:
    """Return the arguments of a constructor: the size, once or twice, or none for a fixed size.

    None is returned if it needs anything else.
    """
    needed = [parameter for parameter in make.parameters if not parameter.default]
    if not needed and make.parameters and make.parameters[0].default.isdecimal():
        needed = [make.parameters[0]]  # a usual size
    if len(needed) > 2:
        return None
    for each in needed:
        named = plain(each.name) in SIZES
        if not named and (
            NO_SIZE.search(plain(each.name)) if not each.type else not is_integer(each.type)
        ):
            return None
    return tuple(Argument("n", parameter.type, parameter.label) for parameter in needed)


def enum_of(type: str, source: Source) -> Enum | None:
    """Return the enum that a type names, if the file has it."""
    name = re.split(r"::|\.", bare(type))[-1]
    return next((e for e in source.enums if re.split(r"::|\.", e.name)[-1] == name), None)


def players_of(function: Function, source: Source) -> tuple[Value, Value]:
    """Return the values of the players: those of the parameter's type or default, or 1 and 2."""
    parameter = next((p for p in function.parameters if _role(p) == "player"), None)
    parameter = parameter or (function.parameters[2:] or [Parameter("")])[0]
    if enum := enum_of(parameter.type, source):
        first, second = _sides(enum)
        if first and second:
            both = [value(m.name) or Name(enum.name, m.name) for m in (first[0], second[0])]
            return both[0], both[1]
    union = re.findall(r"'\w+'|\"\w+\"|-?\d+", parameter.type)
    if len(union) >= 2 and not is_integer(parameter.type):
        return value(union[0]), value(union[1])
    default = value(parameter.default) if parameter.default else None
    if (
        isinstance(default, str)
        or LETTERS.fullmatch(parameter.type)
        or TEXTS.fullmatch(bare(parameter.type))
    ):
        return ("x", "o") if default == "x" else ("X", "O")
    if TRUTHS.fullmatch(parameter.type):
        return True, False
    return (0, 1) if default == 0 else (1, 2)


def value(text: str) -> Value:
    """Return the value of a literal."""
    quoted = re.fullmatch(r"(['\"])(.*)\1", text)
    if quoted:
        return quoted[2]
    return int(text) if re.fullmatch(r"-?\d+", text) else None


def _sides(enum: Enum) -> tuple[list[Parameter], list[Parameter]]:
    """Return the members of an enum that stand for the first and the second player."""
    sides: tuple[list[Parameter], list[Parameter]] = ([], [])
    rest = []
    for member in enum.members:
        name = re.sub(r"players?|wins?|won|winner|has|the|mark|cell|is|\W", "", plain(member.name))
        if name in ("x", "1", "p1", "one", "first", "a", "cross", "i"):
            sides[0].append(member)
        elif name in ("o", "2", "p2", "two", "second", "b", "nought", "circle", "ii", "zero"):
            sides[1].append(member)
        elif not NO_SIDE.search(plain(member.name)):
            rest.append(member)
    if not sides[0] and not sides[1] and len(rest) == 2:  # such as Human and Computer
        return [rest[0]], [rest[1]]
    return sides


def written(player: Value) -> tuple[str, ...]:
    """Return the texts by which a driver may write a player in an answer."""
    if isinstance(player, Name):
        return (player.member,)
    if isinstance(player, bool):
        return (str(player), str(player).lower())
    return (f"'{player}'",) if isinstance(player, str) else (str(player),)


def answers_of(
    function: Function,
    players: tuple[Value, Value],
    source: Source,
    *,
    plainly: bool = False,
    turns: bool = False,
) -> Answers | None:
    """Return the meaning of what a function returns, or None if it does not say who has won.

    Args:
        function: the function, or a field as one.
        players: the values of the players.
        source: the file.
        plainly: whether it is a method of the original problem, whose answers are 0, 1 and 2.
        turns: whether the solution itself knows whose turn it is, and so what players are called.
    """
    returns = bare(function.returns)
    untyped = returns in ("", "Any", "any", "object", "Object", "unknown")
    exact = returns == function.returns and (untyped or is_integer(returns))
    if plainly and exact and (function.values or returns):
        return PLAIN_ANSWERS
    if returns in VOID or (not returns and not function.values):
        return None
    if TRUTHS.fullmatch(returns):
        return Answers(nobody=(), mover=True)
    if enum := enum_of(returns, source):
        return _of_enum(enum)
    ordinals = [_of_enum(e) for p in players for e in source.enums
                if isinstance(p, Name) and p.enum == e.name]  # fmt: skip
    won = (written(players[0]), written(players[1]))
    if is_integer(returns):
        if ordinals:
            return ordinals[0]
        return Answers(won if isinstance(players[0], int) else (("1",), ("2",)), _nobody(won))
    text = LETTERS.fullmatch(returns) or TEXTS.fullmatch(returns)
    if text and not isinstance(players[0], str):
        won = TITLES
    elif turns and not text:
        won = (won[0] + TITLES[0], won[1] + TITLES[1])
    if text or UNTYPED.fullmatch(returns):
        if function.values and all(map(_is_truth, function.values)):
            return Answers(nobody=("None", "null", "undefined", "nothing"), mover=True)
        return Answers(won, _nobody(won), phrased=True)
    return None


def _is_truth(value: str) -> bool:
    """Return whether an expression, as text, is surely true, false or nothing."""
    try:
        return _is_true_or_false(ast.parse(value.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        text = value.strip()  # in another language
    while text[:1] == "(" and _emptied(text) == "()":
        text = text[1:-1].strip()
    operands = re.split(r"&&|\|\|", _emptied(text))
    return not re.search("['\"`?]", text) and all(
        COMPARES.fullmatch(operand.strip()) for operand in operands
    )


def _emptied(text: str) -> str:
    """Return a text without what its brackets contain."""
    inner = r"(?:[^][(){}]|\(\)|\[\]|\{\})+"
    while (less := re.sub(rf"([(\[{{]){inner}([])}}])", r"\1\2", text)) != text:
        text = less
    return text


def _is_true_or_false(node: ast.expr) -> bool:
    """Return whether an expression in Python, or one that looks like it, is true, false or None."""
    match node:
        case ast.Constant(value=value):
            return value is None or isinstance(value, bool)
        case ast.Name(id=name):
            return name in ("true", "false", "null", "nil", "undefined")
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp(values=values):
            return all(map(_is_true_or_false, values))
        case ast.IfExp(body=body, orelse=other):
            return _is_true_or_false(body) and _is_true_or_false(other)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in TESTING
    return False


def _nobody(won: tuple[tuple[str, ...], tuple[str, ...]]) -> tuple[str, ...]:
    """Return the answers that name no winner, where players are written like this."""
    return tuple(text for text in NOBODY if text not in (*won[0], *won[1]))


def _of_enum(enum: Enum) -> Answers:
    """Return the meaning of an enum's members; drivers write their names, or their numbers."""
    first, second = _sides(enum)
    texts = {}
    for at, member in enumerate(enum.members):
        number = member.default if re.fullmatch(r"-?\d+", member.default) else str(at)
        written = value(member.default or member.name)
        texts[member.name] = (
            (f"'{written}'", member.name) if isinstance(written, str) else (member.name, number)
        )
    others = [
        text
        for member in enum.members
        if member not in (*first, *second) and not ENDING.search(plain(member.name))
        for text in texts[member.name]
    ]
    return Answers(
        (
            tuple(text for member in first for text in texts[member.name]),
            tuple(text for member in second for text in texts[member.name]),
        ),
        ("None", "null", "nil", "nothing", *others),
    )
