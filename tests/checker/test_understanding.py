"""How the forms of published classes are read, and what their answers are learned to mean."""

from pathlib import Path
from textwrap import dedent, indent

import pytest

from checker.solutions import RIGHT
from noughts.checker.games import judged
from noughts.checker.in_process import load_file
from noughts.checker.languages import LANGUAGES, open_solution, open_text
from noughts.checker.languages.rust import _written
from noughts.checker.problems import PROBLEMS, choose
from noughts.checker.problems.tic_tac_toe import _begins
from noughts.checker.reading import Enum, Parameter, read_source
from noughts.checker.reading.convention import Convention
from noughts.checker.solution import Failed
from noughts.checker.trial import check
from noughts.checker.understanding import Said, _learned, understood

compiler = pytest.mark.tier2("compiler")

FROM_ZERO = "(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)"
FROM_ONE = "(1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7)"
GAME = f"""
class Game:
    def __init__(self):
        self.cells = {{}}
        self.turn = "X"

    def _put(self, cell):
        self.cells[cell] = self.turn
        self.turn = "O" if self.turn == "X" else "X"

    def _line(self):
        for line in ({FROM_ZERO}):
            marks = {{self.cells.get(cell) for cell in line}}
            if len(marks) == 1 and None not in marks:
                return marks.pop()
        return None
"""


def game(methods: str) -> str:
    return GAME + indent(dedent(methods), "    ")


def chosen(language: str, text: str) -> Convention:
    return choose(read_source(dedent(text), language), text=text).convention


def answered(path: Path, text: str, *players: str) -> tuple[Convention, bool]:
    """Return how a class is understood, and whether it is right in a few games."""
    file = path / "solution.py"
    file.write_text(dedent(text))
    solution = load_file(file, players=players)
    solution.adopt(understood(solution))
    games = PROBLEMS[solution.problem].examples(3)
    played = solution.play(games)
    right = all(each.answers == game.right for each, game in zip(played, games, strict=True))
    return solution.convention, right


STATUS = """
def play(self, cell: int):
    self._put(cell)
def getStatus(self):
    won = {"X": "p1 wins", "O": "p2 wins"}.get(self._line())
    return won or ("draw" if len(self.cells) == 9 else "playing")
"""
LEGALITY = """
def move(self, cell: int) -> bool:
    if cell in self.cells:
        return False
    self._put(cell)
    return True
@property
def winner(self):
    return self._line()
@winner.setter
def winner(self, mark):
    raise AttributeError
"""
MOVER = """
def play(self, row, col) -> int:
    mover = 1 if self.turn == "X" else 2
    if 3 * row + col in self.cells:
        return 0
    self._put(3 * row + col)
    return mover
def whoWon(self) -> int:
    return {None: 0, "X": 1, "O": 2}[self._line()]
"""
RAISES = """
def place(self, cell: int) -> None:
    self._put(cell)
def winner(self) -> str:
    if self._line() is None:
        raise RuntimeError("Nobody has won.")
    return self._line()
"""
FIELD = """
def start(self):
    self.cells, self.turn, self.winner = {}, "X", None
def make_move(self, cell: int) -> bool:
    self._put(cell)
    if self.check_winner("X") or self.check_winner("O"):
        self.winner = self._line()
    return True
def check_winner(self, mark) -> bool:
    return self._line() == mark
"""
MINUS_ONE = """
def place(self, cell: int) -> None:
    self._put(cell)
def get_winner(self) -> int:
    return {None: -1, "X": 1, "O": 2}[self._line()]
"""
WON = """
def place(self, cell: int) -> str:
    self._put(cell)
    return "Three in a row" if self._line() else "Board full" if len(self.cells) == 9 else "Next"
"""
RENEWS = """
def place(self, cell: int):
    after = Game()
    after.cells, after.turn = dict(self.cells), self.turn
    after._put(cell)
    return after
def winner(self):
    return self._line()
"""
REFUSES = """
def place(self, row, col, mark="X"):
    if mark != self.turn:
        raise ValueError("not your turn")
    self._put(3 * row + col)
def winner(self):
    return self._line()
"""
ROWS_FROM_ONE = """
def place(self, row, col):
    self._check(row, col)
    self._put(3 * (row - 1) + (col - 1))
def _check(self, row, col):
    if not 1 <= row <= 3 or not 1 <= col <= 3:
        raise ValueError("no such cell")
def winner(self):
    return self._line()
"""
FORMS = {
    "status": game(STATUS),
    "legality": game(LEGALITY),
    "mover": game(MOVER),
    "raises": game(RAISES),
    "field": game(FIELD).replace("self.cells = {}\n", "self.start()\n", 1),
    "minus one": game(MINUS_ONE),
    "mover has won": game(WON),
    "renews": game(RENEWS),
    "refuses": game(REFUSES),
    "rows from one": game(ROWS_FROM_ONE),
    "O begins": game(LEGALITY).replace('turn = "X"\n', 'turn = "O"\n', 1),
    "cells from one": game(MINUS_ONE).replace(FROM_ZERO, FROM_ONE),
    "O begins, unpacked": game(LEGALITY).replace(
        'self.cells = {}\n        self.turn = "X"\n', 'self.cells, self.turn = {}, "O"\n', 1
    ),
    "cells from zero": game(MINUS_ONE)
    .replace(FROM_ZERO, FROM_ONE)
    .replace("_put(cell)", "_put(cell + 1)"),
    "board": game(LEGALITY).replace("(self):", "(self, board=None):", 1),
}


