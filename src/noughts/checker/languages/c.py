"""C: the file is compiled between the headers that problem sites include and its driver."""

import json
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import compiled
from noughts.checker.languages.language import HERE, Language, Tool
from noughts.checker.problems.problem import Candidate
from noughts.checker.reading.convention import Call, Convention
from noughts.checker.sandbox import Limits

HEADERS = (
    *("assert", "ctype", "errno", "limits", "math", "stdbool", "stddef", "stdint", "stdio"),
    *("stdlib", "string", "time", "unistd"),
)


class C(Language):
    """C."""

    name = "C"
    key = "c"
    suffixes = (".c",)
    tools = (Tool(("cc", "gcc", "clang"), "gcc"),)
    template = "driver.c"
    walker = "bytes.h"
    method = "{name}({arguments})"
    field = "game->{name}"
    nothing = "NULL"
    member = "{member}"
    letters = ("char", "const char")

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Compile the file; see `Language.program`."""
        make = candidate.convention.make
        object = make.returns if make else "void *"
        driver = self.driver(candidate.convention, object=object)
        includes = "".join(f"#include <{name}.h>\n" for name in HEADERS)
        source = (
            f'#define _GNU_SOURCE\n{includes}#include "bytes.h"\n'
            "#define main solution_main\n"
            f'#line 1 {json.dumps(path.name)}\n{text}\n#line 1 "driver.c"\n#undef main\n{driver}'
        )
        words = (self.tool(), "-std=gnu17", "-O1", "-w", "-o", "solution", "solution.c", "-lm")
        files = {"solution.c": source, "bytes.h": (HERE / "walkers" / self.walker).read_text()}
        folder = compiled(words, files, limits)
        run, reads = [f"{folder.name}/solution"], [Path(folder.name)]
        return Program(path, candidate, self.name, run, reads, limits, kept=folder)

    def _filled(self, text: str, call: Call, convention: Convention) -> str:
        """Return a call; a method gets the object first."""
        written = super()._filled(text, call, convention)
        if text is self.method:
            written = written.replace("(", "(game, " if call.arguments else "(game", 1)
        return written
