"""``python -m noughts`` runs the command ``noughts``, for when that is not on the PATH."""

from noughts.cli import main

if __name__ == "__main__":  # worker processes import this module, too
    main()
