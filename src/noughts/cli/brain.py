"""``noughts brain``: noughts as an engine for any manager of the Gomocup protocol."""

import sys
from functools import partial

import click

from noughts.engines.conversation import converse


@click.command()
def brain() -> None:
    """Play as an engine of the Gomocup protocol.

    A manager starts it, writes commands to its standard input and reads its standard output.
    """
    converse(sys.stdin.fileno(), partial(print, flush=True))
