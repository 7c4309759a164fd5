"""Certificates: proofs of who wins, as text, checked by the rules of the game only.

A certificate is JSON Lines. The first line contains the rules and the moves that lead to the
position. Each other line is a step or a claim. A step may refer to the steps of earlier lines by
their line numbers. A claim, ``{"player": 1, "wins": 12}`` or ``{"player": 2, "holds": 9}``, states
that with this step the player wins or cannot lose. There are two kinds of steps.

**A move**, ``{"move": "C3", "replies": [["A1 B2", 4]]}``, lists the step that follows each reply;
after an unlisted reply the player completes a line. If the other player is to move, the step has
only replies. A step that holds may have a ``"plan"`` instead of replies. A step that wins may also
have a ``"pass"``, the step that wins if the other player passes. It then wins after every reply
outside its zone too, and these are not listed (see `noughts.opponent.exact.zones`).

**A plan** against an attacker who is to move gets a mark on certain lines by using certain cells,
its zone. In ``{"pairs": "A1 B2 C3 D4"}``, when the attacker takes one cell of a pair, the defender
takes the other, which covers the lines with both. In ``{"answers": [["E5", 2], ["F6", 3]]}``, the
defender chooses an answer, that is a cell and the plan that follows, which must not use the cell
that the attacker has just taken; so no cell may be used by all answers. Marks outside the zone do
not matter. A plan holds a position if its cells are empty and it covers all lines without a mark of
the defender.

(Pairs: A. W. Hales and R. I. Jewett, *Regularity and positional games*, 1963.)
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from noughts.errors import InvalidRecord, NoughtsError, short_repr
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.rules import Rules
from noughts.opponent.exact.zones import Step, WrongStep, Zones, marks_of
from noughts.picture import cell_name, read_cell

MAX_CELLS = 400  # all lines are kept in memory

FIRST = {"rules", "moves"}  # the fields of the first line
KINDS = (
    {"pairs"},
    {"answers"},
    {"move", "replies", "pass"},
    {"move", "plan"},
    {"player", "wins"},
    {"player", "holds"},
)
"""The combinations of fields that other lines may have."""


@dataclass(frozen=True, slots=True)
class Proved:
    """The claims of a certificate about a position, all of them checked.

    Attributes:
        game: the position.
        lines: the number of lines of the certificate.
        winner: the winner with best play; None if the certificate claims no win.
        held: the players who cannot lose. If it contains both, the position is a draw.
    """

    game: Game
    lines: int
    winner: int | None
    held: frozenset[int]


class Writer:
    """The lines of a certificate being written. Equal steps are written once."""

    def __init__(self, game: Game) -> None:
        self.rules = game.rules
        self._names = [cell_name(cell) for cell in _cells(game.rules)]
        moves = " ".join(map(cell_name, game.history))
        self.lines = [_text({"rules": str(game.rules), "moves": moves})]
        self._numbers: dict[str, int] = {}

    def pairs(self, pairs: Iterable[tuple[int, int]]) -> int:
        """Add a plan of pairs and return its number."""
        return self._add({"pairs": self._list(cell for pair in pairs for cell in pair)})

    def answers(self, answers: Iterable[tuple[int, int]]) -> int:
        """Add a plan of answers, each a cell and a step, and return its number."""
        return self._add({"answers": [[self._names[cell], step] for cell, step in answers]})

    def move(
        self,
        move: int | None,
        replies: Mapping[int, Iterable[int]] | int,
        passed: int | None = None,
    ) -> int:
        """Add a move and return its number.

        Args:
            move: the cell; None if the other player is to move.
            replies: for each step the replies that lead to it, or the number of a plan.
            passed: the step after a pass.
        """
        step: dict[str, Any] = {} if move is None else {"move": self._names[move]}
        if isinstance(replies, int):
            return self._add(step | {"plan": replies})
        step["replies"] = [[self._list(cells), number] for number, cells in replies.items()]
        if passed is not None:
            step["pass"] = passed
        return self._add(step)

    def claim(self, player: int, way: str, step: int) -> None:
        """Add a claim; `way` is "holds" or "wins"."""
        self._add({"player": player, way: step})

    def _list(self, cells: Iterable[int]) -> str:
        return " ".join(self._names[cell] for cell in cells)

    def _add(self, line: dict[str, Any]) -> int:
        text = _text(line)
        if text not in self._numbers:
            self.lines.append(text)
            self._numbers[text] = len(self.lines)
        return self._numbers[text]


def check_certificate(lines: Iterable[str | bytes], source: str = "") -> Proved:
    """Check every step and every claim of a certificate.

    Raises:
        InvalidRecord: a line is wrong; the error contains its number.

    Cost: O(lines) for plans; moves are played in each position that they reach.
    """
    number, checked = 0, None
    for number, text in enumerate(lines, 1):
        try:
            if checked:
                checked.add(_read(text))
            else:
                checked = _Checked(_read(text))
        except WrongStep as wrong:
            raise InvalidRecord(wrong.args[0], source, wrong.line or number) from None
        except RecursionError:
            raise InvalidRecord("the line is nested too deeply", source, number) from None
        except (NoughtsError, ValueError) as error:
            raise InvalidRecord(str(error), source, number) from None
    if checked is None or not (checked.held or checked.winner):
        raise InvalidRecord("the certificate claims nothing", source, number)
    return Proved(checked.game, number, checked.winner, frozenset(checked.held))


class _Checked:
    """The results of the lines checked so far. Sets of cells and of lines are bits."""

    def __init__(self, header: dict[str, Any]) -> None:
        if header.keys() != FIRST:
            raise WrongStep("the first line must have rules and moves and nothing else")
        rules = Rules.parse(_word(header, "rules"))
        if rules.players != 2 or rules.gravity or rules.variant != "freestyle":
            raise WrongStep("certificates are for 2 players and freestyle without gravity")
        if rules.cells > MAX_CELLS:
            raise WrongStep(f"certificates are for at most {MAX_CELLS} cells, not {rules.cells}")
        cells = [read_cell(name, len(rules.shape)) for name in _word(header, "moves").split()]
        self.game = Game.replay(rules, cells)
        if self.game.outcome:
            raise WrongStep("the game is over after these moves")
        self.held: set[int] = set()
        self.winner: int | None = None
        self._done: set[tuple[int, int, bytes]] = set()  # checked by `_check`
        self._names = {cell_name(cell): 1 << at for at, cell in enumerate(_cells(rules))}
        self._cells = dict(zip(self._names.values(), _cells(rules), strict=True))
        self._zones = Zones(rules, self._win)
        self._lines = self._zones.lines
        self._through = {
            cell: sum(1 << at for at, line in enumerate(self._lines) if line & cell)
            for cell in self._names.values()
        }
        self._steps: list[tuple[int, int] | Step | None] = [None, None]  # by line number

    def add(self, line: dict[str, Any]) -> None:
        """Check the next line."""
        step: tuple[int, int] | Step | None = None
        if not any(line.keys() <= kind for kind in KINDS):
            raise WrongStep(f"no line has these fields together: {short_repr(sorted(line))}")
        if "player" in line:
            self._check_claim(line)
        elif "pairs" in line:
            step = self._pairs(_word(line, "pairs").split())
        elif "answers" in line:
            step = self._answers(line["answers"])
        elif "replies" in line or "plan" in line:
            step = self._move(line)
        else:
            raise WrongStep("a line must be a plan (pairs or answers), a move or a claim")
        self._steps.append(step)

    def _pairs(self, names: list[str]) -> tuple[int, int]:
        """Return the zone of a plan of pairs and the lines that it covers."""
        zone = served = 0
        if len(names) % 2:
            raise WrongStep(f"{names[-1]} has no second cell")
        for first, second in zip(names[::2], names[1::2], strict=True):
            one, other = self._bit(first), self._bit(second)
            if one == other or zone & (one | other):
                raise WrongStep(f"the pair {first} {second} repeats a cell")
            zone |= one | other
            served |= self._through[one] & self._through[other]
        return zone, served

    def _move(self, line: dict[str, Any]) -> Step:
        """Read a move, which refers only to earlier steps."""
        move = self._bit(_word(line, "move")) if "move" in line else 0
        replies = dict[int, int]()
        for names, following in _items(line.get("replies", [])):
            self._step_with_move(following)
            replies |= dict.fromkeys(map(self._bit, names.split()), following)
        passed, plan = line.get("pass"), line.get("plan")
        if passed is not None:
            self._step_with_move(passed)
        if plan is not None:
            self._step(plan)
        return Step(move, replies, passed, plan)

    def _answers(self, answers: Any) -> tuple[int, int]:
        """Return the zone of a plan of answers and the lines that it covers."""
        zone, common, served = 0, -1, -1
        for name, number in _items(answers):
            reply, plan = self._bit(name), self._step(number)
            if isinstance(plan, Step):
                raise WrongStep(f"step {number} is not a plan")
            needed, lines = plan
            if needed & reply:
                raise WrongStep(f"step {number} needs {name}, which is taken before it")
            zone |= needed | reply
            common &= needed | reply
            served &= lines | self._through[reply]
        if common:
            name = next(name for name, bit in self._names.items() if common & bit)
            raise WrongStep(f"{name} has no answer")
        return zone, served

    def _check_claim(self, line: dict[str, Any]) -> None:
        player = line["player"]
        if type(player) is not int or player not in (1, 2):
            raise WrongStep(f"player must be 1 or 2, not {short_repr(player)}")
        if "wins" in line:
            self._check_win(player, line["wins"])
            self.winner = player
        elif "holds" in line:
            self._check(self.game, player, line["holds"])
            self.held.add(player)
        else:
            raise WrongStep("a claim must have wins or holds")

    def _check_win(self, player: int, number: Any) -> None:
        """Check that the player wins with this step against every reply."""
        if bool(self._win(number).move) != (self.game.turn == player):
            raise WrongStep(f"player {self.game.turn} is to move before it", number)
        marks = marks_of(self.game)
        self._zones.zone(number, marks[player - 1], marks[2 - player])

    def _win(self, number: Any) -> Step:
        step = self._step(number)
        if not isinstance(step, Step) or step.plan is not None:
            raise WrongStep(f"step {number} is a plan, which cannot win")
        return step

    def _check(self, game: Game, player: int, number: Any) -> None:
        """Check that the player does not lose with this step against any reply."""
        step = self._step(number)
        done = player, number, game.key()
        if done in self._done:
            return
        if isinstance(step, Step):
            self._check_move(game.copy(), player, number, step)
        elif game.turn == player:
            raise WrongStep(f"step {number} is a plan, so the other player must be to move")
        else:
            self._check_plan(game, player, number, *step)
        self._done.add(done)

    def _check_move(self, game: Game, player: int, number: int, step: Step) -> None:
        if bool(step.move) != (game.turn == player):
            raise WrongStep(f"player {game.turn} is to move before it", number)
        if step.move and (outcome := game.play(self._cells[step.move])):
            if outcome.winner == 3 - player:
                raise WrongStep("the game is lost after it", number)
            return
        if step.plan is not None:
            self._check(game, player, step.plan)
            return
        threats, danger = set(game.threats(player)), set(game.threats(3 - player))
        for reply in list(game.legal_moves):
            following = step.replies.get(self._names[cell_name(reply)])
            if following is None and reply not in danger and threats.difference((reply,)):
                continue
            outcome = game.play(reply)
            if outcome:
                if outcome.winner == 3 - player:
                    raise WrongStep(f"the game is lost after {cell_name(reply)}", number)
            elif following is None:
                raise WrongStep(f"it has no answer to {cell_name(reply)}", number)
            else:
                self._check(game, player, following)
            game.undo()

    def _check_plan(self, game: Game, player: int, number: int, zone: int, served: int) -> None:
        """Check that with this plan the player, not to move, gets a mark on every line."""
        for cell in game.history:
            mark = self._names[cell_name(cell)]
            if zone & mark:
                raise WrongStep(f"step {number} needs {cell_name(cell)}, which is taken")
            if game.mark(cell) == player:
                served |= self._through[mark]
        for at, line in enumerate(self._lines):
            if not served >> at & 1:
                cells = " ".join(name for name, bit in self._names.items() if line & bit)
                raise WrongStep(f"step {number} leaves the line {cells} to the other player")

    def _step(self, number: Any) -> tuple[int, int] | Step:
        step = None
        if type(number) is int and 0 <= number < len(self._steps):
            step = self._steps[number]
        if step is None:
            raise WrongStep(f"{short_repr(number)} is not the line of an earlier step")
        return step

    def _step_with_move(self, number: Any) -> None:
        step = self._step(number)
        if not isinstance(step, Step) or not step.move:
            raise WrongStep(f"step {number} has no move")

    def _bit(self, name: str) -> int:
        if name not in self._names:
            raise WrongStep(f"{short_repr(name)} is not a cell of the board")
        return self._names[name]


def _cells(rules: Rules) -> list[Cell]:
    """Return the cells in the order of their numbers."""
    return list(product(*map(range, rules.shape)))


def _read(text: str | bytes) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except ValueError:  # also bytes that are not text and numbers with too many digits
        raise WrongStep("this is not JSON") from None
    if not isinstance(line, dict):
        raise WrongStep(f"a line must be an object, not {short_repr(line)}")
    return line


def _text(line: dict[str, Any]) -> str:
    return json.dumps(line, separators=(",", ":"))


def _word(line: dict[str, Any], name: str) -> str:
    value = line.get(name)
    if not isinstance(value, str):
        raise WrongStep(f"{name} must be text, not {short_repr(value)}")
    return value


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the items of a list of texts, each with a step."""
    if not isinstance(value, list):
        raise WrongStep(f"expected a list, got {short_repr(value)}")
    for item in value:
        if not (isinstance(item, list) and len(item) == 2 and isinstance(item[0], str)):
            raise WrongStep(f"expected cells and a step, got {short_repr(item)}")
        yield item[0], item[1]
