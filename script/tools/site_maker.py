"""Build a website of the documentation: ``script/docs``.

It contains docs/, README.md and CHANGELOG.md, a reference of every public package, generated from
docstrings, and the lesson with its checker, at learn/. Any server of files can serve it. Broken
links and public names without a docstring are errors. script/test runs the examples.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import griffe

from noughts.service.http.assets import PUBLIC_PYODIDE_URL
from script.tools.static_lesson import write_lesson

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
SOURCE, SITE = BUILD / "site-source", BUILD / "site"
CONFIG = """\
[project]
site_name = "noughts"
site_description = "A referee for k-in-a-row games."
docs_dir = "site-source"
site_dir = "site"
use_directory_urls = false
nav = [
  { "noughts" = "index.md" },
  { "Quickstarts" = "quickstarts.md" },
  { "Learn" = [ "referee.md", "check.md" ] },
  { "Program" = [
    "game.md", "records.md", "scaling.md", "learning.md", "opponent.md", "engines.md",
  ] },
  { "Play and serve" = [ "page.md", "server.md", "operating.md" ] },
  { "Look up" = [ "cli.md", "performance.md", "architecture.md", "changelog.md" ] },
  { "Reference" = [%s] },
]

[project.theme]
features = ["navigation.footer", "navigation.sections", "content.code.copy", "search.highlight"]
font = false
favicon = "images/favicon.svg"
logo = "images/favicon.svg"

[[project.theme.palette]]
media = "(prefers-color-scheme)"
toggle.icon = "lucide/sun-moon"
toggle.name = "Light"

[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"
toggle.icon = "lucide/sun"
toggle.name = "Dark"

[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"
toggle.icon = "lucide/moon"
toggle.name = "System"

[project.plugins.mkdocstrings.handlers.python]
paths = ["../src"]

[project.plugins.mkdocstrings.handlers.python.options]
extensions = ["doctests_as_code"]
members_order = "source"
show_root_heading = false
show_source = false
show_symbol_type_heading = true
show_symbol_type_toc = true
separate_signature = true
show_signature_annotations = true
signature_crossrefs = true
docstring_options = { warnings = false }  # for classes whose arguments `__new__` takes
filters = ["!^_"]
"""


def main() -> None:
    """Parse the arguments and build the site."""
    parser = argparse.ArgumentParser(
        prog="script/docs",
        description=__doc__.partition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--base",
        default="",
        metavar="PATH",
        help="path of the site on its server, such as /noughts",
    )
    parser.add_argument(
        "--pyodide",
        default=PUBLIC_PYODIDE_URL,
        metavar="URL",
        help="where the lesson's readers get Python from (default: %(default)s)",
    )
    given = parser.parse_args()
    packages = [*public_packages()]
    if bare := sorted(undocumented(packages)):
        sys.exit(f"noughts: public names without a docstring: {', '.join(bare)}")
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.rmtree(SITE, ignore_errors=True)
    write_pages()
    write_reference(packages)
    nav = ", ".join(f'"reference/{package.path}.md"' for package in packages)
    config = BUILD / "zensical.toml"
    config.write_text(CONFIG % nav, "utf-8")
    zensical = ["zensical", "build", "--clean", "--strict", "--config-file", str(config)]
    built = subprocess.run(zensical, env=os.environ | {"NO_COLOR": "1"}, check=False)
    if built.returncode:
        sys.exit(built.returncode)
    write_lesson(SITE, given.base.rstrip("/"), given.pyodide.rstrip("/") + "/")
    print(f"{SITE.relative_to(ROOT)}/index.html: {len([*SITE.rglob('*.html')])} pages")


def public_packages() -> Iterator[griffe.Module]:
    """Yield `noughts` and its packages that define `__all__`."""
    root = griffe.load("noughts", search_paths=[ROOT / "src"])
    yield root
    yield from (module for _, module in sorted(root.modules.items()) if module.exports is not None)


def undocumented(packages: list[griffe.Module]) -> Iterator[str]:
    """Yield public names without a docstring, including members of classes."""
    for package in packages:
        for name in package.exports or ():
            found = package[str(name)]
            found = found.final_target if found.is_alias else found
            members = found.members.values() if found.is_class else ()
            for each in (found, *(member for member in members if member.is_function)):
                if not (each.has_docstring or each.name.startswith("_")):
                    yield each.path


def write_pages() -> None:
    """Copy the pages, and the files outside docs/ that they link to."""
    shutil.copytree(ROOT / "docs", SOURCE, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copy(ROOT / "src" / "noughts" / "page" / "shared" / "favicon.svg", SOURCE / "images")
    for page in [*SOURCE.glob("*.md")]:
        page.write_text(relinked(page.read_text("utf-8"), ROOT / "docs"), "utf-8")
    for name in ("README.md", "CHANGELOG.md"):
        text = relinked((ROOT / name).read_text("utf-8"), ROOT)
        (SOURCE / place_of(ROOT / name)).write_text(text, "utf-8")


def relinked(text: str, folder: Path) -> str:
    """Adapt the links of a page in this folder to the site."""

    def target(match: re.Match[str]) -> str:
        before, link, after = match.groups()
        path, mark, anchor = link.partition("#")
        file = (folder / path).resolve()
        if ":" in link or not path or not file.exists():
            return match[0]
        return f"{before}{place_of(file)}{mark}{anchor}{after}"

    return re.sub(r"""(\]\(|(?:src|srcset|href)=")([^)"\s]+)([)"])""", target, text)


def place_of(file: Path) -> str:
    """Return the path of a file on the site; copy source files there."""
    at = file.relative_to(ROOT)
    if at.parts[0] == "docs":
        return at.relative_to("docs").as_posix()
    if at.name in ("README.md", "CHANGELOG.md"):
        return "index.md" if at.name == "README.md" else "changelog.md"
    if file.is_dir():
        return "architecture.md"  # the map of the code
    copy = SOURCE / "files" / at.parent / f"{at.name}.txt"
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, copy)
    return copy.relative_to(SOURCE).as_posix()


def write_reference(packages: list[griffe.Module]) -> None:
    """Write a page of public names for each package."""
    (SOURCE / "reference").mkdir()
    for package in packages:
        name, public = package.path, sorted(map(str, package.exports or ()))
        members = "".join(f"\n        - {each}" for each in public)
        text = f"# {name}\n\n::: {name}\n    options:\n      members:{members}\n"
        (SOURCE / "reference" / f"{name}.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
