"""``noughts brain``: noughts as an engine of the Gomocup protocol."""

import sys
from functools import partial

import click

from noughts.engines.brain import converse


@click.command()
def brain() -> None:
    """Run noughts as an engine that speaks the Gomocup protocol.

    A manager starts this command, writes protocol commands to its standard input and reads the
    answers from its standard output.
    """
    converse(sys.stdin.fileno(), partial(print, flush=True))
