"""Names of rules for people, and their numbers in other programs."""

from noughts.errors import size
from noughts.game.rules import ALIASES, FLAGS, NAMED, OPTIONS, VARIANTS, Rules

TITLES = {
    "3x3": "Tic-tac-toe",
    "connect-four": "Connect Four",
    "3x3,variant=misere": "Misère tic-tac-toe",
    "4x4x4": "Qubic",
    "4x4x4,gravity": "Score Four",
} | {name: VARIANTS[rules.variant].title for name, rules in NAMED.items() if not rules.gravity}

GAMES = {text: text if text in NAMED else ALIASES[text][0] for text in (ALIASES | NAMED)}
"""The usual name of each game that has one, by the text of its rules."""

NAMES = (*GAMES.values(), *(name for names in ALIASES.values() for name in names))
"""All names that rules can start with, some of them twice."""

GOMOCUP_RULES = {
    name: variant.gomocup for name, variant in VARIANTS.items() if variant.gomocup is not None
}
"""The number of each variant in Gomocup's protocol and in records of its games."""


def rules_text(rules: Rules) -> str:
    """Describe the rules in a few words.

    >>> rules_text(Rules.connect_four())
    '6×7, 4 in a row, marks fall'
    """
    words = [size(rules.shape), f"{rules.k} in a row"]
    words += [OPTIONS[name].words for name in FLAGS.values() if getattr(rules, name)]
    words += [rules.variant] if rules.variant != "freestyle" else []
    return ", ".join(filter(None, words))


def rules_title(rules: Rules) -> str:
    """Return the game's usual name if it has one, else a description of its rules.

    >>> [rules_title(rules) for rules in [Rules(), Rules.gomoku("renju"), Rules((6, 6), 4)]]
    ['Tic-tac-toe', 'Renju', '6×6, 4 in a row']
    """
    return TITLES.get(str(rules)) or rules_text(rules)
