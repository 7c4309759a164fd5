"""How solutions with other signatures are understood, and how each language calls them."""

from pathlib import Path
from textwrap import dedent

import pytest

from noughts.checker import Report
from noughts.checker.in_process import InProcess
from noughts.checker.languages import KNOWN, LANGUAGES, open_solution
from noughts.checker.problems import choose
from noughts.checker.reading import read_source
from noughts.checker.reading.convention import Convention
from noughts.checker.solution import Failed
from noughts.checker.trial import check

DATA = Path(__file__).parent / "data"
EXAMPLES = Path(__file__).parents[2] / "examples/solutions"
compiler = pytest.mark.tier2("compiler")


def chosen(language: str, text: str, *players: str) -> Convention:
    return choose(read_source(dedent(text), language), None, players, text).convention


def judged(file: str, *players: str) -> Report:
    return check(open_solution(DATA / file, players=players), growth=False)


@pytest.mark.parametrize(
    ("file", "note"),
    [
        ("make_move.py", "make_move is used as move"),
        ("swapped_names.py", "its parameters are (col, row, player)"),
        ("alternating.py", "it has no parameter for the player, so players take turns"),
        ("fixed_size.py", "it takes no n, so only 3×3 was played"),
        pytest.param("tallies.go", None, marks=compiler),
        pytest.param(
            "pointers.go",
            "Place is used as move; its parameters are (player, row, col); players are X and O; "
            "Winner() is called after each move",
            marks=compiler,
        ),
        pytest.param("tallies.ts", None, marks=compiler),
        pytest.param("tallies.c", None, marks=compiler),
        pytest.param("Sums.java", None, marks=compiler),
    ],
)
def test_right_solutions_of_other_forms_are_right(file: str, note: str | None) -> None:
    report = judged(file)
    assert report.right
    assert report.notes == ((note,) if note else ())


def test_fixed_size_is_played_on_its_board_only() -> None:
    report = check(open_solution(DATA / "fixed_size.py"))
    assert report.message.endswith("every game on 3×3")
    assert report.costs == {}


def test_letters_are_proposed_and_understood() -> None:
    wrong = judged("symbols.py")
    assert (wrong.verdict, wrong.diagnosis) == ("wrong", "players-as-text")
    assert wrong.notes == ('its code has "X": if its players are letters, use --players X,O',)
    right = judged("symbols.py", "X", "O")
    assert right.right
    assert right.notes == ("players are 'X' and 'O'",)


def test_full_board_before_win_is_named() -> None:
    report = judged("full_before_win.py")
    assert report.counterexample is not None
    assert (report.counterexample.n, len(report.counterexample.moves)) == (1, 1)
    assert report.diagnosis == "full-before-win"


CLASS = """
class Game:
    def __init__(self, {made}):
        ...
    def {name}(self, {takes}){returns}:
        {body}
    def {other}
"""


