"""Kotlin: compiled with its driver, in one package."""

import re
import shlex
from dataclasses import replace
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import compiled
from noughts.checker.languages.java import OPENED
from noughts.checker.languages.language import Language, Tool
from noughts.checker.problems.problem import Candidate
from noughts.checker.sandbox import Limits

PACKAGE = re.compile(r"^[ \t]*package[ \t]+([\w.]+)", re.MULTILINE)
MAIN = re.compile(r"^fun[ \t]+main[ \t]*\(", re.MULTILINE)
LIBRARY = Path("/usr/share/java")


class Kotlin(Language):
    """Kotlin."""

    name = "Kotlin"
    key = "kotlin"
    suffixes = (".kt", ".kts")
    tools = (
        Tool(("kotlinc",), "kotlin"),
        Tool(("javac",), "default-jdk"),
        Tool(("java",), "default-jdk"),
    )
    template = "Driver.kt"
    walker = "Bytes.java"
    root = "Any?"
    new = "{owner}({arguments})"
    factory = "{owner}.{name}({arguments})"
    statement = "{}"
    choice = "(if (player == 1) {} else {})"
    letters = ("Char",)
    casts = {type: f"{{}}.to{type}()" for type in ("Long", "Short", "Byte")}
    pairs = {"Pair<Int, Int>": "Pair(row, col)", "IntArray": "intArrayOf(row, col)"}
    wholes = {
        "moves Array<IntArray>": "Array(marks.size / 3) "
        "{ intArrayOf(marks[1 + 3 * it], marks[2 + 3 * it]) }"
    }

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Compile the file with its driver; see `Language.program`."""
        kotlinc, javac, java = self.tool(0), self.tool(1), self.tool(2)
        found = PACKAGE.search(text)
        package = f"package {found[1]};" if found else ""
        files = {
            "Solution.kt": MAIN.sub("fun solutionMain(", text),
            "Driver.kt": self.driver(candidate.convention, package=package),
            "NoughtsBytes.java": self.walked(package=package),
        }
        limits = replace(limits, addresses=None)  # the JVM reserves far more than it uses
        most = f"-J-Xmx{limits.memory >> 20}m"
        kotlin = shlex.join((kotlinc, "-nowarn", most, "-d", ".", *files))
        script = f"{kotlin} && {shlex.join((javac, '-proc:none', '-d', '.', 'NoughtsBytes.java'))}"
        home = Path(java).resolve().parents[1]
        folder = compiled(("/bin/sh", "-c", script), files, limits, [home])
        heap = (
            f"-Xmx{limits.memory >> 21}m",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xshare:auto",
        )
        compiler = ("-XX:TieredStopAtLevel=1", "-Xbatch")
        opened = [
            word for each in OPENED for word in ("--add-opens", f"java.base/{each}=ALL-UNNAMED")
        ]
        library = next(iter(sorted(LIBRARY.glob("kotlin-stdlib.jar"))), Path("kotlin-stdlib.jar"))
        main = f"{found[1]}.NoughtsDriver" if found else "NoughtsDriver"
        run = (java, *heap, *compiler, *opened, "-cp", f"{folder.name}:{library}", main)
        return Program(
            path, candidate, self.name, run, (Path(folder.name), home), limits, kept=folder
        )
