"""Java: the file is compiled unchanged, and a harness finds its class by reflection."""

import re
from dataclasses import replace
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import compiled, tool
from noughts.checker.sandbox import Limits

LANGUAGE = "Java"
HARNESS = Path(__file__).with_name("Harness.java")
IMPORTS = "".join(f"import java.util{part}.*;" for part in ("", ".function", ".stream"))
TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[{}]|'
    r"\bpublic\s+(?:(?:final|abstract|strictfp)\s+)*(?:class|interface|enum|record)\s+(\w+)",
    re.DOTALL,
)
PACKAGE = re.compile(r"^\s*package\s+[\w.\s]+;", re.MULTILINE)


def program(path: Path, name: str | None, limits: Limits) -> Program:
    """Compile the file; see `noughts.checker.languages.open_solution`."""
    javac, java = tool("javac", "Java"), tool("java", "Java")
    source = path.read_text(errors="replace").removeprefix("\ufeff")
    start = found.end() if (found := PACKAGE.search(source)) else 0
    # The imports of problem sites go on the same line, so that line numbers stay correct.
    files = {f"{_public(source)}.java": source[:start] + IMPORTS + source[start:]}
    limits = replace(limits, addresses=None)  # the JVM reserves far more than it uses
    quick = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-proc:none")  # start faster
    most = f"-J-Xmx{limits.memory >> 21}m"
    words = (javac, *quick, most, "-nowarn", "-encoding", "UTF-8", "-d", ".")
    folder = compiled(words, files, [HARNESS], limits)
    heap = (f"-Xmx{limits.memory >> 21}m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto")
    # Compile hot code once and in the foreground, so that times are steady.
    compiler = ("-XX:TieredStopAtLevel=1", "-Xbatch")
    run = (java, *heap, *compiler, "-cp", folder.name, "Harness")
    reads = (Path(folder.name), Path(java).resolve().parents[1])
    return Program(path, name, LANGUAGE, (*run, folder.name), reads, limits, kept=folder)


def _public(source: str) -> str:
    """Return the name of the top-level public class, which its file must have."""
    depth = 0
    for token in TOKENS.finditer(source):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0 and token[1]:
            return token[1]
    return "Solution"
