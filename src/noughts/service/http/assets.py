"""The files of the page, read once and compressed for clients that accept it.

Some are generated: descriptions from Python as constants for scripts, archives of the source, and
parts of HTML. Pyodide, which is Python for the browser, is served from a folder or a public server.
"""

import gzip
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from importlib.metadata import distribution
from io import BytesIO
from itertools import product
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from starlette.requests import Request

from noughts.errors import NoughtsError
from noughts.game.names import TITLES
from noughts.game.outcome import Termination
from noughts.game.rules import Rules, Variant
from noughts.opponent import LEVELS
from noughts.picture import THEMES
from noughts.service.http.middleware import POLICY
from noughts.service.http.models import MAX_NAME, MAX_SIDE, PLAYED, most
from noughts.service.http.responses import Headers, Response
from noughts.service.play.api_errors import ERROR_CODES, FOULS
from noughts.service.play.events import KINDS, REACTIONS

PACKAGE = Path(__file__).parents[2]
PAGE = PACKAGE / "page"
DEFAULT_LEVEL = "easy"  # on the start page


class Preset(NamedTuple):
    """A button of the start page.

    Attributes:
        title: its label.
        rules: the rules that it chooses, as JSON.
        pressed: whether they are the rules that the page starts with, as the attribute's value.
    """

    title: str
    rules: str
    pressed: str


def _preset(title: str, text: str) -> Preset:
    rules = Rules.parse(text)
    fields = {name: getattr(rules, name) for name in ("shape", "k", "gravity", "variant")}
    return Preset(title, json.dumps(fields), json.dumps(rules == Rules()))


PRESETS = {
    text: _preset(title, text)
    for text, title in {
        "3x3": TITLES["3x3"],
        "6x6,k=4": "Four on 6×6",
        "connect-four": TITLES["connect-four"],
        "gomoku": TITLES["gomoku"],
        f"{MAX_SIDE}x{MAX_SIDE},k=5": "Large",
    }.items()
}
TABLES: dict[str, Mapping[str, Any]] = {
    "PRESETS": PRESETS,
    "VARIANTS": PLAYED,
    "LEVELS": LEVELS,
    "THEMES": THEMES,
    "EVENTS": KINDS,
    "ERRORS": ERROR_CODES,
}
VARIANT_FIELDS = "aim", "about", "loses", "fouls", "k", "falls"  # fields that are sent unchanged
# Of all entries of a table, or of one.
TEMPLATE = re.compile(rf"<!-- ({'|'.join(TABLES)})(?:\.(\w+))?: (.*?) -->")


def client_constants() -> dict[str, Any]:
    """Return the constants of the page's scripts, by the names under which they import them."""
    return {
        "VARIANTS": {name: _variant(variant) for name, variant in PLAYED.items()},
        "LEVELS": _fields(LEVELS, "title", "about", "searches"),
        "THEMES": _fields(THEMES, "title"),
        "EVENTS": _fields(KINDS, "said", "own", "drawn", "fills", "status"),
        "TERMINATIONS": {end.value: {"words": end.words, "own": end.own} for end in Termination},
        "ERRORS": {code: reason.said for code, reason in ERROR_CODES.items() if reason.said},
        "FOULS": FOULS,
        "REACTIONS": REACTIONS,
        "LIMITS": {"side": MAX_SIDE, "name": MAX_NAME},
        "LANGUAGES": ["en", *sorted(path.stem for path in (PAGE / "languages").glob("*.js"))],
    }


def constants_module() -> bytes:
    """Return the constants as a JavaScript module."""
    texts = {
        name: json.dumps(value, ensure_ascii=False) for name, value in client_constants().items()
    }
    return "".join(f"export const {name} = {text};\n" for name, text in texts.items()).encode()


