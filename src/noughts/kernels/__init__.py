"""Everything compiled, and only that: Cython in pure-Python mode, built where a C compiler is.

Each module here is the quick twin of a pure one, which serves in its place where it is missing
and is its oracle in the tests. Uncompiled, a kernel refuses to be imported: Python would run it,
but slower than its pure twin. Kernels import nothing of ours but `noughts.errors`.
"""
