"""The kernels of a GPU on the processor, for tests: the same source, compiled as C++.

A block's threads are threads of OpenMP, so that kernels share work as on a GPU.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from subprocess import PIPE
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from noughts.game.rules import Rules
from noughts.learning.devices import DEVICES, Cuda, Processor
from noughts.learning.kernels import Kernels

# Undefined behaviour ends the process.
OPTIONS = (
    "-x c++ -O1 -w -shared -fPIC -fopenmp -fsanitize=undefined -fsanitize-undefined-trap-on-error"
)
BEFORE = """
#include <omp.h>
struct Index { unsigned x; };
static thread_local Index threadIdx, blockIdx, blockDim;
#define __global__
#define __syncthreads() _Pragma("omp barrier")
"""
AFTER = """
extern "C" void launch(void (*kernel)(Call), const Call *call, unsigned threads)
{
    #pragma omp parallel num_threads(threads)
    for (unsigned block = 0; block * threads < call->count; block++) {
        threadIdx.x = omp_get_thread_num(), blockIdx.x = block, blockDim.x = threads;
        kernel(*call);
        #pragma omp barrier
    }
}
"""
FOLDER = TemporaryDirectory(prefix="noughts-kernels-")


def compiler() -> str | None:
    """Return the C++ compiler, or None if there is none with OpenMP."""
    found = shutil.which(os.environ.get("CXX", "c++"))
    command = [found or "", *OPTIONS.split(), "-o", f"{FOLDER.name}/probe", "-"]
    if not found or subprocess.run(command, input=BEFORE, text=True, stderr=PIPE).returncode:
        return None
    return found


COMPILER = compiler()
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler with OpenMP")


class Host(Processor):
    """Main memory, with games that the kernels play.

    Args:
        threads: of a block.
    """

    views = Cuda.views
    name = "host"

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    def address(self, array: Any) -> int:
        return int(array.ctypes.data)

    def compiled(self, source: str) -> Callable[[str, int, Any], None]:
        library = built(source)

        def run(name: str, count: int, call: Any) -> None:
            library.launch(library[name], ctypes.c_void_p(call.ctypes.data), self._threads)

        return run

    def games(self, rules: Rules, autoreset: int, threads: int, **arrays: Any) -> Any:
        return Kernels(self, rules, autoreset, **arrays)


@cache
def built(source: str) -> ctypes.CDLL:
    """Compile kernels for the processor."""
    assert COMPILER is not None
    library = Path(FOLDER.name) / f"{len([*Path(FOLDER.name).iterdir()])}.so"
    command = [COMPILER, *OPTIONS.split(), "-o", str(library), "-"]
    subprocess.run(command, input=BEFORE + source + AFTER, text=True, check=True)
    return ctypes.CDLL(str(library))


DEVICES["host"] = Host
DEVICES["blocks"] = partial(Host, 4)
