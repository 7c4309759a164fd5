"""``python -m noughts``: the same as ``noughts``, wherever that is not on the PATH."""

from noughts.cli import main

if __name__ == "__main__":  # a process of a pool imports this module too
    main()
