"""How the compiled modules are built: several at a time. All else stands in pyproject.toml."""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError


class BuildModules(build_ext):
    """Compiles as many modules at a time as there are processors."""

    def build_extensions(self) -> None:
        """Compile all; set here, since an editable install forgets options of pyproject.toml."""
        self.parallel = self.parallel or os.cpu_count()
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """Translate in a process of its own, since Cython is not made for threads."""
        for source in ext.sources:
            try:
                subprocess.run([sys.executable, "-m", "cython", source], check=True)
            except subprocess.CalledProcessError as error:
                raise CompileError(str(error)) from error  # which leaves out what is optional
        ext.sources = [str(Path(source).with_suffix(".c")) for source in ext.sources]
        super().build_extension(ext)


def module(source: Path) -> Extension:
    """The module of this source. Where there is no C compiler the install succeeds without it."""
    name = ".".join(source.relative_to("src").with_suffix("").parts)
    # Symbols for debuggers (-g) would take a fifth of the time.
    return Extension(name, [str(source)], extra_compile_args=["-O3", "-g0"], optional=True)


setup(
    cmdclass={"build_ext": BuildModules},
    ext_modules=[module(source) for source in sorted(Path("src").rglob("*.pyx"))],
)
