"""The commands; ``noughts`` on the command line runs `main`."""

import os
import sys

from noughts.extras import missing
from noughts.system import interrupts_held_back, let_interrupts_in


def main() -> None:
    """Run the command that the process was started with, and exit."""
    try:
        with interrupts_held_back():
            import atexit
            import gc

            from noughts.cli.app import application

            _prepare_streams()
            # Start-up creates no garbage, and collecting it would take a tenth of its time.
            gc.set_threshold(50_000)
            atexit.register(gc.freeze)
        let_interrupts_in()
        application()
    except KeyboardInterrupt:
        sys.exit(130)  # as the shell reports SIGINT
    except ModuleNotFoundError as error:
        if error.name not in {"click", "rich"}:
            raise
        sys.exit(f"noughts: {missing('the command line', 'Click and Rich', 'cli')}")


def _prepare_streams() -> None:
    from io import TextIOWrapper

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed when the process started
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without × or · shows ?