@pytest.mark.parametrize("form", FORMS)
def test_right_class_of_each_form_is_right(form: str, tmp_path: Path) -> None:
    convention, right = answered(tmp_path, FORMS[form])
    assert right, convention


@pytest.mark.parametrize("form", ["status", "legality", "mover", "minus one", "O begins"])
def test_wrong_class_of_each_form_stays_wrong(form: str, tmp_path: Path) -> None:
    _, right = answered(tmp_path, FORMS[form].replace("(0, 4, 8), ", "").replace("(1, 5, 9), ", ""))
    assert not right


def test_other_player_named_stays_wrong(tmp_path: Path) -> None:
    text = FORMS["legality"].replace("return self._line()", "return self._line() and self.turn")
    assert not answered(tmp_path, text)[1]


def test_letters_of_the_player_who_begins_decide(tmp_path: Path) -> None:
    text = FORMS["O begins"].replace('self.turn = "O"\n', "self.turn = chr(79)\n", 1)
    with pytest.raises(Failed, match="if O begins, use --players O,X"):
        answered(tmp_path, text)
    assert answered(tmp_path, text, "O", "X")[1]


@pytest.mark.parametrize(
    ("form", "note"),
    [
        ("O begins", "the second player begins"),
        ("refuses", "it refuses moves out of turn, so one player begins every game"),
        ("rows from one", "its parameters are (a row counted from 1, a column counted from 1)"),
        ("status", "getStatus() is called after each move"),
        ("board", "winner is read after each move"),
    ],
)
def test_note_says_what_was_taken_for_what(form: str, note: str) -> None:
    assert note in "; ".join(chosen("python", FORMS[form]).notes)


def test_learned_answers_are_expected_in_the_words_of_the_class(tmp_path: Path) -> None:
    convention, _ = answered(tmp_path, FORMS["minus one"])
    assert convention.answers.learned == (("-1", "0"),)
    assert convention.write([(0, 0, 1)], "0") == "-1"


ALWAYS = "def place(self, cell: int) -> bool:\n    self._put(cell)\n    return True\n"
NEVER = "def place(self, cell: int):\n    self._put(cell)\ndef winner(self):\n    return None\n"
OVER = """
def place(self, cell: int):
    self._put(cell)
def check_game_over(self) -> bool:
    return self._line() is not None or len(self.cells) == 9
"""
BOTH = """
def place(self, cell: int) -> str:
    self._put(cell)
    return "Finished" if self._line() or len(self.cells) == 9 else "Next"
"""
MANY = "def place(self, cell: int) -> str:\n    self._put(cell)\n    return str(self.cells)\n"
NO_CELL = "def place(self, cell: int) -> str:\n    raise KeyError(str(cell))\n"
ONE_UP = """
def place(self, row, col):
    if row * col == 0:
        raise ValueError("no such cell")
    self._put(3 * row + col)
def winner(self):
    return self._line()
"""
SILENT = "def play(self, row, col):\n    self._put(3 * row + col)\ndef show(self): ...\n"
KEYED = """
def place(self, row, col, player):
    self._put(3 * row + col)
    return {"X": 1, "O": 2}[player]
"""


