"""Solutions in Java, C++ and JavaScript."""

import shutil
from dataclasses import replace

import pytest

from checker.conftest import Open
from checker.solutions import ANSWERS, TOGETHER, WHOLE, WON, game
from noughts.checker.sandbox import DEFAULT
from noughts.checker.solution import Failed, Game

JAVA = """\
class TicTacToe {
    private int[] rows, cols;
    private int diagonal, anti, n;

    public TicTacToe(int n) {
        this.n = n;
        rows = new int[n];
        cols = new int[n];
    }

    public int move(int row, int col, int player) {
        int value = player == 1 ? 1 : -1;
        rows[row] += value;
        cols[col] += value;
        if (row == col) diagonal += value;
        if (row + col == n - 1) anti += value;
        int won = n * value;
        return rows[row] == won || cols[col] == won || diagonal == won || anti == won ? player : 0;
    }
}
"""
JAVA_GAME = """
class Solution {
    public String tictactoe(int[][] moves) { return moves.length == 5 ? "A" : "Pending"; }
}
"""
CPP = """\
class TicTacToe {
    vector<int> rows, cols;
    int diagonal = 0, anti = 0, n;

public:
    TicTacToe(int n) : rows(n), cols(n), n(n) {}

    int move(int row, int col, int player) {
        int value = player == 1 ? 1 : -1;
        rows[row] += value;
        cols[col] += value;
        if (row == col) diagonal += value;
        if (row + col == n - 1) anti += value;
        int won = n * value;
        return rows[row] == won || cols[col] == won || diagonal == won || anti == won ? player : 0;
    }
};
"""
CPP_GAME = """
class Solution {
public:
    string tictactoe(vector<vector<int>>& moves) { return moves.size() == 5 ? "A" : "Pending"; }
};
"""
JS = """\
/** @param {number} n */
var TicTacToe = function(n) {
    this.n = n;
    this.rows = new Array(n).fill(0);
    this.cols = new Array(n).fill(0);
    this.diagonal = this.anti = 0;
};

TicTacToe.prototype.move = function(row, col, player) {
    const value = player === 1 ? 1 : -1;
    this.rows[row] += value;
    this.cols[col] += value;
    if (row === col) this.diagonal += value;
    if (row + col === this.n - 1) this.anti += value;
    const lines = [this.rows[row], this.cols[col], this.diagonal, this.anti];
    return lines.includes(this.n * value) ? player : 0;
};
"""
JS_CLASS = """\
class TicTacToe {
    constructor(n) {
        this.board = Array.from({ length: n }, () => Array(n).fill(0));
    }

    move(row, col, player) {
        const b = this.board, n = b.length;
        b[row][col] = player;
        const all = (cell) => b.every((_, i) => cell(i) === player);
        const straight = all(i => b[row][i]) || all(i => b[i][col]);
        return straight || all(i => b[i][i]) || all(i => b[i][n - 1 - i]) ? player : 0;
    }
}
"""
JS_GAME = 'var tictactoe = function(moves) { return moves.length === 5 ? "A" : "Pending"; };\n'

pytestmark = pytest.mark.tier2("compiler")
needs = {
    ".java": pytest.mark.skipif(not shutil.which("javac"), reason="javac is not installed"),
    ".cpp": pytest.mark.skipif(not shutil.which("c++"), reason="c++ is not installed"),
    ".js": pytest.mark.skipif(not shutil.which("node"), reason="node is not installed"),
}


def case(ending: str, *values: object, id: str) -> object:
    return pytest.param(f"solution{ending}", *values, id=f"{ending[1:]}-{id}", marks=needs[ending])


def indented(source: str, around: str) -> str:
    return around.replace("BODY", source.replace("class TicTacToe", "static class TicTacToe"))