@pytest.mark.parametrize(
    ("made", "method", "call", "note"),
    [
        ("n", "move(self, row, col, player): return 0", "game.move", ""),
        ("size", "play(self, r, c, p): return 0", "game.play", "play is used"),
        (
            "n",
            "place(self, player, row, col): return 0",
            "place(player, row, col)",
            "place is used",
        ),
        ("n", "move(self, x, y, symbol='X'): return 'X'", "'X' if player == 1", "players are 'X'"),
        ("n", "move(self, position, player): return 0", "(row, col), player", "a pair of row"),
        (
            "n",
            "move(self, cell: int, player): return 0",
            "(row * n + col), player",
            "cell number, counted from 0",
        ),
        (
            "n",
            "move(self, at: int): return self.cells[at - 1]",
            "n + col + 1)",
            "cell number, counted from 1",
        ),
        (
            "",
            "play(self, at, mark): self.b = 9 * ' '; return self.b[at]",
            "n + col), player",
            "from 0",
        ),
        ("", "play(self, at, mark): r, c = at; return 0", "((row, col), player)", "a pair of row"),
        (
            "n",
            "play(self, at): return divmod(at - 1, 3)",
            "(row * n + col + 1)",
            "cell number, counted from 1",
        ),
        ("rows, cols", "move(self, row, col, player): return 0", "game.move", ""),
        ("n=3", "move(self, row, col): return 0", "move(row, col)", "players take turns"),
        ("", "move(self, row, col, player): return 0", "game.move", "only 3×3 was played"),
        (
            "n",
            "make_move(self, row, col, player) -> bool: return True",
            "game.make_move",
            "whether the move wins",
        ),
        (
            "n",
            "move(self, row, col, player: Literal[1, -1]): return 0",
            "(1 if player == 1 else -1)",
            "players are 1 and -1",
        ),
        (
            "n",
            "place(self, row, col, player): self.x = 1\n    def check_winner(self): return 0",
            "game.place(row, col, player), game.check_winner()",
            "check_winner() is called after each move",
        ),
        (
            "n",
            "place(self, row, col, player): ...\n    def is_winner(self, player): return True",
            "game.is_winner(player)",
            "is_winner(player) is called",
        ),
        (
            "n",
            "place(self, row, col, player): ...\n    @property\n    def winner(self): return 0",
            "game.winner)[1]",
            "winner is read after each move",
        ),
    ],
)
def test_python_signature_is_matched(made: str, method: str, call: str, note: str) -> None:
    text = f"class Game:\n    def __init__(self, {made}): ...\n    def {method}\n"
    convention = chosen("python", text)
    from noughts.checker.reading.expressions import PythonExpressions

    assert call in PythonExpressions().calls(convention).call
    assert note in "; ".join(convention.notes)
    assert bool(convention.notes) == bool(note)


SIGNATURES = {
    "java": (
        "class Board { Board(int size) {} char play(int r, int c, char symbol) { return ' '; } }",
        "new Board(n)",
        "game.play(row, col, (player == 1 ? 'X' : 'O'))",
    ),
    "kotlin": (
        "enum class Player { X, O }\nclass Game(val n: Int) {\n"
        "    fun makeMove(row: Int, col: Int, player: Player): Player? { return null }\n}",
        "Game(n)",
        "game.makeMove(row, col, (if (player == 1) Player.X else Player.O))",
    ),
    "c": (
        "struct Game { int n; };\nstruct Game *newGame(int n) { return 0; }\n"
        "int place(struct Game *game, int row, int col, char mark) { return 0; }",
        "newGame(n)",
        "place(game, row, col, (player == 1 ? 'X' : 'O'))",
    ),
    "cpp": (
        "class Game { public: Game(int n) {}\n"
        "  bool makeMove(pair<int, int> cell, int player) { return true; } };",
        "std::make_shared<Game>(n)",
        "game.makeMove({row, col}, player)",
    ),
    "rust": (
        "pub enum Mark { Cross, Nought }\nstruct Game;\nimpl Game {\n"
        "    pub fn new(n: usize) -> Self { Game }\n"
        "    pub fn play(&mut self, row: usize, col: usize, m: Mark) -> Option<Mark> { None }\n}",
        "Game::new((n as usize))",
        "game.play((row as usize), (col as usize), "
        "(if player == 1 { Mark::Cross } else { Mark::Nought }))",
    ),
    "go": (
        "type Game struct{}\nfunc NewGame(n int) *Game { return nil }\n"
        "func (g *Game) Place(col, row int, player string) (string, error) { return player, nil }",
        "NewGame(n)",
        'noughtsFirst((*game).Place(col, row, noughtsPick(player == 1, "X", "O")))',
    ),
    "c_sharp": (
        "class Game { public Game(int n) {} public int Winner { get; set; }\n"
        "  public void MakeMove(int row, int col, int player) {} }",
        "new Game(n)",
        "game.MakeMove(row, col, player)",
    ),
    "javascript": (
        "function Game(n) {}\nGame.prototype.makeMove = function (row, col, player) { return 0; };",
        "new Game(n)",
        "game.makeMove(row, col, player)",
    ),
    "typescript": (
        "class Game { constructor(n: number) {}\n"
        "  place(row: number, col: number, mark: 'X' | 'O'): 'X' | 'O' | null { return null; } }",
        "new Game(n)",
        'game.place(row, col, (player === 1 ? "X" : "O"))',
    ),
    "swift": (
        "class Game {\n    init(n: Int) {}\n"
        "    func move(_ row: Int, _ col: Int, _ player: Int) -> Int { return 0 }\n}",
        "Game(n: n)",
        "game.move(row, col, player)",
    ),
}


