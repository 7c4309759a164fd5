"""Everything compiled, and only that: Cython in pure-Python mode, built where a C compiler is.

Kernels import nothing of ours but `noughts.errors`.
"""