def filled(page: str) -> str:
    """Expand the templates in the comments of an HTML page, for each entry of their tables.

    >>> filled("<!-- LEVELS.easy: <b>{title}</b> -->")
    '<b>Easy</b>'
    """
    page = TEMPLATE.sub(lambda part: "\n".join(_entries(*part.groups())), page)
    return page.replace("{k}", "3")  # the start page starts with tic-tac-toe


def _entries(table: str, wanted: str | None, template: str) -> Iterator[str]:
    for key, entry in TABLES[table].items():
        if wanted in (None, key):
            texts = {field: escape(str(value)) for field, value in entry._asdict().items()}
            checked = " checked" if key == DEFAULT_LEVEL else ""
            yield template.format(key=key, checked=checked, **texts)


def _fields(table: Mapping[str, Any], *names: str) -> dict[str, dict[str, Any]]:
    """Return these fields of every entry of a table, without those that are None or false."""
    fields = {key: {name: getattr(entry, name) for name in names} for key, entry in table.items()}
    return {
        key: {name: value for name, value in entry.items() if value not in (None, False)}
        for key, entry in fields.items()
    }


def _variant(variant: Variant) -> dict[str, Any]:
    """Return the fields of a variant, with the games that its lines end.

    `decides` holds for seats 1 and 2 whether a line ends the game in nine cases: the cells before
    and after it are empty, of the same player or of the other, in that order.
    """
    about = {name: getattr(variant, name) for name in VARIANT_FIELDS}
    ends = {seat: product((0, seat, 3 - seat), repeat=2) for seat in (1, 2)}
    return about | {
        "counts": variant.counts is not None,
        "most": most(variant.name),
        "decides": [
            "".join(str(int(variant.decides(seat, *pair))) for pair in ends[seat]) for seat in ends
        ],
    }


SOURCE_SUFFIXES = {".py", ".pyx", ".pxd", ".typed", ".book", ".scm"}
LANGUAGES = PACKAGE / "checker" / "languages"  # its folders have files in many languages
CHECKER_MODULES = (
    *(
        "__init__",
        "errors",
        "exports",
        "extras",
        "system",
        "compiled",
        "arguments",
        "game",
        "referee",
        "picture",
    ),
    "checker",
)
JAVASCRIPT_PARTS = (  # which the checker needs for it in a browser
    *("languages/drivers/driver.js", "languages/walkers/bytes.js", "languages/walkers/state.js"),
    "reading/queries/javascript.scm",
)
TIMESTAMP = 1980, 1, 1, 0, 0, 0  # the earliest in a ZIP archive: its bytes are reproducible


@cache
def source_archive(page: Collection[str]) -> bytes:
    """Return the package as a ZIP archive, with its licence and page files of these suffixes."""
    suffixes = {*SOURCE_SUFFIXES, *page}
    paths = [path for path in PACKAGE.rglob("*") if path.suffix in suffixes]
    paths += [path for path in LANGUAGES.glob("*/*.*") if path.suffix not in (*suffixes, ".pyc")]
    return _zipped(paths, LICENSE=(distribution("noughts").read_text("licenses/LICENSE") or ""))


def checker_archive() -> bytes:
    """Return the checker, and the modules that it needs, as a ZIP archive of about 220 KB."""
    paths = [PACKAGE / f"{module}.py" for module in CHECKER_MODULES]
    paths += [PACKAGE / "checker" / part for part in JAVASCRIPT_PARTS]
    for module in CHECKER_MODULES:
        paths += (PACKAGE / module).glob("**/*.py")
    return _zipped(filter(Path.is_file, paths))


def _zipped(paths: Iterable[Path], **more: str) -> bytes:
    files = {f"noughts/{path.relative_to(PACKAGE).as_posix()}": path for path in paths}
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as written:
        for name, path in sorted(files.items()):
            written.writestr(ZipInfo(name, TIMESTAMP), path.read_bytes(), ZIP_DEFLATED)
        for name, text in more.items():
            written.writestr(ZipInfo(name, TIMESTAMP), text, ZIP_DEFLATED)
    return packed.getvalue()


