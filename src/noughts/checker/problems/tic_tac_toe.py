"""Design Tic-Tac-Toe: a class whose method makes a move and answers who has won by it."""

import re
from collections.abc import Callable, Iterator, Sequence

from noughts.checker.explore import Play, every_game
from noughts.checker.problems.problem import Candidate, described
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
    MOVES,
    PASSES,
    WINNERS,
    answers_of,
    bare,
    enum_of,
    plain,
    players_of,
    signature,
    sized,
)

USUAL = ("row", "col", "player")
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

    def play_all(self, play: Play, patient: Callable[[], bool], n: int | None) -> bool:
        """Play every game on 1×1, 2×2 and 3×3."""
        return every_game(self.name, play, patient, (n,) if n else (1, 2, 3))


def _unlikely(name: str, extended: bool) -> int:
    """Return how unlikely a class is; one that another extends is less likely than the other."""
    last = name.replace("::", ".").rpartition(".")[2]
    return 0 if last == "TicTacToe" else 4 if extended else 2 if "tictactoe" in plain(last) else 3


def _matches(each: Class, source: Source) -> Iterator[tuple[tuple[int, ...], Convention]]:
    """Yield the ways to call a class, each with its rank."""
    make, n = _made(each) or (Call(""), None)
    text = "\n".join(part.text for part in (*each.constructors, *each.methods))
    for method in each.methods:
        arguments = signature(method, text)
        if method.hidden or arguments is None or method.static or method.value:
            continue
        known = plain(method.name) in MOVES
        usual = tuple(a.role for a in arguments)
        if not known and sorted(usual) != sorted(USUAL):
            continue
        if plain(method.name) in WINNERS:
            continue
        players = players_of(method, source)
        plainly = plain(method.name) in ORIGINAL and usual == USUAL and players == (1, 2)
        call = Call(method.name, arguments, method.returns)
        turns = "player" not in usual
        answers = answers_of(method, players, source, plainly=plainly, turns=turns)
        asks = None
        if answers is None or (
            not plainly and answers.mover and plain(method.name) not in ORIGINAL
        ):
            asked = _asks(each, method, source, text, turns)
            if asked:
                asks, answers = asked
            elif answers is None and plainly and not method.returns:
                answers = PLAIN_ANSWERS
        if answers is None:
            continue
        convention = Convention(
            TicTacToe.name, each.name, make, call, asks, players, answers, n,
            inner=each.inner,
            enums=tuple(filter(None, [enum_of((asks or call).returns, source)])),
            notes=_notes(each, make, call, asks, players, answers.mover, n),
            obstacle=_no_constructor(each) or _obstacle(each, method, turns, source),
        )  # fmt: skip
        rank = MOVES.index(plain(method.name)) if known else len(MOVES)
        yield (rank, len(USUAL) - len(usual)), convention


def _made(each: Class) -> tuple[Call, int | None] | None:
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
    if _made(each):
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
    ranked = [f for f in (*each.methods, *fields) if plain(f.name) in WINNERS and not f.hidden]
    for asked in sorted(ranked, key=lambda f: WINNERS.index(plain(f.name))):
        needed = tuple(p for p in asked.parameters if not p.default)
        arguments = (
            signature(asked, text)
            if len(needed) > 1
            else tuple(Argument("player", parameter.type) for parameter in needed)
        )
        if arguments is None:
            continue
        answers = answers_of(asked, players, source, turns=turns)
        if answers is not None:
            return Call(asked.name, arguments, asked.returns, value=asked.value), answers
    return None


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
        }
        first, *more = (words.get(role, role) for role in call.roles)
        taken = f"({', '.join((first, *more))})"
        said.append(f"its parameters are {taken}" if more else f"its parameter is {first}")
    if "player" not in call.roles:
        said.append("it has no parameter for the player, so players take turns")
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
