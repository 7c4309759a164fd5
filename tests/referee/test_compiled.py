"""The compiled `TicTacToe` behaves like the pure one and never leaves its memory."""

from __future__ import annotations

import copy
import importlib
import inspect
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import noughts
from noughts import OffBoard
from noughts.arguments import SUM_LIMIT
from noughts.referee.tictactoe import TicTacToe as Pure

try:
    Compiled: type[Pure] = importlib.import_module("noughts.referee._tictactoe").TicTacToe
except ImportError:
    Compiled = Pure

compiled_only = pytest.mark.compiled("noughts.referee._tictactoe")
on_both = pytest.mark.parametrize("kind", [Pure, pytest.param(Compiled, marks=compiled_only)])


def test_compiled_code_is_used_where_required() -> None:
    if os.environ.get("NOUGHTS_COMPILED") == "required":
        assert Compiled is not Pure, "not compiled; is there a C compiler?"
    assert noughts.TicTacToe is Compiled


# The same as the pure class


class Indexed:
    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value

    def __repr__(self) -> str:
        return f"Indexed({self.value})"


class Refusing(int):
    """An int of another type."""


def seen(do: Callable[[], object]) -> object:
    """Return the result of a call, or everything about its error."""
    try:
        value = do()
    except Exception as error:
        details = getattr(error, "code", None), getattr(error, "cell", None)
        return type(error), str(error), *details, getattr(error, "player", None)
    return type(value) if isinstance(value, Pure | Compiled) else (type(value), value)


def parts_of(game: Pure) -> Any:
    """Return the parts from which copies and pickles of a board are created."""
    return game.__reduce__()[1]


def made_of(kind: type[Pure], parts: Sequence[Any]) -> Pure:
    """Return the board that a pickle of these parts would create."""
    make: Any = kind(1).__reduce__()[0]
    game: Pure = make(*parts)
    return game


def state(game: Pure) -> tuple[object, ...]:
    sums = game.rows, game.cols, game.diagonal, game.anti_diagonal
    return game.n, *sums, game.winner, parts_of(game), repr(game)


def compare(pure: Pure, compiled: Pure, moves: Sequence[tuple[Any, Any, Any]]) -> None:
    for move in moves:
        before = state(pure)
        answer = seen(lambda move=move: pure.move(*move))  # type: ignore[misc]
        assert seen(lambda move=move: compiled.move(*move)) == answer  # type: ignore[misc]
        assert state(compiled) == state(pure)
        if answer not in ((int, 0), (int, 1), (int, 2)):
            assert state(pure) == before


BOUNDS = [2**k + d for k in (8, 30, 31, 32, 60, 62, 63, 64, 100) for d in (-1, 0, 1)]
small = st.integers(-2, 13)
plain = small | st.sampled_from(BOUNDS) | st.sampled_from(BOUNDS).map(lambda n: -n)
odd = (
    plain
    | plain.map(Indexed)
    | plain.map(Refusing)
    | st.sampled_from([True, False, None, 1.0, 0.0, "1", b"", (), 1j, [1]])
)