@pytest.mark.parametrize("language", SIGNATURES)
def test_signature_is_read_and_called_in_each_language(language: str) -> None:
    text, make, call = SIGNATURES[language]
    writer = next((known() for known in KNOWN if known.key == language), None)
    convention = chosen(language, text)
    assert writer is not None
    assert writer.construction(convention) == make
    assert writer.called(convention.call, convention) == call
    if convention.asks:
        assert writer.called(convention.asks, convention) == "game.Winner"


@pytest.mark.parametrize(
    "value",
    [
        "any(all(self.b[i] == player for i in w) for w in W)",
        "(all(x == p for x in row)\n    or all(y == p for y in col))",
        "self.count == self.n",
        "not self.left",
        "k.every(i => b[row][i] === player) || d.some(x => x)",
        "!this.left",
        "(this.a === b && !this.c)",
        "self.n in line and not self.over",
    ],
)
def test_expression_that_is_true_or_false_says_whether_the_move_wins(value: str) -> None:
    language, text = "python", f"class Game:\n    def play(self, row, col, p): return ({value})"
    if "=>" in value or "!" in value:
        language, text = "javascript", f"class Game {{ play(row, col, p) {{ return {value}; }} }}"
    assert chosen(language, text).answers.mover


@pytest.mark.parametrize(
    "value",
    [
        "player if self.n in line else 0",
        "player * (self.n == 3)",
        "next((p for p in (1, 2) if self.won(p) == 1), 0)",
        "self.winner",
        "self.won and player",
        "'the winner is 1'",
        "[0, player][any(self.lines)]",
        "{True: player, False: 0}[self.won == True]",
        "max(self.b, key=lambda x: x > 1)",
        "self.v >> 1",
        "this.w.find(l => l.every(x => x === p)) || 0",
        "this.won === p ? p : 0",
    ],
)
def test_expression_that_names_the_player_is_no_truth(value: str) -> None:
    language, text = "python", f"class Game:\n    def play(self, row, col, player): return {value}"
    if "this" in value:
        language, text = "javascript", f"class Game {{ play(row, col, p) {{ return {value}; }} }}"
    assert not chosen(language, text).answers.mover


def test_boolean_players_are_players_in_answers() -> None:
    text = "class Game:\n    def play(self, row: int, col: int, player: bool): return self.winner"
    answers = chosen("python", text).answers
    assert [answers.read(said, 2) for said in ("True", "False", "None")] == ["1", "2", "0"]


def test_class_named_in_the_problem_is_chosen_before_a_subclass() -> None:
    own = "class TicTacToe:\n    def move(self, row, col, player): return 0\n"
    assert chosen("python", f"{own}class LoggedTicTacToe(TicTacToe): ...").owner == "TicTacToe"
    other = own.replace("TicTacToe", "Base")
    assert chosen("python", f"{other}class Sums(Base): ...").owner == "Sums"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('"It\'s a draw!"', "0"),
        ("'It is a draw'", "0"),
        ("'Keep playing'", "0"),
        ("'Draw game'", "0"),
        ("'X wins the game!'", "1"),
        ("'WIN'", "2"),
        ("'You win!'", "2"),
        ("True", "2"),
        ("false", "0"),
        ('"It\'s over: O won"', '"It\'s over: O won"'),
        ("'X drawing'", "'X drawing'"),
    ],
)
def test_phrases_say_who_has_won(text: str, answer: str) -> None:
    source = "class Game:\n    def play(self, row, col, player='X'): return self.state"
    assert chosen("python", source).answers.read(text, 2) == answer
    assert chosen("python", source, "X", "O").answers.read(text, 2) == answer


