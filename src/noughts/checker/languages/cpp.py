"""C++: the file is compiled between the headers that problem sites include and its driver."""

import json
import re
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import compiled
from noughts.checker.languages.language import HERE, Language, Tool
from noughts.checker.problems.problem import Candidate
from noughts.checker.sandbox import Limits

MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
FILES = ("walkers/bytes.h", "drivers/channel.hpp")


class Cpp(Language):
    """C++."""

    name = "C++"
    key = "cpp"
    suffixes = (".cpp", ".cc", ".cxx")
    tools = (Tool(("c++", "g++", "clang++"), "g++"),)
    template = "driver.cpp"
    new = "std::make_shared<{owner}>({arguments})"
    factory = "std::make_shared<{owner}>({owner}::{name}({arguments}))"
    static = "{owner}::{name}({arguments})"
    nothing = "std::make_shared<int>()"
    member = "{enum}::{member}"
    letters = ("char", "const char")
    pairs = dict.fromkeys(("pair<int, int>", "std::pair<int, int>"), "{row, col}")
    pairs |= dict.fromkeys(("vector<int>", "std::vector<int>"), "std::vector<int>{row, col}")
    wholes = dict.fromkeys(
        (f"moves {prefix}vector<{prefix}vector<int>>{amp}" for prefix in ("", "std::")
         for amp in ("", "&", " &")),
        "cells",
    )  # fmt: skip

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Compile the file; see `Language.program`."""
        convention = candidate.convention
        object = convention.owner if convention.make else "int"
        driver = self.driver(convention, object=object)
        macros = sorted({*MACRO.findall(text), "main"})
        restored = "".join(f"#undef {name}\n" for name in macros)
        source = (
            '#include <bits/stdc++.h>\n#include <unistd.h>\n#include "bytes.h"\n'
            '#include "channel.hpp"\nusing namespace std;\n#define main solution_main\n'
            f'#line 1 {json.dumps(path.name)}\n{text}\n#line 1 "driver.cpp"\n{restored}{driver}'
        )
        flags = ("-std=gnu++17", "-O1", "-w", "-fno-access-control", "-D_GLIBCXX_ASSERTIONS")
        files = {Path(name).name: (HERE / name).read_text() for name in FILES}
        files["solution.cpp"] = source
        folder = compiled((self.tool(), *flags, "-o", "solution", "solution.cpp"), files, limits)
        run, reads = [f"{folder.name}/solution"], [Path(folder.name)]
        return Program(path, candidate, self.name, run, reads, limits, kept=folder)