PYODIDE_VERSION = "314.0.7"
PYODIDE_ROOT = "/page/pyodide/"
PYODIDE_URL = f"{PYODIDE_ROOT}{PYODIDE_VERSION}/"
PUBLIC_PYODIDE_URL = f"https://cdn.jsdelivr.net/npm/pyodide@{PYODIDE_VERSION}/"
PYODIDE_FILES = {
    "pyodide.mjs": b"text/javascript; charset=utf-8",
    "pyodide.asm.mjs": b"text/javascript; charset=utf-8",
    "pyodide.asm.wasm": b"application/wasm",
    "python_stdlib.zip": b"application/zip",
    "pyodide-lock.json": b"application/json",
}
PYODIDE_HEADERS: Headers = (
    (b"cache-control", b"public, max-age=31536000, immutable"),  # its URL contains the version
    (b"vary", b"Accept-Encoding"),
)
GZIP = b"content-encoding", b"gzip"


class NoPyodideError(NoughtsError):
    """The folder does not contain this version of Pyodide."""


class Pyodide:
    """The files of Pyodide in a folder, by default the folder of ``script/pyodide``.

    Attributes:
        url: Where browsers find the files: this server, or a public one if they are not here.
        policy: The content policy of the script that loads them.

    Raises:
        NoPyodideError: They are not in the given folder.
    """

    def __init__(self, folder: str = "") -> None:
        self._folder = Path(folder) if folder else installed_pyodide()
        is_here = _pyodide_version(self._folder) == PYODIDE_VERSION
        if folder and not is_here:
            raise NoPyodideError(
                f"{folder} does not contain the files of Pyodide {PYODIDE_VERSION}"
            )
        self.url = PYODIDE_URL if is_here else PUBLIC_PYODIDE_URL
        elsewhere = "" if is_here else f" {PUBLIC_PYODIDE_URL}"
        policy = POLICY.replace("connect-src", f"connect-src{elsewhere}")
        self.policy = policy.replace("script-src", f"script-src 'wasm-unsafe-eval'{elsewhere}")
        self._read = cache(self._file)

    def response(self, version: str, name: str, gzipped: bool) -> Response:
        """Return a file, gzipped if possible and wanted. Raises KeyError if it does not exist."""
        if version != PYODIDE_VERSION or self.url != PYODIDE_URL:
            raise KeyError(version)
        media_type = PYODIDE_FILES[name]
        if gzipped and (body := self._read(f"{name}.gz")):
            return Response(body, media_type, headers=(*PYODIDE_HEADERS, GZIP))
        return Response(self._read(name) or b"", media_type, headers=PYODIDE_HEADERS)

    def _file(self, name: str) -> bytes | None:
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:  # compressed files are optional
            return None