@pytest.mark.parametrize(
    ("file", "source", "what"),
    [
        case(
            ".java",
            f"package a.b.c;\nimport java.util.List;\npublic {JAVA}",
            "class TicTacToe",
            id="package",
        ),
        case(
            ".java",
            indented(
                JAVA,
                "// public class No {\npublic class Design {\n private BODY\n"
                " public static void main(String[] a) { }\n}",
            ),
            "class Design.TicTacToe",
            id="nested",
        ),
        case(
            ".java",
            f"public class Outer {{ class In {{ {JAVA} }} }}",
            "class Outer.In.TicTacToe",
            id="inner",
        ),
        case(
            ".java",
            JAVA.replace("TicTacToe", "DesignTicTacToe"),
            "class DesignTicTacToe",
            id="named",
        ),
        case(
            ".java",
            JAVA.replace(
                "int[] rows, cols", "List<Integer> unused = new ArrayList<>(); int[] rows, cols"
            ).replace("int value", 'System.out.println("1"); int value'),
            "class TicTacToe",
            id="without-imports-and-prints",
        ),
        case(".cpp", CPP, "class TicTacToe", id="without-includes"),
        case(
            ".cpp",
            f"#include <vector>\n#include <iostream>\nusing namespace std;\n{CPP}\n"
            "int main() { TicTacToe game(3); cout << game.move(0, 0, 1); }",
            "class TicTacToe",
            id="main",
        ),
        case(
            ".cpp",
            f"#define int long long\nnamespace design {{\n{CPP}\n}}",
            "class design::TicTacToe",
            id="macros-and-namespace",
        ),
        case(
            ".cpp",
            CPP.replace("TicTacToe", "Game").replace("class", "// the move( of\nstruct"),
            "class Game",
            id="named",
        ),
        case(".js", JS, "class TicTacToe", id="prototype"),
        case(".js", JS_CLASS, "class TicTacToe", id="class"),
        case(".js", JS_CLASS + "module.exports = TicTacToe;", "class TicTacToe", id="exports"),
        case(
            ".js",
            JS_CLASS + "module.exports = { TicTacToe };",
            "class TicTacToe",
            id="exports-object",
        ),
        case(".js", "export default " + JS_CLASS, "class TicTacToe", id="export-default"),
        case(
            ".js",
            JS_CLASS + "export { TicTacToe };\nexport default TicTacToe;",
            "class TicTacToe",
            id="export-list",
        ),
        case(
            ".js",
            "export default " + JS_CLASS.replace(" TicTacToe", ""),
            "class TicTacToe",
            id="nameless",
        ),
        case(
            ".js",
            JS_CLASS.replace("class TicTacToe", "const Board = class"),
            "class Board",
            id="named",
        ),
        case(
            ".js",
            JS_CLASS + "console.log(new TicTacToe(3).move(0, 0, 1));\n",
            "class TicTacToe",
            id="prints",
        ),
    ],
)
def test_published_files_can_be_judged(opened: Open, file: str, source: str, what: str) -> None:
    solution = opened(source, file=file)
    assert (solution.what.partition(",")[0], solution.problem) == (what, "TicTacToe")
    assert solution.notes == ()
    assert [played.answers for played in solution.play([WON], "states")] == [ANSWERS]
    assert [one.answers for one in solution.play(TOGETHER, "together")] == [("0", "0"), ("2",)]
    sizes = [solution.size(n, [(0, 0, 1)]) or 0 for n in (16, 1600)]
    assert 10 * sizes[0] < sizes[1]
    made, moved = solution.seconds(100, [(0, 0, 1), (1, 1, 2)], 10)
    assert min(made, moved) >= 0


JS_STATE = """class TicTacToe {
  constructor(n) { this.marks = MADE; }
  move(row, col, player) { NOTED; return 0; }
}
"""


@pytest.mark.parametrize(
    ("made", "noted", "equal"),
    [
        ("[]", "this.marks[3 * row + col] = player", True),
        ("new Map()", "this.marks.set(`${row}`, [col, player])", True),
        ("new Set()", "this.marks.add(`${row}\\x80${col}`)", True),
        ("{}", "this.marks[row] = this", True),
        ("{}", "this.marks[row] = this.last = [row, col]; this.last = null", True),
        ("[]", "this.marks.push(row)", False),
        ("0", "this.marks = player === 1 ? -0 : 0", False),
    ],
)
def test_states_of_javascript_objects(opened: Open, made: str, noted: str, equal: bool) -> None:
    """Play two cells in either order: the states are equal if the marks are."""
    solution = opened(JS_STATE.replace("MADE", made).replace("NOTED", noted), file="s.js")
    one, other = (0, 0, 1), (2, 1, 2)
    games = [Game(3, moves, ("0", "0")) for moves in ((one, other), (other, one))]
    first, second = (played.state for played in solution.play(games, "states"))
    assert first is not None
    assert (first == second) == equal
    [shorter] = solution.play([Game(3, (one,), ("0",))], "states")
    assert shorter.state != first


LAZY = """class TicTacToe {
  constructor(n) { this.rows = new Map(); }
  move(row, col, player) {
    if (!this.rows.has(row)) this.rows.set(row, { 1: 0, 2: 0 });
    this.last = this.rows.get(OF);
    return 0;
  }
}
"""


def test_states_of_javascript_objects_say_which_part_is_meant(opened: Open) -> None:
    moves = (0, 0, 1), (2, 1, 2)
    games = [Game(3, order, ("0", "0")) for order in (moves, moves[::-1])]
    same, last = (opened(LAZY.replace("OF", of), file="s.js") for of in ("0", "row"))
    first, second = (played.state for played in same.play(games[:1] * 2, "states"))
    assert first == second is not None
    first, second = (played.state for played in last.play(games, "states"))
    assert None not in (first, second)
    assert first != second


