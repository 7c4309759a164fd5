"""Recorded games, and their JSON form."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Self

from noughts.arguments import integer
from noughts.errors import InvalidPosition, InvalidRecord, InvalidRules, short_repr
from noughts.game.diagram import MARKS
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.rules import OPTIONS, Rules, options_of
from noughts.records.moves import Origin, cells_of_numbers, read_moves, without_players

encode: Callable[[object], str] = json.JSONEncoder(separators=(",", ":")).encode
"""Encode as JSON without spaces, the form of all records and verdicts."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note on one move.

    Attributes:
        comment: a text; empty if there is none.
        took: the time that the move took, in milliseconds.
        left: the time left on the player's clock after the move, in seconds.
        moves_left: the number of moves to be made in that time, if the clock counts them.
    """

    comment: str = ""
    took: int | None = None
    left: float | None = None
    moves_left: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded game, whose moves need not be legal.

    Attributes:
        rules: the rules of the game; text is parsed.
        moves: the cells in the order of play.
        id: the game's name in its file, a string or an integer.
        result: the claimed winner, or 0 for a draw; None without a claim.
        names: the players' names in turn order; empty if unknown.
        comment: a text about the whole game.
        notes: one note per move; empty if there are none.
        impossible: why no game leads to the recorded board, which has no moves then; empty
            otherwise.
        notation: how the file names cells, one of `noughts.picture.NOTATIONS`.
    """

    rules: Rules
    moves: tuple[Cell, ...]
    id: str | int | None = None
    result: int | None = None
    names: tuple[str, ...] = ()
    comment: str = ""
    notes: tuple[Note, ...] = ()
    impossible: str = ""
    notation: str = field(default="spreadsheet", compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.rules, str):  # callers may give the text of rules
            object.__setattr__(self, "rules", Rules.parse(self.rules))

    @classmethod
    def of(cls, game: Game, id: str | int | None = None) -> Self:
        """Create the record of a game."""
        return cls(game.rules, game.history, id)

    def game(self) -> Game:
        """Replay the game; raise the same errors as `Game.replay`.

        Raises:
            InvalidPosition: no game leads to the recorded board.
        """
        if self.impossible:
            raise InvalidPosition(self.impossible)
        return Game.replay(self.rules, self.moves)

    def to_json(self, **more: object) -> str:
        """Return the record without notes, plus `more` fields, as a line of JSON, no newline."""
        rules = self.rules
        fields: dict[str, object] = {} if self.id is None else {"id": self.id}
        if rules.shape == rules.shape[:1] * 2 and rules == Rules.square(rules.shape[0]):
            fields |= {"n": rules.shape[0]}
        else:
            fields |= {"shape": rules.shape, "k": rules.k, "players": rules.players}
            options = options_of(rules).items()
            fields |= {name: value for name, value in options if value != OPTIONS[name].usual}
        fields |= {"moves": self.moves}
        fields |= {} if self.result is None else {"result": self.result}
        fields |= {"names": self.names} if self.names else {}
        fields |= {"comment": self.comment} if self.comment else {}
        return encode(fields | more)


def record_of_fields(
    fields: dict[str, Any], rules: Rules | None = None, origin: Origin | None = None
) -> Record:
    """Create a record from the fields of a JSON object.

    Args:
        fields: the fields, see `docs/records.md`.
        rules: the rules of a game that does not name its own.
        origin: where row 1 is in the names of cells, see `read_moves`.

    Raises:
        InvalidRecord, InvalidRules, TypeError: a field is missing or invalid.
    """
    if "moves" not in fields:  # no rules would help
        meant = next((name for name in _BOARDS if name in fields), "")
        problem = "moves must be a list of cells such as [[0, 0], [1, 1]], got no moves"
        raise InvalidRecord(problem + (f'; call "{meant}" "board" if it is one' if meant else ""))
    rules = rules_of_fields(fields, rules)
    others = others_of_fields(fields, rules.players)
    return Record(rules, _moves(fields["moves"], rules, origin), **others)


_BOARDS = ("cells", "grid", "position", "state", "squares", "board_state")  # often boards


def others_of_fields(fields: dict[str, Any], players: int) -> dict[str, Any]:
    """Read the fields of a JSON object that are neither rules nor moves.

    Returns:
        The fields ``id``, ``result``, ``names`` and ``comment`` of a record.

    Raises:
        InvalidRecord, TypeError: a field is invalid.
    """
    name = fields.get("id")
    if not isinstance(name, str | int | None) or isinstance(name, bool):
        raise InvalidRecord(f"id must be a string or an integer, got {short_repr(name)}")
    names, comment = fields.get("names", []), fields.get("comment", "")
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise InvalidRecord(f"names must be a list of strings, got {short_repr(names)}")
    if not isinstance(comment, str):
        raise InvalidRecord(f"comment must be a string, got {short_repr(comment)}")
    result = fields.get("result")
    if isinstance(fields.get("winner"), str):  # a number is the winner in a verdict, no claim
        result = agreed("result", result, "winner", fields["winner"], players)
    if isinstance(result, str):
        result = read_result(result, players)
    if result is not None and not 0 <= integer(result, "result") <= players:
        raise InvalidRecord(
            f"result must be 1 to {players}, or 0 for a draw, got {short_repr(result)}"
        )
    return {"id": name, "result": result, "names": tuple(names), "comment": comment}