@pytest.mark.parametrize(
    ("methods", "says"),
    [
        (ALWAYS, r"place\(\) answers the same after every move, won or not"),
        (NEVER, r"winner\(\) never says that somebody has won"),
        (OVER, r"check_game_over\(\) says that a game is over, and not who has won it"),
        (BOTH, "it answers 'Finished' both when a player has won and when the board is full"),
        (MANY, "its answers, such as .* do not say who has won"),
        (NO_CELL, r"it was called as place\(index\), and always raises KeyError"),
        (ONE_UP, "place raises ValueError: no such cell in every first row and column"),
        (SILENT, r"play answers nothing, .* who has won \(Game also has show\(\)\)"),
        (KEYED, "every move of player 1 raises KeyError: 1; .* use --players X,O"),
    ],
)
def test_class_that_does_not_say_who_has_won_is_unusable(
    methods: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(Failed, match=says) as caught:
        answered(tmp_path, game(methods))
    assert caught.value.verdict == "unusable"


def test_player_drawn_at_random_cannot_be_judged() -> None:
    text = "import random\n" + game(LEGALITY).replace('"X"\n', 'random.choice("XO")\n', 1)
    with pytest.raises(Failed, match="it draws at random who moves first"):
        chosen("python", text)


def test_method_that_takes_a_board_is_not_asked_after_moves() -> None:
    text = game("def play(self, cell: int): ...\ndef check_winner(self, board): return 1\n")
    assert chosen("python", text).problem == "winner"


def test_base_class_in_the_same_file_is_known_not_to_say_who_has_won() -> None:
    text = game(SILENT) + "class TicTacToe(Game): ...\n"
    with pytest.raises(Failed, match="nothing that can be called from outside says who has won"):
        chosen("python", text)


def test_class_that_does_not_say_who_has_won_is_no_rival() -> None:
    board = "class Board:\n    def set(self, row, col): ...\n"
    convention = chosen("python", board + game(LEGALITY))
    assert convention.owner == "Game"
    assert "--name" not in "".join(convention.notes)


def test_optional_parameters_of_a_constructor_are_left_out() -> None:
    text = """
    class Game {
      constructor(board?: string[], player?: string) {}
      place(row: number, col: number): void {}
      get winner(): string | null { return null; }
    }
    """
    convention = chosen("typescript", text)
    assert convention.make is not None
    assert (convention.make.arguments, convention.n) == ((), 3)


def test_field_that_a_constructor_sets_is_read() -> None:
    text = """
    class Game {
      constructor() { this.winner = null; this._won = null; }
      makeMove(index) { this.cells[index] = 1; return true; }
    }
    """
    convention = chosen("javascript", text)
    assert convention.asks is not None
    assert (convention.asks.name, convention.asks.value) == ("winner", True)


def test_constructor_that_may_fail_is_one() -> None:
    text = """
    package game
    type Game struct {}
    func New(name string) (*Game, error) { return &Game{}, nil }
    func (g *Game) Move(row, col, player int) int { return 0 }
    """
    with pytest.raises(Failed, match=r"Game is created with \(name\)"):
        chosen("go", text)
    size = chosen("go", text.replace("name string", "size int"))
    assert LANGUAGES[".go"].construction(size) == "noughtsFirst(New(n))"


def test_class_that_judges_a_whole_game_is_called_once() -> None:
    text = """
    enum Outcome { X, O, Draw, Pending }
    struct Game { size: i32 }
    impl Game {
        pub fn new(size: usize) -> Self { Game { size: 3 } }
        pub fn play(&mut self, moves: Vec<Vec<i32>>) -> Outcome { Outcome::Draw }
    }
    """
    convention = chosen("rust", text)
    assert (convention.problem, convention.call.roles) == ("tictactoe", ("moves",))
    assert convention.make is not None
    assert convention.make.roles == ("n",)


WHOLE = """
class Game:
    def play(self, moves):
        won = [LINES]
        for first, name in ((0, "X"), (1, "O")):
            mine = {3 * row + col for row, col in moves[first::2]}
            if any(mine.issuperset(line) for line in won):
                return name
        return "Full" if len(moves) == 9 else "Open"
""".replace("LINES", FROM_ZERO)


def test_results_of_whole_games_are_learned(tmp_path: Path) -> None:
    assert answered(tmp_path, WHOLE)[1]
    assert not answered(tmp_path, WHOLE.replace("(0, 4, 8), ", ""))[1]
    with pytest.raises(Failed, match="where 'Draw' and 'Pending' are expected"):
        answered(tmp_path, WHOLE.replace('"Full"', '"Open"'))


SOLVED = """
def is_solved(board):
    lines = [*board, *zip(*board)]
    lines += [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    for player in (1, 2):
        if any(all(cell == player for cell in line) for line in lines):
            return player
    return -1 if any(0 in row for row in board) else 0
"""


def test_boards_of_numbers_are_given_where_cells_are_compared_with_them(tmp_path: Path) -> None:
    convention, right = answered(tmp_path, SOLVED.replace("== player", "== player != 0"))
    assert (convention.players, convention.empty, right) == ((1, 2), 0, True)


def test_board_has_the_empty_cells_that_the_function_looks_for(tmp_path: Path) -> None:
    text = """
    def who_won(rows):
        for i in range(3):
            if rows[i][0] == rows[i][1] == rows[i][2] != "_":
                return rows[i][0]
            if rows[0][i] == rows[1][i] == rows[2][i] != "_":
                return rows[0][i]
        if rows[1][1] != "_" and rows[0][0] == rows[1][1] == rows[2][2]:
            return rows[1][1]
        if rows[1][1] != "_" and rows[0][2] == rows[1][1] == rows[2][0]:
            return rows[1][1]
        return "Tie"
    """
    convention, right = answered(tmp_path, text)
    assert (convention.empty, right) == ("_", True)


RENEWING = """
class Game {
  constructor(cells, turn) { this.cells = cells || {}; this.turn = turn || "X"; }
  place(cell) {
    return new Game({ ...this.cells, [cell]: this.turn }, this.turn === "X" ? "O" : "X");
  }
  get winner() {
    for (const [a, b, c] of [LINES])
      if (this.cells[a] && this.cells[a] === this.cells[b] && this.cells[a] === this.cells[c]) {
        return this.cells[a];
      }
    return null;
  }
}
""".replace("LINES", FROM_ZERO.replace("(", "[").replace(")", "]"))


@compiler
def test_object_that_a_move_returns_gets_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "game.js"
    path.write_text(RENEWING.replace("cells, turn)", "cells = {}, turn = 'X')", 1))
    assert check(open_solution(path), growth=False).message.endswith("every game on 3×3")


def test_object_that_a_move_returns_is_not_followed_in_other_languages() -> None:
    text = """
    class Game {
        Game place(int row, int col) { return new Game(); }
        String getWinner() { return null; }
    }
    """
    convention = chosen("java", text)
    with pytest.raises(Failed, match="place returns a new object for the next move"):
        LANGUAGES[".java"].construction(convention)
    same = chosen("java", text.replace("new Game()", "this"))
    assert LANGUAGES[".java"].construction(same) == "new Game()"


def test_members_with_values_are_matched_in_rust() -> None:
    enum = Enum("Status", (Parameter("Playing"), Parameter("Won")))
    assert 'Status::Won { .. } => "Won"' in _written(enum)


def test_spaces_of_web_pages_are_cleaned(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    text = "class TicTacToe:\n    def __init__(self, n): ...\n"
    text += "    def move(self, row, col, player):\n        return 0\u200b\n"
    path.write_text(text.replace("    ", "\u00a0   "))
    solution = open_solution(path)
    solution.close()
    assert solution.what == "class TicTacToe, 4 lines"
    assert load_file(path).what == "class TicTacToe, 4 lines"
    web = path.read_text().replace("\n", "\r\n")
    solution = open_text(LANGUAGES[".py"], path, web)
    solution.close()
    assert solution.what == "class TicTacToe, 4 lines"


CPP = """
class TicTacToe {
    vector<int> rows;
public:
    TicTacToe(int n) : rows(n) {}
    int move(int row, int col, int player) { rows[row] = player; return 0; }
};
"""


@compiler
def test_file_of_cpp_may_be_named_like_one_of_c(tmp_path: Path) -> None:
    path = tmp_path / "design-tic-tac-toe.c"
    path.write_text(CPP)
    solution = open_solution(path)
    solution.close()
    assert solution.language == "C++"


def test_script_that_imports_another_file_is_unusable(tmp_path: Path) -> None:
    path = tmp_path / "game.ts"
    text = 'import { win } from "./win";\nclass TicTacToe {\n  constructor(n: number) {}\n'
    path.write_text(text + "  move(row: number, col: number, player: number) { return 0; }\n}\n")
    with pytest.raises(Failed, match=r"it imports \./win; put what it needs into the same file"):
        open_solution(path)


def test_right_class_of_another_form_is_judged_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text(FORMS["O begins"].replace("return self._line()", "return self._line() or -1"))
    report = check(open_solution(path), growth=False)
    assert report.message.endswith("every game on 3×3")
    assert report.notes[-1] == "-1 was taken for no winner"


ROWS = """
class Board:
    def __init__(self):
        self.rows = [["" for _ in range(3)] for _ in range(3)]
        FIELDS
    def place(self, row, col, player):
        self.rows[row][col] = player
        BODY
    def winner(self):
        lines = [*self.rows, *zip(*self.rows), [self.rows[i][i] for i in range(3)]]
        for line in [*lines, [self.rows[i][2 - i] for i in range(3)]]:
            if line[0] and len(set(line)) == 1:
                return line[0]
        return None
"""


@pytest.mark.parametrize(
    ("fields", "guard", "refuses"),
    [
        ("self.turn = 'X'", "if player != self.turn:\n            raise ValueError", True),
        ("self.turn = 'X'", "assert self.turn == player", True),
        ("self.turn = 'X'", "if player != self.turn:\n            self.turn = player", False),
        ("pass", "return all(current == player for current in self.rows[0])", False),
        ("self.last = ''", "if player == self.last:\n            raise ValueError", False),
    ],
)
def test_class_refuses_moves_by_the_field_of_the_turn(
    fields: str, guard: str, refuses: bool
) -> None:
    text = ROWS.replace("FIELDS", fields).replace("BODY", guard)
    assert chosen("python", text).in_order == refuses


@pytest.mark.parametrize(
    ("guard", "refuses"),
    [
        ("if (player !== this.turn) return -1;", True),
        ("if (\n!ok ||\nplayer !== this.turn) { log(`no`); throw new Error(); }", True),
        ("if (player !== this.turn) { this.turn = player; } return 0;", False),
    ],
)
def test_class_in_javascript_refuses_moves(guard: str, refuses: bool) -> None:
    text = f"class Game {{ move(row, col, player) {{ {guard} return 0; }} }}"
    assert chosen("javascript", text).in_order == refuses


def test_missing_answer_of_the_original_method_stays_wrong(tmp_path: Path) -> None:
    text = RIGHT.replace("return player if self.n * value in lines else 0", "BODY")
    body = "if any(current == player * self.n for current in lines):\n            return player"
    assert not answered(tmp_path, text.replace("BODY", f"{body}\n        return None"))[1]
    body = "if self.n * value in lines:\n            return player"
    guard = "if player != self.turn:\n            raise ValueError\n        "
    text = text.replace("BODY", f"self.turn = 3 - player\n        {body}\n        return None")
    text = text.replace("        self.rows[", f"        {guard}self.rows[", 1)
    assert not answered(tmp_path, text.replace("[0, 0]\n", "[0, 0]\n        self.turn = 1\n"))[1]


DIAGONAL = """
def place(self, row, col):
    self._put(3 * row + col)
    self._start(row, col)
def _start(self, row, col):
    while row > 0 and col > 0:
        row -= 1
        col -= 1
def winner(self):
    return self._line()
"""
RUN = """
def place(self, row, col):
    self.places[row, col] = self.turn
    self._run(row - 1, col - 1, -1, -1, self.turn)
    self._put(3 * row + col)
def _run(self, row, col, down, right, mark): ...
def winner(self):
    return self._line()
"""


@pytest.mark.parametrize("methods", [DIAGONAL, RUN])
def test_rows_are_not_counted_from_one_by_a_scan(methods: str, tmp_path: Path) -> None:
    text = game(methods).replace("self.cells = {}\n", "self.cells, self.places = {}, {}\n", 1)
    convention, right = answered(tmp_path, text)
    assert (convention.call.roles, right) == (("row", "col"), True)


def test_rows_that_seem_to_be_counted_from_one_are_unusable_if_they_are_not(tmp_path: Path) -> None:
    text = ROWS_FROM_ONE.replace("not 1 <= row <= 3 or not 1 <= col <= 3", "max(row, col) > 2")
    with pytest.raises(Failed, match="in every last row and column, counted from 1 as its source"):
        answered(tmp_path, game(text))


def test_class_that_names_the_loser_is_not_called_right(tmp_path: Path) -> None:
    text = FORMS["O begins"].replace(
        "return self._line()", 'return self._line() and "XO"["XO".find(self._line()) - 1]'
    )
    with pytest.raises(Failed, match="its source says that the second player begins"):
        answered(tmp_path, text)


@pytest.mark.parametrize(
    ("line", "begins"),
    [
        ("self.next_player = 2", "second"),
        ("self.isXNext = 'X'", "first"),
        ("self.returns = 2", ""),
        ("self.turns = 2", ""),
        ("self.turn = 2 * n", ""),
        ("self.maxTurn = 2", ""),
        ("self.zobrist = [[random.randint(0, 9) for player in 'XO'] for turn in 'XO']", ""),
        ("self.turn = random.choice('XO')", "random"),
        (
            "if random.random() < 0.5:\n            self.turn = 'X'\n"
            "        else:\n            self.turn = 'O'",
            "random",
        ),
    ],
)
def test_player_who_begins_is_read_from_the_field_of_the_turn(line: str, begins: str) -> None:
    text = GAME.replace("self.turn =", f"{line}\n        self.mark =", 1)
    read = read_source(text + indent(dedent(LEGALITY), "    "), "python")
    assert _begins(read.classes[0]) == begins


def test_number_for_some_wins_only_stays_wrong(tmp_path: Path) -> None:
    text = RIGHT.replace("move", "place").replace(
        "return player if self.n * value in lines else 0",
        "won = player if self.n * value in lines else 0\n"
        "        return won * self.n if lines[-1] == self.n * value else won",
    )
    assert not answered(tmp_path, text)[1]


def test_number_for_nobody_is_learned_from_a_wrong_class_too(tmp_path: Path) -> None:
    convention, right = answered(tmp_path, FORMS["minus one"].replace("(0, 4, 8), ", ""))
    assert (convention.answers.learned, right) == ((("-1", "0"),), False)


LAST_WINS = (0, 1, 2, 3, 4, 6, 5, 7, 8)  # X completes the diagonal with the last cell


def test_draw_before_a_win_on_a_full_board_is_wrong(tmp_path: Path) -> None:
    early = "if len(self.cells) == 9:\n            return -1\n        return {None"
    text = game(MINUS_ONE).replace("return {None: -1", f"{early}: 0")
    solution = tmp_path / "solution.py"
    solution.write_text(text)
    loaded = load_file(solution)
    won = judged(3, [(at // 3, at % 3, 1 + turn % 2) for turn, at in enumerate(LAST_WINS)])
    said = [
        Said("-1" if ply == 9 else "0", right, ply == 9, 1, (0, 0))
        for ply, right in enumerate(won.right, 1)
    ]
    nobody = said[-1]._replace(right="0")
    assert (said[-1].won, _learned(loaded.convention, [*said, nobody])) == (True, (("-1", "0"),))


def test_field_that_no_move_sets_does_not_hide_a_method() -> None:
    methods = "def place(self, cell):\n    self._put(cell)\ndef checkWinner(self):\n    return 0\n"
    text = game(methods).replace("self.cells = {}\n", "self.cells, self.winner = {}, None\n", 1)
    convention = chosen("python", text)
    assert convention.asks is not None
    assert convention.asks.name == "checkWinner"


BOARD = """
def check_winner(rows):
    lines = [*rows, *zip(*rows), *([rows[i][abs(k - i)] for i in range(3)] for k in (0, 2))]
    for line in lines:
        if TEST:
            return line[0]
    return None
"""


@pytest.mark.parametrize(
    "test",
    [
        "len(set(line)) == 1 and line[0] != ' '",
        "len(set(line)) == 1 and line[0] is not None",
        "line.count(line[0]) == 3 and line.count(None) == 0",
        "line[0] and line[0] == line[1] == line[2]",
        "line[0] == line[1] == line[2] and line[0]",
        "all(line) and len(set(line)) == 1",
        "line[0] == line[1] == line[2] != 0",
    ],
)
def test_board_has_the_cells_that_the_function_expects(test: str, tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text(BOARD.replace("TEST", test))
    assert check(load_file(path), growth=False).right
    path.write_text(path.read_text().replace("(0, 2))", "(0,))"))
    assert check(load_file(path), growth=False).verdict == "wrong"


@pytest.mark.parametrize(
    "text",
    [
        "from x import Board\nclass Board(Board): ...\nclass TicTacToe(Board): ...\n",
        "class A(B): ...\nclass B(A): ...\nclass TicTacToe(A): ...\n",
    ],
)
def test_classes_may_be_named_like_their_bases(text: str) -> None:
    assert read_source(text, "python").classes[-1].name == "TicTacToe"


def test_expression_that_is_too_deep_is_an_error() -> None:
    assert read_source(f"class A:\n    x = {'1+' * 990}1\n", "python").error is not None