def test_long_and_weakly_kept_states_are_not_compared(opened: Open) -> None:
    made = JS_STATE.replace("NOTED", "all.push(row)").replace("MADE", "Array(9999).fill(0)")
    nothing = made.replace("this.marks = Array(9999).fill(0);", "")
    texts = [f"const all = [];\n{text}" for text in (made, nothing)]
    weak = f"const kept = new WeakMap();\n{JS_CLASS}"
    for text in (*texts, weak):
        assert opened(text, file="s.js").play([WON], "states")[0].state is None


def test_comments_in_javascript_import_nothing(opened: Open) -> None:
    comments = "/*\nimport x from './x'\n*/ // const y = require('./y');\n"
    export = "export const FILES = ['./a', './b'];\n"
    assert opened(comments + export + JS_CLASS, file="s.js").play([WON])[0].answers == ANSWERS
    for text in ("export { x } from './x';\n", "const a = '//', y = require('./y');\n"):
        with pytest.raises(Failed, match=r"it imports \./[xy]; put what it needs"):
            opened(text + JS_CLASS, file="s.js")


@pytest.mark.parametrize(
    "made",
    ["() => 0", "new Date(0)", "{ get x() { return 1; } }", "new Set([[]])", "new Map([[{}, 1]])"],
)
def test_hidden_states_of_javascript_objects_are_not_compared(opened: Open, made: str) -> None:
    solution = opened(JS_STATE.replace("MADE", made).replace("NOTED", ""), file="s.js")
    assert solution.play([WON], "states")[0].state is None
    private = JS_CLASS.replace("class TicTacToe {", "class TicTacToe { #n = 1;")
    assert opened(private, file="p.js").play([WON], "states")[0].state is None


@pytest.mark.parametrize(
    ("file", "source", "what"),
    [
        case(".java", JAVA_GAME, "class Solution.tictactoe", id="class"),
        case(".cpp", CPP_GAME, "class Solution.tictactoe", id="class"),
        case(
            ".cpp",
            'string tictactoe(vector<vector<int>> m) { return m.size() == 5 ? "A" : "Pending"; }',
            "function tictactoe",
            id="function",
        ),
        case(".js", JS_GAME, "function tictactoe", id="function"),
        case(".js", JS_GAME + "module.exports = tictactoe;", "function tictactoe", id="exports"),
    ],
)
def test_file_may_judge_whole_games(opened: Open, file: str, source: str, what: str) -> None:
    solution = opened(source, file=file)
    assert (solution.what.partition(",")[0], solution.problem) == (what, "tictactoe")
    assert [one.answers for one in solution.play(WHOLE)] == [("'A'",), ("'Pending'",)]


JAVA_BOUNDS = "ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 3"
RANGE = "vector::_M_range_check: __n (which is 3) >= this->size() (which is 3)"
ANTI = game((0, 2, 1), (0, 0, 2), (1, 1, 1), (2, 2, 2), (2, 0, 1))
WRONG = [
    # The mistake, the replaced texts, their replacements, and the answers to `ANTI`.
    (
        ".java",
        "bounds-recursion-string",
        "int move(|int value =|? player",
        "Object move(|if (row + col == 0) cols[n] = 1; "
        'if (row + col == 4) move(row, col, player); int value =|? "1"',
        f"0 !{JAVA_BOUNDS} 0 !StackOverflowError '1'",
    ),
    (
        ".java",
        "constructor",
        "this.n = n",
        "if (n > 0) throw new RuntimeException()",
        " ".join(["!RuntimeException"] * 5),
    ),
    (".cpp", "bool-says-whether-the-move-wins", "int move", "bool move", "0 0 0 0 1"),
    (
        ".cpp",
        "exception-and-unset-is-not-0-by-luck",
        "cols[col] +|anti = 0",
        "cols.at(row + col ? col : n) +|anti",
        f"0 !std::out_of_range: {RANGE} 0 0 0",
    ),
    (".js", "anti", "n - 1", "n", "0 0 0 0 0"),
    (".js", "false", "? player : 0", "&& player", "false false false false 1"),
    (".js", "undefined", "return lines", "lines", " ".join(["undefined"] * 5)),
    (
        ".js",
        "exception",
        "const value",
        "if (row === 1) null.x; const value",
        "0 0 !TypeError: Cannot read properties of null (reading 'x') 0 0",
    ),
    (".js", "string", "? player", "? String(player)", "0 0 0 0 '1'"),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "answers"), [case(w[0], *w[2:], id=w[1]) for w in WRONG]
)
def test_answers_keep_their_types(
    opened: Open, file: str, old: str, new: str, answers: str
) -> None:
    source = {"solution.java": JAVA, "solution.cpp": CPP, "solution.js": JS}[file]
    for one, other in zip(old.split("|"), new.split("|"), strict=True):
        assert one in source
        source = source.replace(one, other)
    assert " ".join(opened(source, file=file).play([ANTI])[0].answers) == answers