def _moves(moves: object, rules: Rules, origin: Origin | None) -> tuple[Cell, ...]:
    """Read the moves of a JSON object: cells, their names or numbers, or text."""
    if isinstance(moves, str):
        return read_moves(moves, rules, origin)
    if not isinstance(moves, list):
        raise InvalidRecord(
            f"moves must be a list of cells such as [[0, 0], [1, 1]], got {short_repr(moves)}"
        )
    if moves and all(type(move) is dict for move in moves):
        moves = [_cell_of_object(move, ply, rules) for ply, move in enumerate(moves)]
    sides = len(rules.shape)
    if moves and type(moves[0]) in (str, int):
        kind, words = type(moves[0]), {str: "names", int: "numbers"}
        for i, move in enumerate(moves):
            if type(move) is not kind:
                raise InvalidRecord(
                    f"moves[{i}] must be one of the {words[kind]} of cells, as moves[0] is, "
                    f"got {short_repr(move)}"
                )
        if kind is str:
            return read_moves(" ".join(moves), rules, origin)
        return cells_of_numbers(moves, rules)
    if moves and all(type(move) is list for move in moves):
        moves = without_players(moves, rules)
    for i, move in enumerate(moves):
        if type(move) is not list or len(move) != sides:
            raise InvalidRecord(
                f"moves[{i}] must be a list of {sides} integers, got {short_repr(move)}"
            )
        for at in move:
            if type(at) is not int:
                integer(at, f"moves[{i}]'s coordinate")
    return tuple(map(tuple, moves))


def _cell_of_object(move: dict[str, Any], ply: int, rules: Rules) -> Any:
    """Return the cell of a move that is an object; check its player, if it has one.

    Raises:
        InvalidRecord: the object has no cell, or another player is to move.
    """
    fields = {name.lower(): value for name, value in move.items()}
    player = next((fields[name] for name in _MOVERS if name in fields), None)
    marked = str(player).upper()
    number = MARKS.get(marked[0] if marked in ("BLACK", "WHITE") else marked, player)
    due = ply % rules.players + 1
    if type(number) is int and number != due:
        raise InvalidRecord(f"moves[{ply}] is by {short_repr(player)}, but player {due} is to move")
    column = next((fields[name] for name in ("col", "column") if name in fields), None)
    if "row" in fields and column is not None:
        return [fields["row"], column]
    cell = next((fields[name] for name in _CELLS if name in fields), None)
    if cell is None:
        raise InvalidRecord(
            f'moves[{ply}] must have "row" and "col", or "cell", got {short_repr(move)}'
        )
    return cell


_MOVERS = ("player", "color", "colour", "mark", "symbol")
_CELLS = ("cell", "position", "pos", "square", "move")  # a move may be its number


def usual_id(source: str, number: int) -> str:
    """Return the id of a game that has none, the file's name and the game's number in it."""
    return source if number == 1 else f"{source}#{number}"


def agreed(name: str, claim: object, other: str, second: str, players: int) -> object:
    """Return the claim that one or both of two parts of a file make.

    Raises:
        InvalidRecord: they claim different results.
    """
    if claim in (None, ""):
        return second
    first = read_result(claim, players) if isinstance(claim, str) else claim
    if (also := read_result(second, players)) not in (None, first) and first is not None:
        raise InvalidRecord(f"{name} claims {short_repr(claim)}, but {other} {short_repr(second)}")
    return second if first is None and also is not None else claim


LONGEST_RESULT = 40
RESULTS = ("1/2-1/2", "1-0", "0-1")
"""How results between two players are written, by the winner's number."""
_SCORES = {"1-0": 1, "0-1": 2, "1/2-1/2": 0, "½-½": 0, "0.5-0.5": 0, "draw": 0, "tie": 0}
_WINNERS = {"x": 1, "o": 2, "b": 1, "w": 2, "black": 1, "white": 2}
_RESIGNED = re.compile(r"(x|o|black|white) (?:resigns|resigned)[.!]?")
_DASH = re.compile(r"^([01½]|1/2|0\.5)[–:]([01½]|1/2|0\.5)$")
_OPEN = frozenset({"", "*", "?", "-", "pending", "unfinished", "none", "null"})


