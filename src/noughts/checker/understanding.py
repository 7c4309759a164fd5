"""Understanding: what a solution answers, learned from a few games with known results.

Reading finds what the usual answers mean. A solution may have others, such as -1 for a draw: what
they mean shows in games whose results are known. An answer that is given for one result and for no
other means this result. If the answers cannot say who has won, something else was taken for them:
the solution is unusable, and not wrong.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from noughts.checker.problems import PROBLEMS
from noughts.checker.problems.tic_tac_toe import NO_WINNER, ORIGINAL, USUAL
from noughts.checker.reading.convention import PLAIN_ANSWERS, WINS, Convention
from noughts.checker.reading.matching import plain
from noughts.checker.solution import Failed, Game, Played, Solution, renewed

MOST = 9  # different answers with a meaning to be learned
OVER = re.compile("over|end|finish|done|game$")
"""Names of methods that may say that a game is over, and not that somebody has won it."""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
"""Answers that cannot be another word for the winner, in a class that also names the winner."""
OTHER = {"1": "2", "2": "1"}
RESULTS = ("'A'", "'B'", "'Draw'", "'Pending'")  # of a whole game


class Said(NamedTuple):
    """An answer: as it is read, the right one, whether the board is full, who moved, and where.

    Both answers call the player who begins player 1 if the solution does so.
    """

    read: str
    right: str
    full: bool
    player: int
    cell: tuple[int, int]

    @property
    def won(self) -> bool:
        """Whether somebody has won."""
        return self.right in (*OTHER, *RESULTS[:2])


def understood(solution: Solution) -> Convention:
    """Return the calling convention of a solution with the meaning of its own answers.

    Raises:
        Failed: "unusable": its answers do not say who has won; or it fails in these games.
    """
    convention, problem = solution.convention, PROBLEMS[solution.convention.problem]
    exact = convention.answers is PLAIN_ANSWERS and "player" in convention.call.roles
    if exact or convention.exact:
        return convention
    games = problem.examples(convention.n or 3)
    with renewed(solution) as fresh:
        said = _said(convention, games, fresh.play(games))
    _callable(convention, said)
    if learned := _learned(convention, said):
        answers = replace(convention.answers, learned=learned)
        convention = replace(convention, answers=answers)
        said = [_meant(each, dict(learned)) for each in said]
    if not convention.whole:
        _decided(convention, said)
    return convention


def _said(convention: Convention, games: Sequence[Game], played: Sequence[Played]) -> list[Said]:
    """Return the answers in these games."""
    found = []
    for game, each in zip(games, played, strict=True):
        swap = OTHER if convention.takes_turns and game.moves[0][2] == 2 else {}
        moves = [(0, 0, 0)] if convention.whole else game.moves
        for ply, (read, right) in enumerate(zip(each.answers, game.right, strict=True), 1):
            full = (len(game.moves) if convention.whole else ply) == game.n**2
            *cell, player = moves[ply - 1]
            own = swap.get(read, read), swap.get(right, right)
            found.append(Said(*own, full, player, (cell[0], cell[1])))
    return found


def _callable(convention: Convention, said: Sequence[Said]) -> None:
    """Raise Failed, "unusable", if every call, or every move of a player, raises an exception."""
    name = convention.call.name
    taken = f"{name}({', '.join(convention.call.roles)})"
    for player in (1, 2):
        texts = {each.read for each in said if each.player == player}
        text = min(texts) if len(texts) == 1 else ""
        if convention.hint and re.fullmatch(rf"!.*\b{player}\W*", text):
            reason = f"every move of player {player} raises {text[1:]}"
            raise Failed("unusable", f"{reason}; {convention.hint}")
    if plain(name) in ORIGINAL and convention.call.roles == USUAL:
        return
    if all(each.read.startswith("!") for each in said):
        raise Failed("unusable", f"it was called as {taken}, and always raises {said[0].read[1:]}")
    from_one = "row number" in convention.call.roles
    edge, place = ((convention.n or 3) - 1, "last") if from_one else (0, "first")
    there = [each.read for each in said if edge in each.cell]
    refused = [edge in each.cell for each in said if each.read.startswith("!")]
    if not convention.whole and all(refused) and len(refused) == len(there):
        reason = f"{name} raises {there[0][1:]} in every {place} row and column"
        reason += ", counted from 1 as its source seems to do" if from_one else ""
        raise Failed("unusable", f"{reason}; count them from 0")


def _learned(convention: Convention, said: Sequence[Said]) -> tuple[tuple[str, str], ...]:
    """Return what each unknown answer means: a known one, or "mover" for the player who moved."""
    known = RESULTS if convention.problem == "tictactoe" else ("0", *OTHER)
    seen: dict[str, list[Said]] = defaultdict(list)
    for each in said:
        if each.read not in known and not each.read.startswith("!"):
            seen[each.read.removeprefix("int ")].append(each)
    if len(seen) > MOST:
        shown = " and ".join([*seen][:2])
        raise Failed("unusable", f"its answers, such as {shown}, do not say who has won")
    usual = {each.right for each in said if each.won and each.read == each.right}
    return tuple(
        (text, _meaning(text, found, convention))
        for text, found in seen.items()
        if not (NUMBER.fullmatch(text) and all(e.won and e.right in usual for e in found))
    )


def _meaning(text: str, found: Sequence[Said], convention: Convention) -> str:
    """Return what an unknown answer means, by the results for which it is given."""
    winners = {each.right for each in found if each.won}
    others = {each.right for each in found if not each.won}
    if winners and WINS.fullmatch(text):  # a phrase that names a winner is never for nobody
        others = set()
    early = any(each.won and not each.full for each in found)
    if early and "0" in others and all(each.won or each.full for each in found):
        reason = f"it answers {text} both when a player has won and when the board is full"
        raise Failed("unusable", f"{reason}, which does not say who has won; {NO_WINNER}")
    rights = others or winners
    if len(rights) == 1:
        return min(rights)
    if convention.whole:
        meant = " and ".join(sorted(rights))
        raise Failed("unusable", f"it answers {text} where {meant} are expected")
    return "mover"


def _meant(each: Said, learned: dict[str, str]) -> Said:
    """Return an answer as it is read once its meaning is known; the mover is who should win."""
    read = learned.get(each.read.removeprefix("int "), each.read)
    return each._replace(read=each.right if read == "mover" else read)


def _decided(convention: Convention, said: Sequence[Said]) -> None:
    """Raise Failed, "unusable", if the answers do not say who has won, or who begins."""
    asks = convention.asks
    name = (asks or convention.call).name + ("" if asks and asks.value else "()")
    if all(each.read in OTHER for each in said):
        reason = f"{name} answers the same after every move, won or not"
        raise Failed("unusable", f"{reason}; {NO_WINNER}")
    if asks and all(each.read == "0" for each in said):
        reason = f"{name} never says that somebody has won, in games with every line"
        raise Failed("unusable", f"{reason}: it is unfinished, or to be called in another way")
    full = [each.read in OTHER for each in said if each.full and not each.won]
    if asks and OVER.search(plain(asks.name)) and full and all(full):
        raise Failed("unusable", f"{name} says that a game is over, and not who has won it")
    swapped = all(each.read == (OTHER[each.right] if each.won else "0") for each in said)
    if convention.takes_turns and swapped and convention.begins != "first":
        if convention.begins == "second":
            reason = "its source says that the second player begins, but it never names the winner"
            raise Failed("unusable", f"{reason} by this; if X begins, use --players X,O")
        reason = "it calls the player who moves first by the name of the second"
        raise Failed("unusable", f"{reason}; if O begins, use --players O,X")