@pytest.mark.parametrize(
    ("file", "source", "verdict", "message"),
    [
        case(
            ".java",
            "class TicTacToe {",
            "unusable",
            "it does not compile: Solution.java:1: error: r",
            id="syntax",
        ),
        case(
            ".java",
            "class A { }",
            "unusable",
            "class A has no methods; looked for a method such as move",
            id="nothing",
        ),
        case(
            ".java",
            JAVA.replace("int value", "while (true); int value").replace(
                "int v", "boolean b = 0 < 1; int v"
            ),
            "unusable",
            "it does not compile",
            id="unreachable",
        ),
        case(
            ".java",
            JAVA.replace("int value", "System.exit(3); int value"),
            "crashed",
            "it exited with code 3",
            id="exit",
        ),
        case(
            ".java",
            JAVA.replace("int value", "while (n > 0); int value"),
            "timeout",
            "it did not answer",
            id="loop",
        ),
        case(
            ".java",
            JAVA.replace("int value", "int[][] all = new int[999][99999999]; int value"),
            "memory",
            "it ran out of memory",
            id="memory",
        ),
        case(
            ".cpp",
            "class TicTacToe {",
            "unusable",
            "line 1 of solution.cpp is not valid C++: class TicTacToe {",
            id="nothing",
        ),
        case(
            ".cpp",
            CPP + "}",
            "unusable",
            "it does not compile: solution.cpp:",
            id="syntax",
        ),
        case(
            ".cpp",
            CPP.replace("int value", "exit(3); int value"),
            "crashed",
            "it exited with code 3",
            id="exit",
        ),
        case(
            ".cpp",
            CPP.replace("int value", "while (n); int value"),
            "timeout",
            "it did not answer",
            id="loop",
        ),
        case(
            ".cpp",
            CPP.replace("rows[row] +", "rows[n] +"),
            "crashed",
            "it was killed by signal 6",
            id="bounds",
        ),
        case(
            ".cpp",
            CPP.replace("int value", "for (;;) rows.resize(2 * rows.size() + 1); int value"),
            "memory",
            "it ran out",
            id="memory",
        ),
        case(
            ".js",
            "class TicTacToe {",
            "unusable",
            "line 1 of solution.js is not valid JavaScript",
            id="syntax",
        ),
        case(
            ".js",
            "let a = 1;",
            "unusable",
            "no class was found; looked for a method such as move",
            id="nothing",
        ),
        case(
            ".js",
            "nothing();" + JS_CLASS,
            "unusable",
            "its top-level code throws ReferenceError",
            id="early",
        ),
        case(
            ".js",
            JS.replace("const value", "process.exit(3); const value"),
            "crashed",
            "it exited with code 3",
            id="exit",
        ),
        case(
            ".js",
            JS.replace("const value", "while (true); const value"),
            "timeout",
            "it did not answer",
            id="loop",
        ),
        case(
            ".js",
            JS.replace(
                "const value", "for (const a = [];;) a.push(new Array(1e6).fill(0)); const value"
            ),
            "memory",
            "it ran out of memory",
            id="memory",
        ),
    ],
)
def test_failing_solution_gets_verdict(
    opened: Open, file: str, source: str, verdict: str, message: str
) -> None:
    seconds = 0.5 if verdict == "timeout" else 30.0
    limits = replace(DEFAULT, seconds=seconds, memory=512 << 20, addresses=512 << 20)
    with pytest.raises(Failed) as caught:
        opened(source, file=file, limits=limits).play([WON])
    assert caught.value.verdict == verdict
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("file", "source", "what"),
    [
        case(".java", JAVA, "class Second", id="name"),
        case(".cpp", CPP, "class Second", id="name"),
        case(".js", JS_CLASS, "class Second", id="name"),
    ],
)
def test_name_chooses_class(opened: Open, file: str, source: str, what: str) -> None:
    first = source.replace("player : 0", "0 : 0")
    both = first + source.replace("TicTacToe", "Second")
    solution = opened(both, "Second", file=file)
    assert solution.what.startswith(what)
    assert solution.play([WON])[0].answers == ANSWERS
    solution = opened(both, file=file)
    assert solution.play([WON])[0].answers == ("0",) * 5
    assert solution.notes == ("to check Second instead, use --name",)
    with pytest.raises(Failed) as caught:
        opened(both.replace("TicTacToe", "First"), file=file)
    assert str(caught.value) == (
        "several classes have a method move: First, Second; choose one with --name"
    )
    with pytest.raises(Failed, match="Third"):
        opened(both, "Third", file=file)
