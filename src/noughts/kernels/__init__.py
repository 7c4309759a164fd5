"""Everything compiled, and only that: Cython in pure-Python mode, built where a C compiler is.

Where a kernel could not be compiled, importing it raises ImportError: Python would run it, but
slower than what its caller has instead. Kernels import nothing of ours but `noughts.errors`.
"""