def read_result(text: str, players: int = 2) -> int | None:
    """Read a claimed result: the winner, 0 for a draw, or None if the text claims nothing.

    Accepted are ``1-0``, ``0-1``, ``1/2-1/2`` and ``*``, a player's number or mark, ``X wins``,
    ``White resigns``, ``Black`` and ``White``, and ``draw``; the first player is X or Black.

    Raises:
        InvalidRecord: the text is none of these.

    >>> [read_result(text) for text in ["1-0", "1/2-1/2", "*", "2", "O wins", "tie"]]
    [1, 0, None, 2, 2, 0]
    """
    word = text.strip().lower()
    if len(word) > LONGEST_RESULT or re.match("0 *w", word):  # a long text would take long
        word = "unknown"
    if players == 2 and (lost := _RESIGNED.fullmatch(word)):
        return 3 - _WINNERS[lost[1]]
    said = word
    word = re.sub(r"^(player|winner)[ _:=]*|[ _:+]*(wins?|won)?[.!]?$", "", word)
    if word != said and word in ("", "0"):  # nobody who could have won
        word = "unknown"
    word = _DASH.sub(r"\1-\2", word)
    if word in _OPEN:
        return None
    if players == 2 and word in _SCORES:
        return _SCORES[word]
    if word in _SCORES and _SCORES[word] == 0:
        return 0
    if players == 2 and word in _WINNERS:
        return _WINNERS[word]
    if re.fullmatch("[0-9]", word) and int(word) <= players:
        return int(word)
    raise InvalidRecord(
        f"a result must be 1 to {players}, 0 or draw, 1-0, 0-1, 1/2-1/2 or *, "
        f"got {short_repr(text)}"
    )


NO_RULES = "the file does not name the rules: pass --rules (in Python, rules=), for example gomoku"
"""The problem of every game without rules, in every format."""


LONGEST_NAME = 200  # characters of a text of rules that is remembered


def rules_of_name(name: str, rules: Rules | None, where: str = "") -> Rules:
    """Return the rules of this name in a file, or else the given ones.

    Args:
        name: the rules as text.
        rules: the rules for names that noughts does not know. A misspelt one is an error.
        where: the name as the file has it; by default in quotation marks.

    Raises:
        InvalidRecord: the name is misspelt, or unknown and there are no other rules.
    """
    problem = ""
    if not name.strip().isdigit():  # a number can be anything here, such as that of the game
        try:
            return _known(name)
        except InvalidRules as error:
            problem = str(error)
    _, proposes, meant = problem.rpartition("; did you mean")
    if rules is None or (proposes and " " not in name.strip()):
        hint = proposes + meant if proposes else ": pass --rules"
        raise InvalidRecord(f"unknown rules {where or short_repr(name)}{hint}")
    return rules


def _known(text: str) -> Rules:
    """Parse rules, and remember them unless the text is long; raise the same errors."""
    return _parsed(text) if len(text) <= LONGEST_NAME else Rules.parse(text)


_rules = lru_cache(maxsize=256)(Rules)
_parsed = lru_cache(maxsize=256)(Rules.parse)


def rules_of_size(rules: Rules, shape: tuple[int, ...]) -> Rules:
    """Return these rules on a board of another size; raise the same errors as `Rules`."""
    return _rules(shape, rules.k, **options_of(rules))


def rules_of_fields(fields: dict[str, Any], rules: Rules | None = None) -> Rules:
    """Create rules from the fields of a record.

    Args:
        fields: the fields, of which only those of rules are read.
        rules: rules that fill in what fields without ``n``, ``shape`` and ``rules`` leave open.

    Raises:
        InvalidRecord, InvalidRules, TypeError: a field is missing or invalid.
    """
    if "rules" in fields:
        for name in ("n", "shape", "k", *OPTIONS):
            if name in fields:
                problem = f'a game with "rules" cannot have "{name}": write it in the rules'
                raise InvalidRecord(problem)
        if not isinstance(text := fields["rules"], str):
            raise InvalidRecord(f"rules must be text such as 'renju', not {short_repr(text)}")
        try:
            return _known(text)
        except InvalidRules:
            if rules is None:
                raise
            return rules_of_name(text, rules)
    if "n" in fields and "shape" in fields:
        raise InvalidRecord('a game needs exactly one of "n", "shape" and "rules"')
    if "n" not in fields and "shape" not in fields:
        if rules is None:
            raise InvalidRecord(NO_RULES)
        fields = {"shape": list(rules.shape), "k": rules.k} | options_of(rules) | fields
    sides = [fields["n"]] * 2 if "n" in fields else fields["shape"]
    if not isinstance(sides, list):
        raise InvalidRecord(f"shape must be a list of sides, got {short_repr(sides)}")
    name = "n" if "n" in fields else "a side of the board"
    shape = tuple(integer(side, name) for side in sides)
    k = None if fields.get("k") is None else integer(fields["k"], "k")
    return _rules(shape, k, **{name: _option(name, fields) for name in OPTIONS})


def _option(name: str, fields: dict[str, Any]) -> Any:
    """Return the value of an option of rules; raise the same errors as `rules_of_fields`."""
    usual = OPTIONS[name].usual
    value = fields.get(name, usual)
    if type(usual) is int:
        return integer(value, name)
    if not isinstance(value, type(usual)):
        expected = "a string" if isinstance(usual, str) else "true or false"
        raise InvalidRecord(f"{name} must be {expected}, got {short_repr(value)}")
    return value
