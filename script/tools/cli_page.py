"""Write docs/cli.md from the commands' own help: ``.venv/bin/python -m script.tools.cli_page``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from pathlib import Path

import click

from noughts.cli.app import USES, application
from noughts.game.names import GAMES, rules_text
from noughts.game.rules import Rules

FILE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"
INTRODUCTION = """\
# Commands

This page contains the text of `noughts COMMAND --help` for every command, with examples. In a
clone, run the commands with `script/noughts`, which sets up what they need. Where the package is
installed with its extra `cli`, run them as `noughts`.

Your shell can complete commands, options, rules, levels and files. For Bash, add this line to
`~/.bashrc`; for Zsh, replace `bash_source` with `zsh_source` and add
the line to `~/.zshrc`:

```
eval "$(_NOUGHTS_COMPLETE=bash_source noughts)"
```

For Fish, write `_NOUGHTS_COMPLETE=fish_source noughts | source` to
`~/.config/fish/completions/noughts.fish`. `script/tools/man` generates manual pages.
[Rules and games](game.md) explains the variants, and [Records](records.md) the formats of files.
"""

COMMON = {
    "Rules": [
        ("3x3, 3", "Three in a row on 3×3, the default."),
        *((name, f"{rules_text(Rules.parse(name))}.") for name in GAMES.values()),
        ("mnk(15,15,5)", "An m,n,k-game: 15×15, 5 in a row."),
        ("15x15,k=5,players=3", "Five in a row on 15×15 for three players."),
        ("3x3,early-draw", "A game is a draw as soon as neither player can win."),
        ("renju,20x20", "Renju on 20×20: a size after the name overrides the default size."),
        ("8x8,k=4,variant=caro", "Any board under the rules of a variant."),
    ],
    "Files": [
        ("FILE", "Records in any format, recognized by their content; - reads standard input."),
        (
            "--out FILE",
            "The file is replaced only when the output is complete; output to pipes and devices is"
            " written directly. A file that the command reads, or that is neither text nor"
            " Parquet, is never replaced.",
        ),
    ],
    "Exit status": [
        ("0", "The command succeeded, or `serve` was stopped with Ctrl-C."),
        ("1", "A game, solution or proof is wrong or unreadable, or a limit was reached."),
        ("2", "The options are wrong, a file cannot be read or a library is missing."),
        ("130", "The command was stopped with Ctrl-C."),
        ("141", "The process that read the output closed the pipe."),
    ],
}
EXAMPLES = {
    "play": [
        "noughts play --rules connect-four",
        "noughts play --opponent computer --first computer",
    ],
    "serve": [
        "noughts serve --host 0.0.0.0 --port 80 --workers 4 \\",
        "    --database-url postgresql+psycopg://noughts@db/noughts",
    ],
    "migrate": ["noughts migrate --check sqlite:///noughts.db"],
    "join": ["noughts join 'http://127.0.0.1:8000/g/ID#INVITE' --engine ./pbrain-x --seconds 2"],
    "rules": ["noughts rules", "noughts rules renju"],
    "check": ["noughts check examples/solutions --require 'time=O(1)' --html class.html"],
    "trace": ["noughts trace examples/games.jsonl --id diagonal --referee tallies"],
    "judge": [
        "noughts judge examples/games.jsonl --out verdicts.parquet",
        "noughts judge --rules renju games/*.sgf",
        "noughts judge --scheduler tcp://host:8786 'data/*.parquet' --out verdicts/",
    ],
    "convert": [
        "noughts convert --rules renju games/*.sgf games.parquet",
        "noughts convert --to psq games.parquet records/",
    ],
    "show": ["noughts show examples/games.jsonl --id diagonal --svg --out diagonal.svg"],
    "analyse": ["noughts analyse examples/games.jsonl --id unfinished --seconds 5"],
    "export": ["noughts export | noughts judge"],
    "match": [
        "noughts match strong medium --games 20 --seed 1",
        "noughts match --rules gomoku strong mine=./pbrain-x --sprt 0,10 --out games.jsonl",
    ],
    "solve": [
        "noughts solve --rules 6x5,k=4",
        "noughts solve --rules connect-four 4453",
    ],
    "prove": [
        "noughts prove --rules 7x6,k=5 --out proof.jsonl",
        "noughts prove --check proof.jsonl",
    ],
    "perft": ["noughts perft --rules connect-four --depth 7"],
}


def page() -> str:
    """Return the page: an introduction, common topics, and a section for each command."""
    parts = [INTRODUCTION, *_overview(application)]
    for topic, rows in COMMON.items():
        parts += [f"## {topic}\n", _table(rows)]
    for name in application.commands:
        parts += _section(application, name)
    return "\n".join(parts)


def _overview(group: click.Group) -> Iterator[str]:
    """Yield a table of the commands for each purpose."""
    rows = [
        f"| {use} | [`{name}`](#{name}) | {_text(group.commands[name].get_short_help_str(200))} |\n"
        for use, names in USES.items()
        for name in names
    ]
    yield "| | command | |\n|---|---|---|\n" + "".join(rows)


def _section(group: click.Group, name: str) -> Iterator[str]:
    """Yield a command's section: usage, help, arguments and options, examples."""
    command = group.commands[name]
    context = click.Context(
        command, info_name=f"noughts {name}", terminal_width=1000, **group.context_settings
    )
    yield f"## {name}\n"
    yield f"```\n{' '.join([context.command_path, *command.collect_usage_pieces(context)])}\n```\n"
    yield _paragraphs(command.help or "")
    records = [parameter.get_help_record(context) for parameter in command.params]
    if records:
        yield _table(record for record in records if record is not None)
    if name in EXAMPLES:
        yield "\n".join(["```", *EXAMPLES[name], "```", ""])


def _paragraphs(text: str) -> str:
    """Return a help text as Markdown."""
    paragraphs = re.split(r"\n\s*\n", cleandoc(text))
    joined = [
        f"```\n{_unmarked(each)}\n```" if each.startswith("\b") else _text(" ".join(each.split()))
        for each in paragraphs
    ]
    return "\n\n".join(joined).replace("\n\n- ", "\n- ").replace("\n- ", "\n\n- ", 1) + "\n"


def _unmarked(text: str) -> str:
    """Return a preformatted text without click's mark."""
    return cleandoc(text.replace("\b\n", "").replace("\b", "")).strip()


def _text(text: str) -> str:
    """Return a sentence of help as Markdown, with options as code."""
    parts = text.split("`")
    for i in range(0, len(parts), 2):  # outside code
        parts[i] = re.sub(r"([*_<|])", r"\\\1", parts[i])
        parts[i] = re.sub(r"(?<![\w-])(--?[a-z][\w-]*|NOUGHTS[\w\\]+)", _code, parts[i])
    return "`".join(parts)


def _code(found: re.Match[str]) -> str:
    return f"`{found[0]}`".replace("\\", "")


def _table(rows: Iterable[tuple[str, str]]) -> str:
    """Return a table of terms, their meanings and, in square brackets, what click adds."""
    lines = []
    for term, text in rows:
        sentence, _, added = text.removesuffix("]").partition("  [")
        added = re.sub(r"\(([^()]*)\)", r"\1", added)  # a default that is described in words
        note = f" ({_text(added)})" if added else ""
        lines.append(f"| `{term.replace('|', chr(92) + '|')}` | {_text(sentence)}{note} |")
    return "\n".join(["| | |", "|---|---|", *lines, ""])


if __name__ == "__main__":
    FILE.write_text(page(), "utf-8")
