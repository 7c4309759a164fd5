"""How the kernels are compiled: several at a time. All else stands in pyproject.toml."""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError


class BuildKernels(build_ext):
    """Compiles as many kernels at a time as there are processors."""

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
        ext.extra_compile_args.append("-g0")  # symbols for debuggers take a fifth of the time
        super().build_extension(ext)


setup(cmdclass={"build_ext": BuildKernels})
