"""How people write rules: a name, or a board and what is special about it.

The names are ``connect-four``, ``gomoku`` and those of variants; all but the first mean five in a
row on 15×15. ``15x15,k=5,players=3,gravity,variant=caro,early-draw`` spells rules out, and
``renju,20x20`` does both. ``5`` alone is 5×5, and ``7x`` is a board of one side.
"""

import re
from typing import Any

from noughts.errors import InvalidRules, did_you_mean, short_repr, size
from noughts.game.rules import OPTIONS, VARIANTS, Rules

NAMED = {"connect-four": Rules.connect_four(), "gomoku": Rules.gomoku()} | {
    name: Rules.gomoku(name)
    for name, variant in VARIANTS.items()
    if name != "freestyle"
    and variant.k in (None, 5)
    and {variant.players, variant.sides} <= {None, 2}
}
"""The rules that have a name: Connect Four, and five in a row on 15×15 by every variant of it."""

TITLES = {"connect-four": "Connect Four"} | {
    name: VARIANTS[rules.variant].title for name, rules in NAMED.items() if not rules.gravity
}

GOMOCUP_RULES = {
    name: variant.gomocup for name, variant in VARIANTS.items() if variant.gomocup is not None
}
"""The number of each variant in Gomocup's protocol and in records of its games."""

FLAGS = {name.replace("_", "-"): name for name, option in OPTIONS.items() if option.usual is False}


def rules_name(rules: Rules) -> str:
    """How rules are written; `read_rules` reads it.

    >>> [rules_name(rules) for rules in [Rules(), Rules.gomoku("caro"), Rules((4, 5), 3, 3)]]
    ['3x3', 'caro', '4x5,k=3,players=3']
    """
    for name, named in NAMED.items():
        if rules == named:
            return name
    shape = rules.shape
    items = ["x".join(map(str, shape)) + ("x" if len(shape) == 1 else "")]
    items += [] if shape == (rules.k,) * len(shape) else [f"k={rules.k}"]
    items += [f"players={rules.players}"] if rules.players != 2 else []
    items += [word for word, field in FLAGS.items() if getattr(rules, field)]
    items += [f"variant={rules.variant}"] if rules.variant != "freestyle" else []
    return ",".join(items)


def rules_text(rules: Rules) -> str:
    """What is played, in a few words.

    >>> rules_text(Rules.connect_four())
    '6×7, 4 in a row, marks fall'
    """
    words = [size(rules.shape), f"{rules.k} in a row"]
    words += [OPTIONS[name].words for name in FLAGS.values() if getattr(rules, name)]
    words += [rules.variant] if rules.variant != "freestyle" else []
    return ", ".join(filter(None, words))


def rules_title(rules: Rules) -> str:
    """What people call a game if it has a name; otherwise what is played.

    >>> [rules_title(rules) for rules in [Rules(), Rules.gomoku("renju"), Rules((6, 6), 4)]]
    ['Tic-tac-toe', 'Renju', '6×6, 4 in a row']
    """
    if rules == Rules():
        return "Tic-tac-toe"
    return TITLES.get(rules_name(rules)) or rules_text(rules)


def read_rules(text: str) -> Rules:
    """The rules that a person wrote.

    Raises:
        InvalidRules: the text does not describe rules, or they make no sense.

    >>> read_rules("renju") == Rules.gomoku("renju")
    True
    >>> read_rules("4x5,k=3,gravity")
    Rules(shape=(4, 5), k=3, players=2, early_draw=False, gravity=True)
    """
    fields: dict[str, Any] = {}
    named = text.split(",")[0].strip().lower() in NAMED
    for place, item in enumerate(text.lower().replace("×", "x").split(",")):
        word = item.strip()
        number = re.fullmatch(r"(k|players)=([0-9]{1,18})", word)
        if word in NAMED and not place:
            rules = NAMED[word]
            fields |= {name: getattr(rules, name) for name in ("shape", "k", "gravity", "variant")}
        elif place <= named and re.fullmatch(r"[0-9]{1,18}(x[0-9]{1,18})*x?", word):
            sides = tuple(map(int, word.rstrip("x").split("x")))
            fields["shape"] = sides * 2 if word.isdigit() else sides
        elif number:
            fields[number[1]] = int(number[2])
        elif word in FLAGS:
            fields[FLAGS[word]] = True
        elif word.startswith("variant="):
            fields["variant"] = word.removeprefix("variant=")
        else:
            raise InvalidRules(
                f"{short_repr(word)} is not a rule: write {', '.join(NAMED)}, or a board such as 15x15, "
                "and k=5, players=3, gravity, variant=caro or early-draw after commas"
                + did_you_mean(word, [*NAMED, *FLAGS])
            )
    return Rules(**fields)
