"""The process of a player written as a Python function: it loads the file and asks for moves.

Usage: ``python agent_worker.py NAME RULES FILE``, where NAME is the function, or empty for the last
one of the file. The process first writes a line. A request is a line of JSON: the cells played so
far, and the seconds for the move. The answer is the numbers of a cell or column, or else whatever
the function returned. `noughts.checker.worker` describes failures.
"""

import inspect
import json
import sys
from collections.abc import Callable
from functools import partial
from operator import index
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

from noughts import Game, Rules
from noughts.checker import calls
from noughts.checker.worker import File, UnreadableError, answer

Cells = list[list[int]]


class Fields(dict[str, Any]):
    """A dictionary whose items are attributes too, as Kaggle passes them."""

    __setattr__ = dict.__setitem__

    def __getattr__(self, name: str) -> Any:
        """Return an item."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def observation(rules: Rules, cells: Cells) -> Fields:
    """Return the position as Kaggle's ConnectX describes it."""
    rows, columns = rules.shape
    board = [0] * (rows * columns)
    for ply, (row, column) in enumerate(cells):
        board[row * columns + column] = ply % 2 + 1
    mark = len(cells) % 2 + 1
    # Overage time is Kaggle's reserve for slow moves; here each move has its own limit.
    return Fields(board=board, mark=mark, step=len(cells), remainingOverageTime=0)


def configuration(rules: Rules, seconds: float) -> Fields:
    """Return the rules and limits as Kaggle's ConnectX describes them."""
    rows, columns = rules.shape
    board = {"columns": columns, "rows": rows, "inarow": rules.k}
    limits = {"timeout": seconds, "actTimeout": seconds, "agentTimeout": seconds}
    return Fields(board, **limits, runTimeout=seconds * rows * columns, episodeSteps=1000)


def chosen(file: File, name: str) -> Callable[..., Any]:
    """Return the function with this name, or the last one that the file defines.

    Raises UnreadableError if there is none.
    """
    values = [file.names[name]] if name in file.names else []
    if not name and file.complete:
        values = [*file.names.values()]
    callables: list[Callable[..., Any]] = [value for value in values if callable(value)]
    if not callables:
        raise UnreadableError("; ".join(file.notes) or f"it defines no function {name}".rstrip())
    return callables[-1]


def accepted(function: Callable[..., Any]) -> int:
    """Return how many of an agent's two arguments the function takes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of some built-in functions
        return 2
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return 2
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return min(2, sum(each.kind in places for each in parameters))


def written(value: Any) -> str:
    """Return a column or a cell as its numbers, and anything else as it is shown."""
    try:
        return str(index(value))
    except TypeError:
        pass
    if hasattr(value, "tolist"):  # an array
        value = value.tolist()
    if not isinstance(value, tuple | list):
        return calls.written(value)
    try:
        return calls.line(" ".join(str(index(number)) for number in value))
    except TypeError:
        return calls.written(value)


def serve(name: str, rules: Rules, path: Path, requests: Any, answers: Any) -> None:
    """Load the file, and answer requests until the input ends."""
    function = chosen(File(path), name)
    count = accepted(function)
    print(file=answers, flush=True)
    for request in requests:
        cells, seconds = json.loads(request)
        if name == "choose":
            value = function(Game.replay(rules, map(tuple, cells)))
        else:
            given = observation(rules, cells), configuration(rules, seconds)
            value = function(*given[:count])
        print(written(value), file=answers, flush=True)


def main() -> None:
    """Run the worker."""
    name, rules, path = sys.argv[1:]
    del sys.argv[1:]
    answer(partial(serve, name, Rules.parse(rules), Path(path)), calls)


if __name__ == "__main__":
    main()
