"""The files of the page, read once, and compressed for clients that accept that."""

import gzip
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath

from starlette.requests import Request

from noughts.service.http import described, reference, source
from noughts.service.http.answer import Answer, Headers
from noughts.service.http.described import PAGE as PAGE
from noughts.service.http.pyodide import FILES as PYODIDE

ADDRESS = "/page"
WORKER = f"{ADDRESS}/shared/worker.js"
DOCS = f"{ADDRESS}/docs/docs.html"
DESCRIBED = f"{ADDRESS}/shared/client_constants.js"  # no file, but made when the server starts
CHECKER = f"{ADDRESS}/learn/checker.zip"  # nor is this
PYTHON = f"{ADDRESS}/learn/python.js"
EDITOR = f"{ADDRESS}/learn/codemirror.js"
HEAVY = {CHECKER, EDITOR}  # nobody loads or keeps them before they serve
TYPES = {
    ".css": b"text/css; charset=utf-8",
    ".html": b"text/html; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".json": b"application/json",
    ".png": b"image/png",
    ".svg": b"image/svg+xml",
    ".webmanifest": b"application/manifest+json",
    ".zip": b"application/zip",
}
IMPORT = re.compile(r'^(?:import|export)\s(?:[\w\s{},*]*\sfrom\s)?"(\.[^"]+)"', re.MULTILINE)
LATER = re.compile(r'^(?!\s*/?\*).*\bimport\("(\.[^"]+)"\)', re.MULTILINE)  # no comment
ENTRY = re.compile(r'( *)<script type="module" src="([^"]+)"></script>\n')
PRELOAD = '<link rel="modulepreload" href='
HEADERS: Headers = (
    (b"cache-control", b"no-cache"),  # ask each time if it changed
    (b"vary", b"Accept-Encoding"),
)
GZIP = b"content-encoding", b"gzip"


class Files:
    """The files of a folder, kept in memory, by their addresses.

    A page also names the modules that its script imports, at any depth: so the browser asks for all
    of them at once, not one after the other, and last for those that scripts import later. The
    service worker names all files, and the digest of their contents. `api` describes the API for
    the page about it; browsers find Pyodide at the address `pyodide`.
    """

    def __init__(self, folder: Path = PAGE, *, api: bytes = b"", pyodide: str = "") -> None:
        found = [path for path in folder.rglob("*") if path.suffix in TYPES]
        self._plain = {
            f"{ADDRESS}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in found
        }
        self._plain[DESCRIBED] = described.module()
        self._plain[CHECKER] = source.checker()
        self._plain[PYTHON] = self._plain[PYTHON].replace(b"ADDRESS", pyodide.encode())
        for address, body in self._plain.items():
            if address.endswith(".html"):
                page = described.filled(body.decode())
                self._plain[address] = self._preloading(page).encode()
        if api:
            page = reference.referenced(self._plain[DOCS].decode(), json.loads(api))
            self._plain[DOCS] = page.encode()
        heavy = [*sorted(HEAVY), *(pyodide + name for name in PYODIDE if pyodide[:1] == "/")]
        self._plain[WORKER] = self._keeping(self._plain[WORKER], heavy)
        self._packed = {address: packed(body) for address, body in self._plain.items()}
        self._tags = {address: tag(body) for address, body in self._plain.items()}

    def text(self, path: str) -> str:
        """The text of a file."""
        return self._plain[f"{ADDRESS}/{path}"].decode()

    def send(self, path: str, request: Request, status: int = 200) -> Answer:
        """A file, or that it has not changed. Raises KeyError if there is no such file."""
        address = f"{ADDRESS}/{path}"
        body, media_type = self._plain[address], TYPES[Path(path).suffix]
        headers = *HEADERS, (b"etag", self._tags[address].encode())
        if status == 200 and is_known(self._tags[address], request):
            return Answer(b"", media_type, 304, headers)
        if takes_packed(request) and len(self._packed[address]) < len(body):
            return Answer(self._packed[address], media_type, status, (*headers, GZIP))
        return Answer(body, media_type, status, headers)

    def _keeping(self, worker: bytes, heavy: list[str]) -> bytes:
        """The service worker, which keeps the files of this release, the heavy ones once used."""
        files = sorted(self._plain.items())
        release = sha256(repr(files).encode()).hexdigest()[:16]
        addresses = json.dumps([address for address, _ in files if address not in HEAVY])
        worker = worker.replace(b"RELEASE", release.encode())
        worker = worker.replace(b'["HEAVY"]', json.dumps(heavy).encode())
        return worker.replace(b'["FILES"]', addresses.encode())

    def _preloading(self, page: str) -> str:
        def named(entry: re.Match[str]) -> str:
            indent, address = entry.groups()
            known = {address}
            first = list(self._modules(address, known))
            links = [f'"{module}"' for module in first]
            for importer in (address, *first):
                later = self._modules(importer, known, LATER)
                links += [f'"{module}" fetchpriority="low"' for module in later]
            return entry[0] + "".join(f"{indent}{PRELOAD}{link}>\n" for link in links)

        return ENTRY.sub(named, page)

    def _modules(
        self, address: str, known: set[str], imports: re.Pattern[str] = IMPORT
    ) -> Iterator[str]:
        """The modules that this one imports, and that those import, each once."""
        for name in imports.findall(self._plain[address].decode()):
            module = normpath(join(dirname(address), name))
            if module not in known | HEAVY:
                known.add(module)
                yield module
                yield from self._modules(module, known)


def send_page(page: str, request: Request) -> Answer:
    """A page that was made for this request."""
    body, media_type = page.encode(), TYPES[".html"]
    if takes_packed(request):
        return Answer(packed(body, 6), media_type, headers=(*HEADERS, GZIP))
    return Answer(body, media_type, headers=HEADERS)


def packed(body: bytes, level: int = 9) -> bytes:
    """This, compressed, always to the same bytes."""
    return gzip.compress(body, level, mtime=0)


def tag(body: bytes) -> str:
    """The entity tag of this content for HTTP, in any encoding."""
    return f'W/"{sha256(body).hexdigest()[:16]}"'


def is_known(tag: str, request: Request) -> bool:
    """Whether the client already has the content with this tag."""
    known = request.headers.get("if-none-match", "")
    return known == "*" or tag in known


def takes_packed(request: Request) -> bool:
    """Whether the client accepts gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")