def installed_pyodide() -> Path:
    """Return the folder of ``script/pyodide``."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(data, "noughts", f"pyodide-{PYODIDE_VERSION}")


def _pyodide_version(folder: Path) -> str:
    """Return the version in a folder, or nothing if a file is missing."""
    try:
        package = json.loads((folder / "package.json").read_text())
    except (OSError, ValueError):
        return ""
    complete = all((folder / name).is_file() for name in PYODIDE_FILES)
    return str(package["version"]) if complete else ""


PAGE_URL = "/page"
WORKER = f"{PAGE_URL}/shared/worker.js"
DOCS = f"{PAGE_URL}/docs/docs.html"
CONSTANTS = f"{PAGE_URL}/shared/client_constants.js"  # generated when the server starts
CHECKER = f"{PAGE_URL}/learn/checker.zip"  # generated, too
PYTHON = f"{PAGE_URL}/learn/python.js"
EDITOR = f"{PAGE_URL}/learn/codemirror.js"
JAVASCRIPT = f"{PAGE_URL}/learn/javascript"
JAVASCRIPT_FILES = {f"{JAVASCRIPT}/{name}" for name in (
    *("engine.js", "grammar.js", "quickjs.wasm", "tree-sitter.wasm", "tree-sitter-javascript.wasm"),
)}  # fmt: skip
CODES = f"{PAGE_URL}/shared/qr.js"
LIBRARIES = {EDITOR, CODES, f"{JAVASCRIPT}/engine.js", f"{JAVASCRIPT}/grammar.js"}
HEAVY = {CHECKER, EDITOR, *JAVASCRIPT_FILES}  # loaded and kept only when they are used
TYPES = {
    ".css": b"text/css; charset=utf-8",
    ".html": b"text/html; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".json": b"application/json",
    ".png": b"image/png",
    ".svg": b"image/svg+xml",
    ".wasm": b"application/wasm",
    ".webmanifest": b"application/manifest+json",
    ".zip": b"application/zip",
}
IMPORT = re.compile(r'^(?:import|export)\s(?:[\w\s{},*]*\sfrom\s)?"(\.[^"]+)"', re.MULTILINE)
LATER_IMPORT = re.compile(r'^(?!\s*/?\*).*\bimport\("(\.[^"]+)"\)', re.MULTILINE)
ENTRY = re.compile(r'( *)<script type="module" src="([^"]+)"></script>\n')
LINKING = ".html", ".js", ".webmanifest"
# The first slash of a path of this server, as an attribute or in a script.
OWN_PATH = re.compile(
    r"""(?<=["`}])/(?=(api|page|g)/|(learn|docs|source|openapi\.json|worker\.js)\b)"""
    r"""|(?<=="|\[")/(?=")|(?<=: ")/(?=")"""
)
PRELOAD = '<link rel="modulepreload" href='
PAGE_HEADERS: Headers = (
    (b"cache-control", b"no-cache"),  # revalidate each time
    (b"vary", b"Accept-Encoding"),
)


class Files:
    """The files of a folder, kept in memory by their URLs.

    A page also lists the modules that its script imports, at any depth, so the browser requests all
    of them at once, and those that are imported later with low priority. The service worker lists
    all files and the digest of their contents.

    Args:
        folder: The folder of the page.
        reference: Parts of the page about the API, by name; see `routes.reference`.
        pyodide: The URL at which browsers find Pyodide.
        root: The path of the server, which is put before the paths in the files.
    """

    def __init__(
        self,
        folder: Path = PAGE,
        *,
        reference: Mapping[str, str] = {},
        pyodide: str = "",
        root: str = "",
    ) -> None:
        found = [path for path in folder.rglob("*") if path.suffix in TYPES]
        self._plain = {
            f"{PAGE_URL}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in found
        }
        self._plain[CONSTANTS] = constants_module()
        self._plain[CHECKER] = checker_archive()
        self._plain[PYTHON] = self._plain[PYTHON].replace(b"ADDRESS", pyodide.encode())
        for url, body in self._plain.items():
            if url.endswith(".html"):
                page = filled(body.decode())
                self._plain[url] = self._with_preloads(page).encode()
        for name, part in reference.items():
            slot = f"<!-- the {name} -->".encode()
            self._plain[DOCS] = self._plain[DOCS].replace(slot, part.encode())
        own = [pyodide + name for name in PYODIDE_FILES if pyodide[:1] == "/"]
        heavy = [[*sorted(HEAVY - JAVASCRIPT_FILES), *own], sorted(JAVASCRIPT_FILES)]
        self._plain[WORKER] = self._with_files(self._plain[WORKER], heavy)
        if root:
            self._move_to(root)
        self._gzipped = {url: gzipped(body) for url, body in self._plain.items()}
        self._tags = {url: tag(body) for url, body in self._plain.items()}

    def _move_to(self, root: str) -> None:
        """Put the path of the server before the paths in the files."""
        for url, body in self._plain.items():
            if url.endswith(LINKING) and url not in LIBRARIES:
                self._plain[url] = OWN_PATH.sub(f"{root}/", body.decode()).encode()
        own_cache = f'"noughts{root}/-'.encode()  # browsers keep one set of caches for a host
        self._plain[WORKER] = self._plain[WORKER].replace(b'"noughts-', own_cache)

    def save(self, folder: Path) -> None:
        """Write the files below a folder, for any server of files."""
        for url, body in self._plain.items():
            path = folder / url.removeprefix("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)

    def text(self, path: str) -> str:
        """Return the text of a file."""
        return self._plain[f"{PAGE_URL}/{path}"].decode()

    def response(self, path: str, request: Request, status: int = 200) -> Response:
        """Return a file, or 304 if it has not changed. Raises KeyError if it does not exist."""
        url = f"{PAGE_URL}/{path}"
        body, media_type = self._plain[url], TYPES[Path(path).suffix]
        headers = *PAGE_HEADERS, (b"etag", self._tags[url].encode())
        if status == 200 and is_known(self._tags[url], request):
            return Response(b"", media_type, 304, headers)
        if accepts_gzip(request) and len(self._gzipped[url]) < len(body):
            return Response(self._gzipped[url], media_type, status, (*headers, GZIP))
        return Response(body, media_type, status, headers)

    def _with_files(self, worker: bytes, heavy: list[list[str]]) -> bytes:
        """Return the service worker, which keeps the files of this release."""
        files = sorted(self._plain.items())
        release = sha256(repr(files).encode()).hexdigest()[:16]
        urls = json.dumps(["/", "/learn", *(url for url, _ in files if url not in HEAVY)])
        worker = worker.replace(b"RELEASE", release.encode())
        worker = worker.replace(b'[["HEAVY"]]', json.dumps(heavy).encode())
        return worker.replace(b'["FILES"]', urls.encode())

    def _with_preloads(self, page: str) -> str:
        """Return the page with a link for each module that its script imports."""

        def named(entry: re.Match[str]) -> str:
            indent, url = entry.groups()
            known = {url}
            first = list(self._modules(url, known))
            links = [f'"{module}"' for module in first]
            for importer in (url, *first):
                later = self._modules(importer, known, LATER_IMPORT)
                links += [f'"{module}" fetchpriority="low"' for module in later]
            return entry[0] + "".join(f"{indent}{PRELOAD}{link}>\n" for link in links)

        return ENTRY.sub(named, page)

    def _modules(
        self, url: str, known: set[str], imports: re.Pattern[str] = IMPORT
    ) -> Iterator[str]:
        """Yield the modules that this one imports, directly or not, each once."""
        for name in imports.findall(self._plain[url].decode()):
            module = normpath(join(dirname(url), name))
            if module not in known | HEAVY:
                known.add(module)
                yield module
                yield from self._modules(module, known)


def page_response(page: str, request: Request) -> Response:
    """Return a page that was generated for this request."""
    body, media_type = page.encode(), TYPES[".html"]
    if accepts_gzip(request):
        return Response(gzipped(body, 6), media_type, headers=(*PAGE_HEADERS, GZIP))
    return Response(body, media_type, headers=PAGE_HEADERS)


def gzipped(body: bytes, level: int = 9) -> bytes:
    """Return `body` gzipped, with reproducible output."""
    return gzip.compress(body, level, mtime=0)


def tag(body: bytes) -> str:
    """Return the entity tag of this content for HTTP, in any encoding."""
    return f'W/"{sha256(body).hexdigest()[:16]}"'


def is_known(tag: str, request: Request) -> bool:
    """Return whether the client already has the content with this tag."""
    known = request.headers.get("if-none-match", "")
    return known == "*" or tag in known


def accepts_gzip(request: Request) -> bool:
    """Return whether the client accepts gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")
