"""Everything compiled, and only that: Cython in pure-Python mode.

Where a kernel could not be compiled, importing it raises ImportError and its caller does without.
"""
