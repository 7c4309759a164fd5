"""Expressions: the calls of a solution, as they are written in a language."""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from noughts.checker.reading.convention import Argument, Call, Convention, Name, Value
from noughts.checker.reading.matching import bare
from noughts.checker.solution import Failed


class Expressions:
    """How a language writes calls and values.

    In the formats ``game`` is the object, and ``n``, ``row``, ``col`` and ``player`` are integers.
    """

    name: ClassVar[str]
    new: ClassVar[str] = "new {owner}({arguments})"
    factory: ClassVar[str] = "{name}({arguments})"  # a constructor with a name
    method: ClassVar[str] = "game.{name}({arguments})"
    field: ClassVar[str] = "game.{name}"
    static: ClassVar[str] = "{owner}.{name}({arguments})"
    function: ClassVar[str] = "{name}({arguments})"
    nothing: ClassVar[str] = "null"  # an object where none is needed
    statement: ClassVar[str] = "{};"
    choice: ClassVar[str] = "(player == 1 ? {} : {})"
    member: ClassVar[str] = "{enum}.{member}"
    letter: ClassVar[str] = "'{}'"
    text: ClassVar[str] = '"{}"'
    truths: ClassVar[tuple[str, str]] = ("false", "true")
    letters: ClassVar[tuple[str, ...]] = ()  # the types of single letters
    casts: ClassVar[Mapping[str, str]] = {}  # by type: a number as a value of this type
    pairs: ClassVar[Mapping[str, str]] = {}  # by type: a pair of row and column
    wholes: ClassVar[Mapping[str, str]] = {}  # by role and type: a whole game or board
    renews: ClassVar[bool] = False  # whether an object may be replaced by what a move returns

    def construction(self, convention: Convention) -> str:
        """Return the expression that creates an object. Raises Failed if it cannot be used."""
        make = convention.make
        if convention.renews and not self.renews:
            name = convention.call.name
            raise Failed(
                "unusable",
                f"{name} returns a new object for the next move, which is understood only in "
                f"Python, JavaScript and TypeScript: let {name} change its own object",
            )
        if make is None:
            return self.nothing
        return self._filled(self.factory if make.name else self.new, make, convention)

    def called(self, call: Call, convention: Convention) -> str:
        """Return the expression of a call."""
        if call.value:
            return self.field.format(name=call.name)
        if not convention.owner:
            return self._filled(self.function, call, convention)
        return self._filled(self.static if call.static else self.method, call, convention)

    def _filled(self, text: str, call: Call, convention: Convention) -> str:
        arguments = ", ".join(self.argument(each, convention) for each in call.arguments)
        return text.format(owner=convention.owner, name=call.name, arguments=arguments)

    def argument(self, argument: Argument, convention: Convention) -> str:
        """Return the expression of an argument."""
        role, type, _ = argument
        if role in ("moves", "board", "cells"):
            return self.given(self.wholes, f"{role} {type}".strip(), f"a {role} of type {type}")
        if role == "cell":
            return self.given(self.pairs, bare(type), f"a cell of type {type}")
        if role in ("row number", "col number"):
            return self.casts.get(type, "{}").format(f"({role.removesuffix(' number')} + 1)")
        if role in ("index", "number"):
            at = "(row * n + col)" if role == "index" else "(row * n + col + 1)"
            return self.casts.get(type, "{}").format(at)
        if role == "player" and convention.players != (1, 2):
            both = (self.literal(player, type) for player in convention.players)
            return self.choice.format(*both)
        return self.casts.get(type, "{}").format(role)

    def given(self, table: Mapping[str, str], key: str, what: str) -> str:
        """Return an entry. Raises Failed, "unusable", if there is none."""
        if key not in table:
            raise Failed("unusable", f"it takes {what}, which cannot be passed in {self.name}")
        return table[key]

    def literal(self, value: Value, type: str = "") -> str:
        """Return a value as it is written, for a parameter of this type."""
        if isinstance(value, Name):
            return self.member.format(enum=value.enum, member=value.member)
        if isinstance(value, bool):
            return self.truths[value]
        if isinstance(value, str):
            return (self.letter if bare(type) in self.letters else self.text).format(value)
        return self.nothing if value is None else str(value)


class Calls(NamedTuple):
    """The expressions by which a Python solution is called, with the names that it defines.

    Attributes:
        make: a function of n that creates an object; for a function, one that returns None.
        call: a function of the object and n that returns a function of row, column and player,
            which moves and answers; for a whole game, a function of n and the moves.
        whole: whether `call` judges a whole game or board.
    """

    make: str
    call: str
    whole: bool


class PythonExpressions(Expressions):
    """How Python writes calls and values."""

    name = "Python"
    renews = True
    new = "{owner}({arguments})"
    nothing = "None"
    statement = "{}"
    choice = "({} if player == 1 else {})"
    text = "'{}'"
    truths = ("False", "True")
    pairs = dict.fromkeys(
        ("", "tuple", "Tuple", "tuple[int, int]", "Tuple[int, int]"), "(row, col)"
    )
    pairs |= dict.fromkeys(("list", "List", "list[int]", "List[int]"), "[row, col]")

    def calls(self, convention: Convention) -> Calls:
        """Return the expressions by which the solution is called."""
        if convention.whole:
            made = convention.owner and not convention.call.static
            object = f"{convention.owner}()" if made else "None"
            call = self.called(convention.call, convention)
            return Calls(
                "lambda n: None", f"lambda n, marks: (lambda game: {call})({object})", True
            )
        make = f"lambda n: {self.construction(convention)}"
        call = self.called(convention.call, convention)
        if convention.renews and convention.asks:
            asked = self.called(convention.asks, convention)
            renewed = f"held.__setitem__(0, (lambda game: {call})(held[0])) or held[0]"
            moved = f"(lambda game: {asked})({renewed})"
            make = f"lambda n: [{self.construction(convention)}]"
            return Calls(make, f"lambda held, n: lambda row, col, player: {moved}", False)
        if call == f"game.{convention.call.name}(row, col, player)" and not convention.asks:
            return Calls(make, f"lambda game, n: game.{convention.call.name}", False)
        if convention.asks:
            call = f"({call}, {self.called(convention.asks, convention)})[1]"
        return Calls(make, f"lambda game, n: lambda row, col, player: {call}", False)

    def argument(self, argument: Argument, convention: Convention) -> str:
        """Return the expression of an argument; see `Language.argument`."""
        if argument.role == "moves":
            return "[[row, col] for row, col, _ in marks]"
        if argument.role in ("board", "cells"):
            marks = ", ".join(map(self.literal, (*convention.players, convention.empty)))
            board = f"noughts_board(n, marks, {marks})"
            if argument.role == "cells" and argument.type != "str":
                return f"sum({board}, [])"
            if argument.type.lower().replace(" ", "") == "list[str]":
                return f"[''.join(row) for row in {board}]"
            return f"''.join(sum({board}, []))" if argument.type == "str" else board
        return super().argument(argument, convention)
