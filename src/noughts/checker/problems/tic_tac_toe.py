"""Design Tic-Tac-Toe: a class whose method makes a move and answers who has won by it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from noughts.checker.explore import Play, every_game
from noughts.checker.games import Games
from noughts.checker.problems.problem import Candidate, described, needed, takes_moves
from noughts.checker.reading import Class, Function, Source
from noughts.checker.reading.convention import (
    PLAIN_ANSWERS,
    Answers,
    Argument,
    Call,
    Convention,
    Name,
)
from noughts.checker.reading.matching import (
    BOARDS,
    MOVES,
    PASSES,
    PLAYERS,
    STATUSES,
    VOID,
    WINNERS,
    answers_of,
    bare,
    enum_of,
    numbered,
    plain,
    players_of,
    signature,
    sized,
)
from noughts.checker.solution import Game

USUAL = ("row", "col", "player")
TURN = re.compile(
    r"(\w+)(?: ?: ?[\w.<>| ]+?)? ?(?::?=|:) ?(?:[\w.]+(?:\.|::))?"
    r"(?:(['\"]x['\"]|(?:x|cross|one|first|player_?(?:x|one|1))\b)"
    r"|(['\"]o['\"]|(?:o|nought|circle|two|second|player_?(?:o|two|2)|2)\b))(?!\s*[-+*/%])",
    re.IGNORECASE,
)
"""An assignment that may say who moves first: a name, and a player."""
TURNS = ("turn", "current", "next", "active", "tomove")
"""How a word begins in the names of fields that say whose turn it is."""
NO_TURNS = {
    *("max", "count", "left", "last", "prev", "previous", "turns", "num", "number", "total"),
    *("round", "row", "col", "column", "index", "idx", "size"),
}
"""Words in the names of other fields, such as maxTurns and currentRow."""
DRAWN = re.compile(
    r"(?:(\w+)(?: ?: ?[\w.<>| ]+?)? ?(?::?=|:)(?!=)[^\n;{}]{0,200}?)?"
    r"\b(?:[rR]and\w*\.?(?:Intn|Next|next\w*|choice|randint|nextInt|nextBoolean|gen_\w+)"
    r"|randint|choice|Math\.random|rand|gen_range|gen_bool|nextInt|nextBoolean|random)\("
)
"""Where something is drawn at random, with the name that it gets there, if any."""
DRAWS = (
    "it draws at random who moves first, so its answers cannot be foreseen; let player X, or the "
    "first of the two players, begin"
)
NO_WINNER = "looked for a method such as winner, get_winner or check_winner"
ORIGINAL = ("move", "tictactoemove")  # the names that problem sites give, in C the second


class TicTacToe:
    """The class `TicTacToe(n)` with `move(row, col, player)`, under any names."""

    name: str = "TicTacToe"
    whole: bool = False
    looked_for: str = (
        "method such as move, make_move, place, play or add_move with a row, a column and a player"
    )

    def candidates(self, source: Source) -> Iterator[Candidate]:
        """Yield each class with a method that moves."""
        last = {each.name: each for each in source.classes}  # a later definition replaces one
        bases = {base for each in last.values() for base in each.bases}
        for name, each in last.items():
            if each.abstract:
                continue
            found = min(_matches(each, source), key=lambda one: one[0], default=None)
            if found:
                again = sum(other.name == name for other in source.classes)
                what = described("class", name, each.lines)
                what += f", the last of {again} with this name" * (again > 1)
                unlikely = _unlikely(name, name in bases)
                yield Candidate((unlikely, *found[0]), name, what, found[1])

    def examples(self, n: int) -> list[Game]:
        """Return games with every line by either player, and full boards."""
        games = Games(n, "examples")
        return [*games.each_line(), *games.full(4)]

    def play_all(self, play: Play, patient: Callable[[], bool], n: int | None) -> bool:
        """Play every game on 1×1, 2×2 and 3×3."""
        return every_game(self.name, play, patient, (n,) if n else (1, 2, 3))


def _unlikely(name: str, extended: bool) -> int:
    """Return how unlikely a class is; one that another extends is less likely than the other."""
    last = name.replace("::", ".").rpartition(".")[2]
    return 0 if last == "TicTacToe" else 4 if extended else 2 if "tictactoe" in plain(last) else 3


def _matches(each: Class, source: Source) -> Iterator[tuple[tuple[int, ...], Convention]]:
    """Yield the ways to call a class, each with its rank."""
    make, n = created(each) or (Call(""), None)
    text = "\n".join([each.text, *(p.text for p in (*each.constructors, *each.methods))])
    for method in each.methods:
        if takes_moves(method):
            continue
        arguments = signature(method, text, source.text)
        if method.hidden or arguments is None or method.static or method.value:
            continue
        known = plain(method.name) in MOVES
        usual = tuple(a.role for a in arguments)
        if plain(method.name) not in ORIGINAL or usual != USUAL:  # the problem counts from 0
            arguments = numbered(method, arguments)
        if not known and sorted(usual) != sorted(USUAL):
            continue
        if plain(method.name) in (*WINNERS, *STATUSES):
            continue
        players = players_of(method, source)
        plainly = plain(method.name) in ORIGINAL and usual == USUAL and players == (1, 2)
        call = Call(method.name, arguments, method.returns)
        turns = "player" not in usual
        answers = answers_of(method, players, source, plainly=plainly, turns=turns)
        asks, renews, answerless = None, _renews(each, method), ""
        asked = _asks(each, method, source, text, turns)
        if asked and (renews or _elsewhere(each, method, answers, *asked)):
            asks, answers = asked
        elif answers is None and plainly and not method.returns:
            answers = PLAIN_ANSWERS
        elif answers is None or renews:
            if not known or not {*each.bases} <= {other.name for other in source.classes}:
                continue  # what says who has won may be in a base class elsewhere
            answers, answerless = PLAIN_ANSWERS, _answerless(each, method)
        in_order = not turns and _refuses(each, method)
        begins = _begins(each) if turns or in_order else ""
        if begins == "second":
            answers = replace(answers, won=answers.won[::-1])
        turn = ["the second player begins"] if begins == "second" else []
        turn += ["it refuses moves out of turn, so one player begins every game"] * in_order
        convention = Convention(
            TicTacToe.name, each.name, make, call, asks, players, answers, n,
            inner=each.inner,
            enums=tuple(filter(None, [enum_of((asks or call).returns, source)])),
            notes=_notes(each, make, call, asks, players, answers.mover, n, turn),
            obstacle=_no_constructor(each) or answerless or (DRAWS if begins == "random" else "")
            or _obstacle(each, method, turns, source),
            begins=begins, in_order=in_order, renews=renews,
        )  # fmt: skip
        rank = MOVES.index(plain(method.name)) if known else len(MOVES)
        yield (rank, len(USUAL) - len(usual)), convention


def _elsewhere(
    each: Class, method: Function, answers: Answers | None, asks: Call, asked: Answers
) -> bool:
    """Return whether to ask after a move who has won, although the move may answer something."""
    if answers is None:
        return True
    if answers is PLAIN_ANSWERS:
        return False
    names_winner = not asked.mover and not asks.arguments
    if answers.mover:  # it may say whether the move was possible
        return names_winner or plain(method.name) not in ORIGINAL
    alone = not any(field.name == asks.name for field in each.fields)
    return names_winner and alone and asks.name not in _called(each, method)


def _called(each: Class, method: Function) -> set[str]:
    """Return the names of the methods that a method calls, directly or not."""
    texts = {part.name: part.text for part in each.methods}
    found: set[str] = set()
    todo = [method.name]
    while todo:
        text = texts[todo.pop()]
        new = {name for name in texts if re.search(rf"\b{re.escape(name)}\b", text)} - found
        todo += new - {method.name}
        found |= new - {method.name}
    return found


def _renews(each: Class, method: Function) -> bool:
    """Return whether a method returns another object of its class."""
    name = re.split(r"::|\.", each.name)[-1]
    if method.values and all(value in ("this", "self", "*this") for value in method.values):
        return False
    if method.returns:
        return bare(method.returns).rpartition(".")[2] in (name, "Self")
    made = rf"(?:new )?(?:{re.escape(name)}|this\.constructor|type\(self\))\("
    return bool(method.values) and all(
        value in ("self", "this")
        or re.match(made, value)
        or re.search(rf"\b{re.escape(value)} = {made}", method.text)
        for value in method.values
    )


def _refuses(each: Class, method: Function) -> bool:
    """Return whether a method refuses a move of the player whose turn it is not.

    It compares the player with a field or method that is named like a turn, and leaves then.
    """
    player = next((p.name for p in method.parameters if plain(p.name) in PLAYERS), None)
    if player is None:
        return False
    turn = r"(?:\w+(?:\.|->|::))*(\w+)(?:\(\))?"
    same, name = r" ?(?:[!=]==?|is not|is) ?", rf"(?<![\w.>]){re.escape(player)}(?![\w.(\[])"
    compared = (
        rf"(?:{name}{same}{turn}(?![\w.\[(-])|(?<![\w.>]){turn}{same}{name}"
        rf"|(?<![\w.>]){turn}\.equals\({name}\)|{name}\.equals\({turn}\))"
    )
    leaves = r"(?:raise|throw|return|panic)\b"
    python = rf"^( *)if\b[^\n]{{0,500}}?{compared}[^\n]*:\n(?:\1 +[^\n]*\n)*?\1 +{leaves}"
    rest = r"(?:(?!:\n)[^{;]){0,500}?"  # of a condition; in Python, it ends with the line
    other = rf"\b()if\b{rest}{compared}{rest}(?:\)\s*|\{{[^}}]{{0,500}}?\b){leaves}"
    known = "\n".join([each.text, *(part.name for part in each.methods)])
    return any(
        _names_turn(found) and (re.search(rf"\b(?:self|this)(?:\.|->){found}\b", where[0])
                                or re.search(rf"\b{found}\b", known))
        for pattern in (python, other, rf"^ *()assert\b[^\n]*?{compared}")
        for where in re.finditer(pattern, method.text, re.MULTILINE)
        for found in where.groups()[1:]
        if found
    )  # fmt: skip


def _names_turn(name: str) -> bool:
    """Return whether a name, such as nextPlayer or x_turn, says whose turn it is."""
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    if not NO_TURNS.isdisjoint(words):
        return False
    pairs = ["".join(pair) for pair in pairwise(words)]
    return any(word.startswith(TURNS) for word in (*words, *pairs))


def _begins(each: Class) -> Literal["first", "second", "random", ""]:
    """Return which player the class lets move first, as far as its fields and constructors say."""
    made = "\n".join([each.text, *(make.text for make in each.constructors)])
    for method in each.methods:
        if re.search(rf"\b{re.escape(method.name)}\(", made):  # such as reset()
            made += f"\n{method.text}"
    drawn = DRAWN.findall(made)
    begins = {bool(second) for name, _, second in TURN.findall(made) if _begins_with(name)}
    if any(map(_begins_with, drawn)) or (drawn and len(begins) > 1):  # if (random() < 0.5) …
        return "random"
    return "" if len(begins) != 1 else "second" if begins.pop() else "first"


def _begins_with(name: str) -> bool:
    """Return whether the first value of a field with this name may be the player who begins."""
    return _names_turn(name) or plain(name) == "player"


def _answerless(each: Class, method: Function) -> str:
    """Return the sentence on a class that does not say who has won."""
    what = "answers nothing" if method.returns in ("", *VOID) else f"answers {method.returns}"
    others = ", ".join(f"{m.name}()" for m in each.methods if m is not method and not m.hidden)
    has = f" ({each.name} also has {others})" if others else ""
    return (
        f"{method.name} {what}, and nothing that can be called from outside says who has won{has}"
        f"; {NO_WINNER}"
    )


def created(each: Class) -> tuple[Call, int | None] | None:
    """Return how an object is created, and the size of its board if that is fixed."""
    if not each.constructors:
        unknown = bool(each.bases)  # its constructor may be that of a base class elsewhere
        return (Call("", (Argument("n"),)), None) if unknown else (Call(""), 3)
    found = [(make, sized(make)) for make in each.constructors if not make.hidden]
    usable = [(make, arguments) for make, arguments in found if arguments is not None]
    if not usable:
        return None
    make, arguments = max(usable, key=lambda one: (bool(one[1]), -len(one[1])))
    return Call(make.name, arguments, make.returns, static=make.static), None if arguments else 3


def _no_constructor(each: Class) -> str:
    """Return why an object cannot be created, or an empty string."""
    if created(each):
        return ""
    taken = ", ".join(parameter.name for parameter in each.constructors[0].parameters)
    return f"{each.name} is created with ({taken}); only the size of the board can be given"


def _asks(
    each: Class, move: Function, source: Source, text: str, turns: bool
) -> tuple[Call, Answers] | None:
    """Return what says who has won after a move, with the meaning of its answers."""
    players = players_of(move, source)
    methods = {plain(method.name) for method in each.methods if not method.hidden}
    fields = [
        Function(f.name, returns=f.type, values=("?",), value=True)
        for f in each.fields
        if f"get{plain(f.name)}" not in methods  # which may work it out only when it is asked
    ]
    names = (*WINNERS, *STATUSES)
    ranked = [f for f in (*each.methods, *fields) if plain(f.name) in names and not f.hidden]
    # A class that takes turns calls the players as it likes: what needs no player is asked first.
    # A field that no move sets says nothing.
    called = {move.name, *_called(each, move)}
    used = "\n".join(part.text for part in each.methods if part.name in called)
    unset = {f.name for f in fields if not re.search(rf"\b{re.escape(f.name)}\b", used)}
    ranked.sort(
        key=lambda f: (
            f.value and f.name in unset, turns and bool(needed(f)), names.index(plain(f.name))
        )
    )  # fmt: skip
    for asked in ranked:
        given = needed(asked)
        arguments = (
            signature(asked, text, source.text)
            if len(given) > 1
            else tuple(Argument("player", parameter.type) for parameter in given)
        )
        if arguments is None or any(plain(p.name) in BOARDS for p in given):
            continue
        answers = answers_of(asked, players, source, turns=turns)
        if plain(asked.name) in STATUSES and not _names_winner(asked, answers, source):
            continue
        if answers is not None:
            answers = replace(answers, nobody=(*answers.nobody, *_raised(asked)))
            return Call(asked.name, arguments, asked.returns, value=asked.value), answers
    return None


def _names_winner(asked: Function, answers: Answers | None, source: Source) -> bool:
    """Return whether a status may say who has won, and not only whether the game is over."""
    if answers is None or answers.mover:
        return False
    typed = enum_of(asked.returns, source)
    said = " ".join(m.name for m in typed.members) if typed else asked.text
    return bool(re.search(r"[wW](?:in|on)(?![a-z]*dow)|WIN|WON", said))


def _raised(asked: Function) -> list[str]:
    """Return the exceptions, as answers, that a method raises while nobody has won."""
    raised = re.findall(r"(?:raise|throw)(?: new)? ([\w.]+)\((['\"])(.*?)\2\)", asked.text)
    return [f"!{name}: {said}" for name, _, said in raised]


def _obstacle(each: Class, method: Function, turns: bool, source: Source) -> str:
    """Return why a method cannot be called as it is, or an empty string."""
    for parameter in method.parameters:
        name = bare(parameter.type)
        if any(known.name == name for known in source.classes) and not enum_of(name, source):
            return (
                f"{method.name} takes an object of the class {name}, which is not created here; "
                "let it take a number, a letter or a member of an enum"
            )
    if turns:
        texts = "\n".join(part.text for part in each.methods)
        for other in each.methods:
            alone = len(re.findall(rf"\b{re.escape(other.name)}\b", texts)) == 1
            if plain(other.name) in PASSES and alone and not other.hidden and not other.parameters:
                return (
                    f"{method.name} does not change whose turn it is: {other.name} is to be "
                    f"called after each move; let {method.name} call it"
                )
    return ""


def _notes(
    each: Class,
    make: Call,
    call: Call,
    asks: Call | None,
    players: Sequence[object],
    mover: bool,
    n: int | None,
    turn: Sequence[str],
) -> tuple[str, ...]:
    """Return what was taken for what, in one sentence; none for the original signature."""
    said = []
    if plain(call.name) not in ORIGINAL:
        said.append(f"{call.name} is used as move")
    if call.roles not in (USUAL, ("row", "col")):
        words = {
            "cell": "a pair of row and column",
            "index": "a cell number, counted from 0",
            "number": "a cell number, counted from 1",
            "row number": "a row counted from 1",
            "col number": "a column counted from 1",
        }
        first, *more = (words.get(role, role) for role in call.roles)
        taken = f"({', '.join((first, *more))})"
        said.append(f"its parameters are {taken}" if more else f"its parameter is {first}")
    if "player" not in call.roles:
        said.append("it has no parameter for the player, so players take turns")
    said += turn
    if players != (1, 2) and "player" in call.roles:
        shown = [p.member if isinstance(p, Name) else repr(p) for p in players]
        said.append(f"players are {shown[0]} and {shown[1]}")
    if asks:
        shape = asks.name if asks.value else f"{asks.name}({', '.join(asks.roles)})"
        said.append(f"{shape} is {'read' if asks.value else 'called'} after each move")
    elif mover:
        said.append("it answers whether the move wins")
    if n:
        said.append(f"it takes no n, so only {n}×{n} was played")
    return ("; ".join(said),) if said else ()