@st.composite
def games(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, int]]]:
    """Draw a whole game with every cell once and players mostly in turn."""
    n = draw(st.integers(1, 12))
    order = draw(st.permutations(range(n * n)))
    players = draw(st.lists(st.integers(1, 2), max_size=10))
    turns = [players[i] if i < len(players) else 1 + i % 2 for i in range(n * n)]
    return n, [(cell // n, cell % n, turns[i]) for i, cell in enumerate(order)]


@compiled_only
@given(n=st.integers(1, 13), checked=st.booleans(), moves=st.lists(st.tuples(odd, odd, odd)))
def test_any_calls_give_equal_results(n: int, checked: bool, moves: list[Any]) -> None:
    compare(Pure(n, checked=checked), Compiled(n, checked=checked), moves)


@compiled_only
@given(
    n=st.integers(1, 4),
    checked=st.booleans(),
    moves=st.lists(
        st.tuples(st.integers(-1, 4), st.integers(-1, 4), st.integers(1, 2)), max_size=40
    ),
)
def test_likely_moves_give_equal_results(n: int, checked: bool, moves: list[Any]) -> None:
    compare(Pure(n, checked=checked), Compiled(n, checked=checked), moves)


@compiled_only
@given(game=games(), checked=st.booleans())
def test_whole_games_give_equal_results(game: tuple[int, Any], checked: bool) -> None:
    n, moves = game
    pure, compiled = Pure(n, checked=checked), Compiled(n, checked=checked)
    for move in moves:
        assert seen(lambda move=move: compiled.move(*move)) == seen(  # type: ignore[misc]
            lambda move=move: pure.move(*move)  # type: ignore[misc]
        )
    assert state(compiled) == state(pure)


def no_gigabytes(n: object) -> bool:
    return not (isinstance(n, int | Indexed) and 1000 < n.__index__() <= SUM_LIMIT)


@compiled_only
@given(n=odd.filter(no_gigabytes), checked=st.booleans() | st.sampled_from([0, 1, None, "", 1.0]))
def test_any_arguments_give_equal_boards_or_errors(n: Any, checked: Any) -> None:
    pure = seen(lambda: state(Pure(n, checked=checked)))
    assert seen(lambda: state(Compiled(n, checked=checked))) == pure


@compiled_only
@pytest.mark.parametrize("arguments", [(), (1,), (1, 1), (1, 1, 1, 1)])
def test_wrong_number_of_arguments_is_a_type_error(arguments: tuple[int, ...]) -> None:
    for kind in (Pure, Compiled):
        with pytest.raises(TypeError):
            kind(3).move(*arguments)


@compiled_only
def test_classes_have_equal_signatures_and_members() -> None:
    methods: list[Callable[[Pure], Any]] = [
        *(lambda game: game.move, lambda game: game.__reduce__, lambda game: game.__reduce__()[0])
    ]
    for method in methods:
        ours, theirs = (
            [(p.name, p.default) for p in inspect.signature(method(kind(3))).parameters.values()]
            for kind in (Compiled, Pure)
        )
        assert ours == theirs
    assert [*inspect.signature(Compiled).parameters] == [*inspect.signature(Pure).parameters]
    public = [{name for name in dir(kind) if name[0] != "_"} for kind in (Compiled, Pure)]
    assert public[0] == public[1]
    for name in public[0]:
        assert getattr(Compiled, name).__doc__.split() == getattr(Pure, name).__doc__.split()
    assert Compiled(n=2, checked=False).move(player=1, col=0, row=1) == 0


@on_both
def test_class_can_be_subclassed(kind: type[Pure]) -> None:
    class Counting(kind):  # type: ignore[misc,valid-type]  # which class, only a run can tell
        def __init__(self, n: int, *, checked: bool = True) -> None:
            super().__init__(n, checked=checked)
            self.calls = 0

        def move(self, row: int, col: int, player: int) -> int:
            self.calls += 1
            return int(super().move(row, col, player))

    game, plain_game = Counting(2), kind(2)
    for one in (game, plain_game):
        one.move(Indexed(0), 0, 1)  # type: ignore[arg-type]
    assert game.calls == 1
    assert game == plain_game
    twin = copy.copy(game)
    assert type(twin) is Counting
    assert twin == game
    assert twin.calls == 0


@on_both
def test_init_restarts_or_changes_nothing(kind: type[Pure]) -> None:
    for n in (3, 11, 3000, 2, 11, 12, 3000, 3001):
        game = kind(3)
        game.move(1, 1, 1)
        game.__init__(n)  # type: ignore[misc]
        assert game == kind(n)
        assert game.move(n - 1, n - 1, 2) == 0
        before = parts_of(game)
        for wrong in (0, 1.5, 10**12):
            with pytest.raises((ValueError, TypeError, MemoryError)):
                game.__init__(wrong)  # type: ignore[misc]
        assert parts_of(game) == before


# Sums of four bytes


@on_both
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("line", range(4), ids=["row", "column", "diagonal", "anti-diagonal"])
def test_unchecked_sums_never_wrap_around(kind: type[Pure], line: int, sign: int) -> None:
    near = sign * (SUM_LIMIT - 1)
    lines: list[Any] = [(0, 0, 0), (0, 0, 0), 0, 0]
    lines[line] = near if line > 1 else (0, near, 0)
    rows, cols, diagonal, anti_diagonal = lines
    game = made_of(kind, (rows, cols, diagonal, anti_diagonal, 0, None))
    player = 1 if sign == 1 else 2
    assert game.move(1, 1, player) == 0
    before = parts_of(game)
    with pytest.raises(OverflowError, match=r"^a line through cell \(1, 1\) cannot sum to more"):
        game.move(1, 1, player)
    assert parts_of(game) == before
    assert game.move(1, 1, 3 - player) == 0
    if line != 1:
        assert game.move(0 if line else 1, 0 if line < 3 else 1, player) == 0


STATE = [(0, 0), (0, 0), 0, 0, 0, ()]


@compiled_only
@pytest.mark.parametrize(
    "change",
    [
        {0: (0, 0, 0)},
        {0: (0,)},
        {0: ()},
        {0: (3, 0)},
        {1: (0, -3)},
        {2: SUM_LIMIT + 1},
        {3: -(10**30)},
        {0: (2**31, 0), 5: None},
        {0: (-(2**31), 0), 5: None},
        {4: 3},
        {4: -1},
        {5: ((0, 2),)},
        {5: ((-1, 0),)},
        {5: ((10**30, 0),)},
    ],
    ids=str,
)
def test_restore_rejects_invalid_states(change: dict[int, Any]) -> None:
    assert made_of(Compiled, STATE) == Compiled(2)
    with pytest.raises((ValueError, OverflowError)):
        made_of(Compiled, [change.get(i, part) for i, part in enumerate(STATE)])


parts = st.lists(odd, max_size=4)


@compiled_only
@given(
    rows=parts,
    cols=parts,
    numbers=st.tuples(odd, odd, odd),
    taken=st.none() | st.lists(st.tuples(odd, odd), max_size=5) | odd,
)
@example(rows=[0], cols=[0], numbers=(0, 0, 0), taken=[(0, 0), (0, 0)])
def test_restore_accepts_or_rejects_any_state(
    rows: list[Any], cols: list[Any], numbers: tuple[Any, Any, Any], taken: Any
) -> None:
    try:
        game = made_of(Compiled, (rows, cols, *numbers, taken))
    except (ValueError, TypeError, OverflowError):
        return
    assert made_of(Compiled, parts_of(game)) == game
    for i in range(game.n):
        seen(lambda i=i: game.move(i, i, 1))  # type: ignore[misc]


# Memory


@compiled_only
@pytest.mark.parametrize("size", [1, 11, 200])
@pytest.mark.parametrize("attack", [0, 1, 2, 12, 5000])
def test_move_survives_an_index_that_changes_the_board(attack: int, size: int) -> None:
    class Evil:
        def __index__(self) -> int:
            game.__init__(attack or 1, checked=bool(attack % 2))  # type: ignore[misc]
            return size - 1

    game = Compiled(size)
    if attack and attack >= size:
        assert game.move(Evil(), Evil(), 1) in (0, 1)  # type: ignore[arg-type]
    elif size > 1:
        with pytest.raises(OffBoard):
            game.move(Evil(), Evil(), 1)  # type: ignore[arg-type]


@compiled_only
def test_restore_rejects_a_subclass_with_other_boards() -> None:
    class Small(noughts.TicTacToe):
        def __init__(self, n: int, *, checked: bool = True) -> None:
            super().__init__(1, checked=checked)

    class Unmade(noughts.TicTacToe):
        def __init__(self, n: int, *, checked: bool = True) -> None:
            pass

    for kind in (Small, Unmade):
        with pytest.raises(ValueError, match="not a state"):
            made_of(kind, ((0,) * 50, (0,) * 50, 0, 0, 0, ((49, 49),)))


@compiled_only
def test_uninitialised_object_is_a_board_without_cells() -> None:
    game = Compiled.__new__(Compiled)
    assert (game.n, game.rows, game.cols, game.diagonal, game.winner) == (0, (), (), 0, 0)
    assert game != Compiled(1)
    with pytest.raises(OffBoard):
        game.move(0, 0, 1)


@on_both
@pytest.mark.parametrize("n", [2**31, 10**12, 10**30, 10**1000])
@pytest.mark.parametrize("checked", [True, False])
def test_board_that_does_not_fit_raises(kind: type[Pure], n: int, checked: bool) -> None:
    with pytest.raises(MemoryError, match=r"^the 2n \+ 2 sums of n = .* do not fit in memory$"):
        kind(n, checked=checked)


@compiled_only
@pytest.mark.parametrize("n", [10**8, 10**9, 2**31 - 1])
def test_cells_that_do_not_fit_raise(n: int) -> None:
    with pytest.raises(MemoryError, match=f"^the n² cells of n = {n} do not fit in memory$"):
        Compiled(n)


def run(code: str, *, compiled: bool = True, data: bytes = b"") -> bytes:
    """Return the output of a separate Python, with or without the compiled module."""
    hide = "" if compiled else "sys.modules['noughts.referee._tictactoe'] = None\n"
    start = f"import sys, pickle, resource\n{hide}from noughts import TicTacToe\n"
    command = [sys.executable, "-c", start + code]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


RESIDENT = """
def resident():
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * resource.getpagesize()
before = resident()
"""


@compiled_only
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(
    ("board", "play", "megabytes"),
    [
        ("100_000", "", (0, 1)),
        ("100_000", "for i in range(1000): game.move(i, i, 1)", (3, 16)),
        ("1_000_000", "game.move(999_999, 0, 1)", (0, 1)),
        ("1_000_000, checked=False", "", (0, 1)),
        ("1_000_000, checked=False", "for i in range(1_000_000): game.move(i, i, 1)", (7, 9)),
        ("10_000", "for i in range(0, 10_000): game.move(i, i, 1)", (11, 16)),
    ],
)
def test_board_takes_memory_only_where_played(
    board: str, play: str, megabytes: tuple[int, int]
) -> None:
    code = f"{RESIDENT}\ngame = TicTacToe({board})\n{play}\nprint(resident() - before)"
    low, high = megabytes
    assert low * 10**6 <= int(run(code)) <= high * 10**6


@compiled_only
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="others do not hold the limit")
def test_board_beyond_the_process_limit_raises() -> None:
    code = """
resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9))
game = TicTacToe(10_000)
game.move(1, 1, 1)
for arguments in (dict(n=100_000), dict(n=10**9, checked=False)):
    for make in (lambda: TicTacToe(**arguments), lambda: game.__init__(**arguments)):
        try: make()
        except MemoryError as error: print(error)
print(game.diagonal, game.move(1, 2, 1))
"""
    assert run(code).decode().splitlines() == [
        *["the n² cells of n = 100000 do not fit in memory"] * 2,
        *["the 2n + 2 sums of n = 1000000000 do not fit in memory"] * 2,
        "1 0",
    ]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="others do not hold the limit")
