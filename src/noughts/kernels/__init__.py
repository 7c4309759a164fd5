"""Everything compiled, and only that: Cython in pure-Python mode."""
