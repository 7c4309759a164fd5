"""Find Winner on a Tic-Tac-Toe Game: a function that judges a whole game on 3×3."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from noughts.checker.explore import Play, every_game
from noughts.checker.games import Games
from noughts.checker.problems.problem import (
    Candidate,
    described,
    functions,
    takes_board,
    takes_moves,
)
from noughts.checker.problems.tic_tac_toe import created
from noughts.checker.reading import Source
from noughts.checker.reading.convention import Answers, Argument, Call, Convention
from noughts.checker.reading.matching import MOVES, enum_of, plain
from noughts.checker.solution import Game


class WholeGame:
    """The function `tictactoe(moves)`, which answers A, B, Draw or Pending."""

    name: str = "tictactoe"
    whole: bool = True
    looked_for: str = "function tictactoe(moves)"

    def candidates(self, source: Source) -> Iterator[Candidate]:
        """Yield the function and each class with it as a method."""
        free = () if source.classes else source.functions
        named = [plain(each.name) for each in free if takes_moves(each)]
        for found, function in functions(source, self.name, ("tictactoe", *named), "moves"):
            if takes_board(function):
                continue
            yield found._replace(
                convention=replace(found.convention, answers=Answers(((), ()), ()), exact=True)
            )
        for each in source.classes:
            made = created(each)
            for method in each.methods:
                if made is None or method.hidden or not takes_moves(method):
                    continue
                if plain(method.name) not in MOVES:
                    continue
                call = Call(method.name, (Argument("moves", method.parameters[0].type),),
                            method.returns)  # fmt: skip
                enum = enum_of(method.returns, source)
                note = f"{method.name}({method.parameters[0].name}) is called once, with all moves"
                convention = Convention(
                    self.name, each.name, None if method.static else made[0], call,
                    answers=Answers(((), ()), ()), n=3, enums=(enum,) if enum else (),
                    notes=(note,),
                )  # fmt: skip
                what = described("class", f"{each.name}.{method.name}", each.lines)
                yield Candidate((1,), each.name, what, convention)

    def examples(self, n: int) -> list[Game]:
        """Return games with every line by either player, full boards and unfinished games."""
        made = Games(n, "examples")
        games = [game for game in (*made.each_line(), *made.full(8)) if game.moves[0][2] == 1]
        games += [Game(n, game.moves[:ply], game.right[:ply]) for game in games for ply in (1, 3)]
        return [_with_answer(game) for game in games]

    def play_all(self, play: Play, patient: Callable[[], bool], n: int | None) -> bool:
        """Play every game on 3×3 that A begins."""
        return every_game(self.name, play, patient, (3,))


def _with_answer(game: Game) -> Game:
    """Return a game with the one answer of this problem."""
    nobody = "'Draw'" if len(game.moves) == game.n**2 else "'Pending'"
    right = {"0": nobody, "1": "'A'", "2": "'B'"}[game.right[-1]]
    return game._replace(right=(right,))