def test_method_that_gets_the_winner_is_asked_before_a_field() -> None:
    text = """
    class Game {
        winner = "";
        constructor(n: number) {}
        place(row: number, col: number, mark: "X" | "O"): void {}
        getWinner(): string { return ""; }
    }
    """
    convention = chosen("typescript", text)
    assert convention.asks is not None
    assert convention.asks.name == "getWinner"


def test_every_language_has_its_suffixes_alone() -> None:
    assert sum(len(known.suffixes) for known in KNOWN) == len(LANGUAGES)


def test_templates_have_at_most_80_lines() -> None:
    folder = Path(__file__).parents[2] / "src/noughts/checker/languages/drivers"
    for known in KNOWN:
        if known.template:
            assert len((folder / known.template).read_text().splitlines()) <= 80, known.template


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("class Game:\n    def draw(self): ...", "class Game has draw(); looked for a method"),
        ("class Game:\n    def __init__(self, a, b, c): ...\n    def move(self, r, c, p): return 0",
         "Game is created with (a, b, c); only the size of the board can be given"),
        ("class Game:\n    def __init__(self, x, o): ...\n    def move(self, r, c): return 0",
         "Game is created with (x, o)"),
        ("x = 1", "no class was found; looked for a method such as move"),
        ("class Player: ...\nclass Game:\n    def move(self, r, c, p: Player): return 0",
         "move takes an object of the class Player, which is not created here"),
        ("class Game:\n    def place(self, r, c): return True\n    def next_turn(self): ...",
         "place does not change whose turn it is: next_turn is to be called after each move"),
    ],
)  # fmt: skip
def test_unusable_solution_says_what_was_found_and_looked_for(text: str, says: str) -> None:
    with pytest.raises(Failed) as caught:
        chosen("python", text)
    assert caught.value.verdict == "unusable"
    assert says in str(caught.value)


def winner(board: list[list[str]]) -> object:
    """Answer who has won on a board; the marks are X and O."""
    lines = [*board, *zip(*board, strict=True), [board[i][i] for i in range(3)]]
    for line in [*lines, [board[i][2 - i] for i in range(3)]]:
        if len({*line}) == 1 and line[0] != " ":
            return line[0]
    return None


def valid_tic_tac_toe(board: list[str]) -> bool:
    """Answer whether a board of three strings is possible."""
    rows = [[*row] for row in board]
    marks = [mark for row in rows for mark in row]
    ahead = marks.count("X") - marks.count("O")
    found = {
        mark
        for mark in "XO"
        for line in (
            *rows,
            *zip(*rows, strict=True),
            [rows[i][i] for i in range(3)],
            [rows[i][2 - i] for i in range(3)],
        )
        if {*line} == {mark}
    }
    return ahead == 1 if found == {"X"} else ahead == 0 if found == {"O"} else (
        not found and ahead in (0, 1)
    )  # fmt: skip


def test_board_problems_are_judged() -> None:
    report = check(winner)
    assert (report.problem, report.right, report.games) == ("winner", True, 5478)
    report = check(valid_tic_tac_toe)
    assert (report.problem, report.right, report.games) == ("possible", True, 19683)


def test_function_named_after_the_game_judges_what_it_takes() -> None:
    for argument, problem in (("board", "winner"), ("moves", "tictactoe"), ("m", "tictactoe")):
        assert chosen("python", f"def tic_tac_toe({argument}): return 'Draw'").problem == problem
    assert chosen("python", "def validate_board(board): return True").problem == "possible"


