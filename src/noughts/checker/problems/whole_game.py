"""Find Winner on a Tic-Tac-Toe Game: a function that judges a whole game on 3×3."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from noughts.checker.explore import Play, every_game
from noughts.checker.problems.problem import Candidate, functions, takes_board
from noughts.checker.reading import Function, Source
from noughts.checker.reading.convention import Answers
from noughts.checker.reading.matching import plain


class WholeGame:
    """The function `tictactoe(moves)`, which answers A, B, Draw or Pending."""

    name: str = "tictactoe"
    whole: bool = True
    looked_for: str = "function tictactoe(moves)"

    def candidates(self, source: Source) -> Iterator[Candidate]:
        """Yield the function and each class with it as a method."""
        free = () if source.classes else source.functions
        named = [plain(each.name) for each in free if _takes_moves(each)]
        for found, function in functions(source, self.name, ("tictactoe", *named), "moves"):
            if takes_board(function):
                continue
            yield found._replace(
                convention=replace(found.convention, answers=Answers(((), ()), ()))
            )

    def play_all(self, play: Play, patient: Callable[[], bool], n: int | None) -> bool:
        """Play every game on 3×3 that A begins."""
        return every_game(self.name, play, patient, (3,))


def _takes_moves(function: Function) -> bool:
    """Return whether a function needs one argument, moves."""
    names = [plain(each.name) for each in function.parameters if not each.default]
    return len(names) == 1 and names[0] in ("moves", "movesarr", "movelist", "moveslist")
