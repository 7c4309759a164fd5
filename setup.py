"""How the compiled modules are built: several at a time. All else stands in pyproject.toml."""

import os
from pathlib import Path
from threading import Lock

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class BuildModules(build_ext):
    """Compiles as many modules at a time as there are processors."""

    translating = Lock()  # Cython is not made for threads; the others compile meanwhile

    def build_extensions(self) -> None:
        """Compile all; set here, since an editable install forgets options of pyproject.toml."""
        self.parallel = self.parallel or os.cpu_count()
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """Translate to C, then compile."""
        with self.translating:
            [translated] = cythonize([ext], quiet=True)
        ext.sources = translated.sources
        super().build_extension(ext)


def module(source: Path) -> Extension:
    """The module of this source. Where there is no C compiler the install succeeds without it."""
    name = ".".join(source.relative_to("src").with_suffix("").parts)
    # What searches is as fast without -O3, and compiled sooner. So it is without -g.
    level = "-O2" if "opponent" in source.parts else "-O3"
    # Aligned functions, so that a change elsewhere does not slow one down: 4% of `Game.play`.
    flags = [level, "-g0", "-falign-functions=32"]
    headers = [str(header) for header in sorted(source.parent.glob("*.h"))]
    return Extension(name, [str(source)], depends=headers, extra_compile_args=flags, optional=True)


# The smallest is translated soonest, so that compiling starts at once. Then the largest
# come first, so that no processor is idle at the end.
smallest, *others = sorted(Path("src").rglob("_*.pyx"), key=lambda source: source.stat().st_size)
setup(
    cmdclass={"build_ext": BuildModules},
    ext_modules=[module(source) for source in (smallest, *reversed(others))],
)