def test_pure_board_beyond_the_process_limit_raises() -> None:
    code = """
resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9))
try: TicTacToe(10**9)
except MemoryError as error: print(error)
"""
    expected = b"the 2n + 2 sums of n = 1000000000 do not fit in memory\n"
    assert run(code, compiled=False) == expected


@compiled_only
def test_boards_free_their_memory() -> None:
    code = f"""{RESIDENT}
for n in (3, 11, 100, 2000, 10_000):
    for again in range(50_000 // n):
        game = TicTacToe(n)
        for i in range(n): game.move(i, i, 1)
        game.__init__(n + 1)
        game.move(n, n, 1)
del game
print(resident() - before)"""
    assert int(run(code)) < 4 * 10**6


# Without the compiled module


def test_pure_class_replaces_a_missing_compiled_module() -> None:
    code = "print(type(TicTacToe.move).__name__, TicTacToe(1).move(0, 0, 2))"
    assert run(code, compiled=False) == b"function 2\n"


@pytest.mark.parametrize("written", [True, False])
@pytest.mark.parametrize("read", [True, False])
def test_pickles_load_with_and_without_compiled_code(written: bool, read: bool) -> None:
    write = """
games = [TicTacToe(3), TicTacToe(11, checked=False), TicTacToe(20)]
for game in games: game.move(1, 2, 2)
sys.stdout.buffer.write(pickle.dumps(games))"""
    load = """
for game in pickle.load(sys.stdin.buffer): print(type(game) is TicTacToe, game)"""
    lines = run(load, compiled=read, data=run(write, compiled=written)).decode().splitlines()
    assert len(lines) == 3
    assert all(line.startswith("True TicTacToe._restore((0, -1, 0") for line in lines)


@compiled_only
def test_pure_board_stays_pure_beside_the_compiled_one() -> None:
    game = Pure(3)
    game.move(0, 0, 1)
    for twin in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert type(twin) is Pure
        assert twin == game
    assert game != made_of(Compiled, parts_of(game))