def test_nothing_may_be_said_beside_a_member_for_nobody() -> None:
    text = """
    public class Game {
        enum State {NONE, X, O}
        public void playIn(int x, int y, State s) {}
        public State getWinner() { return null; }
    }
    """
    answers = chosen("java", text).answers
    assert [answers.read(said, 1) for said in ("null", "NONE", "O")] == ["0", "0", "2"]


def test_boards_without_a_type_are_given_as_the_code_uses_them() -> None:
    def check_winner(board):  # type: ignore[no-untyped-def]
        for a, b, c in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)):
            if board[a] == board[b] == board[c] != " ":
                return board[a]
        return next((board[4] for a in (0, 2) if board[a] == board[4] == board[8 - a] != " "), None)

    def valid_board(board):  # type: ignore[no-untyped-def]
        return "".join(board).count("X") > 2

    assert check(check_winner).message == "right in 5,478 boards: every board on 3×3"
    report = check(valid_board)
    assert report.message == "wrong on a board with no marks"
    assert "a game can lead to this board" in str(report)
    assert "board: ['   ', '   ', '   ']" in str(report)


@pytest.mark.parametrize(
    ("answer", "winner"),
    [
        ("'X wins!'", "1"),
        ("'Player O has won'", "2"),
        ("'The winner is X'", "1"),
        ("'Draw'", "0"),
        ("'Game continues'", "0"),
        ("'Invalid move'", "'Invalid move'"),
        ("'1'", "'1'"),
    ],
)
def test_phrases_are_understood(answer: str, winner: str) -> None:
    game = "class Game:\n    def play(self, row, col): return f'{self.turn} wins'"
    assert chosen("python", game).answers.read(answer, 1) == winner.replace("'1'", "1")


def test_fields_of_a_dataclass_are_its_parameters() -> None:
    text = """
    @dataclass
    class Game:
        n: int
        rows: list = field(init=False)
        def move(self, row, col, player): return 0
    """
    convention = chosen("python", text)
    assert convention.n is None
    assert convention.make is not None
    assert convention.make.roles == ("n",)


def test_call_that_answers_nothing_yet_is_explained() -> None:
    class TicTacToe:
        def __init__(self, n: int) -> None: ...

        def move(self, row, col, player):  # type: ignore[no-untyped-def]
            yield 0

    report = check(TicTacToe, growth=False)
    assert "its method has a yield, so a call returns a generator: use return" in report.notes


def test_wrong_board_is_the_smallest() -> None:
    def check_winner(board: list[list[str]]) -> str | None:
        return board[0][0] if {*board[0]} == {"X"} else None

    report = check(check_winner)
    assert report.verdict == "wrong"
    assert report.counterexample is not None
    assert len(report.counterexample.moves) == 5


def test_enum_players_are_passed_and_read() -> None:
    from enum import Enum

    class Player(Enum):
        X = 1
        O = 2  # noqa: E741

    class Game:
        def __init__(self, size: int) -> None:
            self.sums: dict[object, int] = {}
            self.size = size

        def place(self, row: int, col: int, player: Player) -> Player | None:
            won = False
            lines: list[object] = [("row", row), ("col", col)]
            lines += ["falling"] * (row == col) + ["rising"] * (row + col == self.size - 1)
            for line in lines:
                self.sums[line] = self.sums.get(line, 0) + (1 if player is Player.X else -1)
                won |= abs(self.sums[line]) == self.size
            return player if won else None

    globals()["Player"] = Player
    report = check(Game, growth=False)
    assert report.right, report
    assert "players are X and O" in report.notes[0]
    assert InProcess(Game).problem == "TicTacToe"


def test_exact_name_wins_though_its_methods_are_elsewhere(tmp_path: Path) -> None:
    sums = (EXAMPLES / "sums.py").read_text().replace("class TicTacToe", "class Sums")
    idle = "class Board(Sums):\n    def move(self, row, col, player):\n        return 0"
    path = tmp_path / "solution.py"
    path.write_text(f"{sums}\n\n{idle}\n\nRight = Sums\n\nclass TicTacToe(Right):\n    pass\n")
    assert check(open_solution(path), growth=False).right
