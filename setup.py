"""How the kernels are compiled: several at a time. All else stands in pyproject.toml."""

import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class BuildKernels(build_ext):
    """Compiles kernels in threads, as many at a time as pyproject.toml says."""

    def build_extension(self, ext: Extension) -> None:
        """Translate in a process of its own, since Cython is not made for threads."""
        for source in ext.sources:
            subprocess.run([sys.executable, "-m", "cython", source], check=True)
        ext.sources = [str(Path(source).with_suffix(".c")) for source in ext.sources]
        ext.extra_compile_args.append("-g0")  # symbols for debuggers take a fifth of the time
        super().build_extension(ext)


setup(cmdclass={"build_ext": BuildKernels})
