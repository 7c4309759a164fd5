"""The commands; `main` is what ``noughts`` on the command line runs."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command that the process was started with, and exit."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started the process
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without × or · shows ? for them
    gc.set_threshold(50_000)  # starting up makes many objects, and no command much garbage
    atexit.register(gc.freeze)  # nor does the end need to look through them all
    try:
        from noughts.cli.app import COMMANDS, application

        asked = [name for name in sys.argv[1:2] if name in COMMANDS]
        application(asked or COMMANDS)()  # what the other commands import takes its time
    except KeyboardInterrupt:
        sys.exit(130)  # as the shell reports SIGINT
    except ModuleNotFoundError as error:
        if error.name not in {"click", "rich"}:
            raise
        sys.exit('noughts: the commands need Click and Rich: pip install "noughts[cli]"')
