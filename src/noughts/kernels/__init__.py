"""Everything compiled, and only that: Cython in pure-Python mode, built where a C compiler is.

Where a kernel could not be compiled, `position` and `search` run as plain Python, and importing any
other raises ImportError, since its caller then has something better. Kernels import nothing of ours
but `noughts.errors`.
"""
