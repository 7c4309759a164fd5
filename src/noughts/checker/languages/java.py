"""Java: compiled with its driver, in one package."""

import re
from dataclasses import replace
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import compiled
from noughts.checker.languages.language import Language, Tool
from noughts.checker.problems.problem import Candidate
from noughts.checker.reading.convention import Convention
from noughts.checker.sandbox import Limits

IMPORTS = "".join(f"import java.util{part}.*;" for part in ("", ".function", ".stream"))
PACKAGE = re.compile(r"^\s*package\s+([\w.\s]+);", re.MULTILINE)
PUBLIC = re.compile(
    r"^(?:\w*\s*\n)?public\s+(?:\w+\s+)*?(?:class|interface|enum|record)\s+(\w+)", re.MULTILINE
)
NUMBERS = ("byte", "short", "long", "char", "float", "double")
OPENED = (  # the packages in DATA in walkers/Bytes.java
    *("java.lang", "java.math", "java.nio", "java.util", "java.util.concurrent"),
    *("java.util.concurrent.atomic", "java.util.concurrent.locks"),
)


class Java(Language):
    """Java."""

    name = "Java"
    key = "java"
    suffixes = (".java",)
    tools = (Tool(("javac",), "default-jdk"), Tool(("java",), "default-jdk"))
    template = "Driver.java"
    walker = "Bytes.java"
    letters = ("char", "Character")
    casts = {type: f"({type}) {{}}" for type in NUMBERS} | {"Long": "(long) {}"}
    pairs = {"int[]": "new int[] {row, col}", "Integer[]": "new Integer[] {row, col}"}
    pairs |= {"List<Integer>": "java.util.List.of(row, col)"}
    wholes = {
        "moves int[][]": "java.util.stream.IntStream.range(0, marks.length / 3).mapToObj(i -> "
        "new int[] {marks[1 + 3 * i], marks[2 + 3 * i]}).toArray(int[][]::new)"
    }

    def construction(self, convention: Convention) -> str:
        """Return the expression that creates an object, inside new ones of all outer classes."""
        if not convention.inner or convention.make is None:
            return super().construction(convention)
        *outer, last = convention.owner.split(".")
        around = ".".join(f"new {name}()" for name in outer)
        return f"{around}.{super().construction(replace(convention, owner=last))}"

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Compile the file with its driver; see `Language.program`."""
        javac, java = self.tool(0), self.tool(1)
        found = PACKAGE.search(text)
        start = found.end() if found else 0
        package = found[0].strip() if found else ""
        convention = candidate.convention
        # The imports of problem sites go on the same line, so that line numbers stay correct.
        source = text[:start] + IMPORTS + text[start:]
        driver = self.driver(convention, package=package)
        if "." in convention.owner:  # inside the outer class, it may use what is private there
            end = source.rindex("}")
            nested = driver.removeprefix(package).replace(
                "class NoughtsDriver", "static class NoughtsDriver", 1
            )
            source, driver = f"{source[:end]}{nested}\n{source[end:]}", ""
        public = PUBLIC.search(text)
        name = public[1] if public else "Solution"
        files = {f"{name}.java": source, "NoughtsBytes.java": self.walked(package=package)}
        files |= {"NoughtsDriver.java": driver} if driver else {}
        limits = replace(limits, addresses=None)  # the JVM reserves far more than it uses
        quick = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-proc:none")  # start faster
        most = f"-J-Xmx{limits.memory >> 21}m"
        words = (javac, *quick, most, "-nowarn", "-encoding", "UTF-8", "-d", ".")
        folder = compiled((*words, *files), files, limits)
        heap = (
            f"-Xmx{limits.memory >> 21}m",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xshare:auto",
        )
        # Compile hot code once and in the foreground, so that times are steady.
        compiler = ("-XX:TieredStopAtLevel=1", "-Xbatch")
        opened = [
            word for each in OPENED for word in ("--add-opens", f"java.base/{each}=ALL-UNNAMED")
        ]
        outer = convention.owner.partition(".")[0] + "$" if not driver else ""
        where = package.removeprefix("package").strip(" ;").replace(" ", "")
        main = f"{where}.{outer}NoughtsDriver".removeprefix(".")
        run = (java, *heap, *compiler, *opened, "-cp", folder.name, main)
        reads = (Path(folder.name), Path(java).resolve().parents[1])
        return Program(path, candidate, self.name, run, reads, limits, kept=folder)
