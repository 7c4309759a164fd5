"""``noughts rules``: the games, variants and options that rules can have."""

from collections.abc import Iterator, Mapping

import click

from noughts.cli.board import Terminal, print_board
from noughts.cli.options import complete_game
from noughts.errors import InvalidRules
from noughts.game.game import Game
from noughts.game.names import GAMES, rules_text, rules_title
from noughts.game.rules import ALIASES, FLAGS, OPTIONS, VARIANTS, K, Option, Rules, Variant
from noughts.picture import cell_name, standing
from noughts.picture.text import FORBIDDEN

MAX_CELLS = 400  # of a board to draw as an example


@click.command()
@click.argument(
    "text",
    metavar="[RULES]",
    default="",
    shell_complete=complete_game,
    help="Rules to explain, or one of their options: for example renju, 9x9,k=4 or gravity.",
)
def rules(text: str) -> None:
    """List the games, variants and options, or explain one of them.

    For a game, the explanation gives its other names, says what wins and shows an example.
    """
    console = Terminal()
    if not text:
        console.print("\n".join(_listing()))
        return
    if option := _option(text):
        lines, game = [option.form, option.about], _position(option.example)
    else:
        try:
            explained = Rules.parse(text)
        except InvalidRules as error:
            raise click.BadParameter(str(error)) from None
        lines, game = [*_explanation(explained)], _example(explained)
    console.print("\n".join(lines))
    if game:
        console.print(f"\nExample: {rules_text(game.rules)}; {_state(game)}.\n")
        print_board(console, game)


def _listing() -> Iterator[str]:
    """Yield a heading and one line per game, variant and option."""
    yield "Games, by name; or a board such as 15x15"
    yield from _table({name: rules_text(Rules.parse(name)) for name in GAMES.values()})
    yield "\nVariants, as variant=NAME"
    yield from _table({name: _about(variant) for name, variant in VARIANTS.items()})
    yield "\nOptions, after commas"
    yield from _table({option.form: option.about for option in (K, *OPTIONS.values())})


def _table(rows: Mapping[str, str]) -> Iterator[str]:
    width = max(map(len, rows))
    for term, text in rows.items():
        yield f"  {term:<{width}}  {text}"


def _about(variant: Variant, k: int | str = "k") -> str:
    """Return what a variant's lines mean, and which games can have it."""
    needs = [
        f"{variant.players} players" if variant.players else "",
        f"a board of {variant.sides} dimensions" if variant.sides else "",
        f"k = {variant.k}" if variant.k else "",
        "no gravity" if not variant.falls else "",
    ]
    about = variant.about.format(k=k)
    *others, last = [need for need in needs if need] or [""]
    if not last:
        return about
    return f"{about} It needs {', '.join(others)}{' and ' if others else ''}{last}."


def _option(text: str) -> Option | None:
    """Return the option that this text names or gives a value, or None."""
    word = text.strip().lower().replace("-", "_").partition("=")[0]
    return K if word == "k" else OPTIONS.get(word)


def _explanation(rules: Rules) -> Iterator[str]:
    """Yield the lines that explain rules in words."""
    title, text = rules_title(rules), rules_text(rules)
    if title != text:
        yield title
    yield f"{text}, {rules.players} players"
    yield _about(VARIANTS[rules.variant], rules.k)
    yield from (OPTIONS[name].about for name in FLAGS.values() if getattr(rules, name))
    yield f"\nText   {rules}"
    if names := ALIASES.get(str(rules)):
        yield f"Names  {', '.join(names)}"


def _example(rules: Rules) -> Game | None:
    """Return a game that shows what wins, on the board of these rules if that is possible."""
    variant = VARIANTS[rules.variant]
    *layers, rows, cols = rules.shape if len(rules.shape) > 1 else (1, *rules.shape)
    fits = rules.k <= cols and rules.players <= rows and rules.cells <= MAX_CELLS
    if not fits or (variant.example and variant.name != "freestyle"):
        return _position(variant.example)
    game = Game(rules)
    plane = [0] * len(layers)
    if rules.gravity and layers:
        plane[0] = layers[0] - 1
    for ply in range(rules.players * (rules.k - 1) + 1):  # each player fills a row
        col, player = divmod(ply, rules.players)
        row = rows - 1 - player if rules.gravity and not layers else player
        game.play((*plane, row, col))
    return game


def _position(text: str) -> Game | None:
    return Game.from_text(text) if text else None


def _state(game: Game) -> str:
    """Return the state of the game in a few words, with a move that is a foul."""
    words = standing(game)
    if not game.forbidden:
        return words
    cell = min(game.forbidden)
    reason = str(game.why_illegal(cell)).partition(": ")[2]
    return f"{words}, and {FORBIDDEN} on {cell_name(cell)} is forbidden, as {reason}"
