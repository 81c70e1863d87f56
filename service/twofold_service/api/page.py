"""The page at `/`: the files of clients/, without comments, under an address that changes whenever one of them does."""

import gzip
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

import brotli
import rcssmin
import rjsmin
from fastapi import APIRouter, Request
from starlette.responses import Response

from twofold_service.errors import NotFound

INSTALLED = Path(__file__).parents[1] / "clients"
CHECKOUT = Path(__file__).parents[3] / "clients"
FOLDERS = ("web", "js/src")
AT_THE_ROOT = {
    "web/index.html": "/",
    "web/offline.html": "/offline.html",
    "web/sw.js": "/sw.js",
    "web/manifest.webmanifest": "/manifest.webmanifest",
}
"""Whose address stays: what browsers keep, or ask for by name."""
OF_NODE = {"node.js", "node-socket.js"}
"""What no browser loads."""
SERVED = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
STRIPPED: dict[str, Callable[[str], str]] = {
    ".js": rjsmin.jsmin,
    ".css": rcssmin.cssmin,
    ".html": lambda text: re.sub(r"\n\s+", "\n", text),
}
"""What goes without comments and indentation; names stay, so that it can still be read."""
PACKED = ("text/", "image/svg", "application/manifest")
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "br": brotli.compress,
    "gzip": lambda body: gzip.compress(body, 9, mtime=0),
}
"""The smaller one first; browsers take it over https and from this very machine."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class File:
    """What is sent of a file, and the tag that tells it from others."""

    media_type: str
    body: bytes
    tag: str


@dataclass(frozen=True, slots=True)
class Edition:
    """Files that belong together, by their names below `clients`."""

    name: str
    files: dict[str, File]


class Page:
    """The files in a folder, as one edition; another one as soon as a file has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[Path, tuple[int, int]] = {}
        self.edition = Edition("", {})
        self.look()

    def look(self) -> Edition:
        """The edition by now."""
        stats = {path: path.stat() for path in self._paths()}
        seen = {path: (stat.st_mtime_ns, stat.st_size) for path, stat in stats.items()}
        if seen != self._seen:
            self.edition = edition({path.relative_to(self._folder).as_posix(): path.read_bytes() for path in seen})
            self._seen = seen
        return self.edition

    def _paths(self) -> list[Path]:
        inside = (path for folder in FOLDERS for path in (self._folder / folder).rglob("*"))
        return sorted(path for path in inside if path.suffix in SERVED and path.name not in OF_NODE)


def routes(page: Page) -> APIRouter:
    """The page, the few files beside it that have names of their own, and everything they load."""
    router = APIRouter(include_in_schema=False)

    def at_the_root(name: str, address: str) -> None:
        @router.api_route(address, methods=["GET", "HEAD"])
        def named(request: Request) -> Response:
            return _answer(request, page.look().files[name], "no-cache")

    for name, address in AT_THE_ROOT.items():
        at_the_root(name, address)

    @router.api_route("/page/{edition}/{name:path}", methods=["GET", "HEAD"])
    def loaded(request: Request, edition: str, name: str) -> Response:
        current = page.edition
        if edition != current.name or name not in current.files:
            raise NotFound("There is nothing at this path; the page may have a newer edition.")
        return _answer(request, current.files[name], FOR_EVER)

    return router


def found() -> Page:
    """The page as it was installed, else as it lies in the checkout."""
    return Page(INSTALLED if INSTALLED.is_dir() else CHECKOUT)


def edition(sources: dict[str, bytes]) -> Edition:
    """Files under a name that says what is in them."""
    contents = {name: _stripped(name, source) for name, source in sources.items()}
    whole = hashlib.sha256()
    for name, content in contents.items():
        whole.update(f"{name}\0{len(content)}\0".encode() + content)
    named = whole.hexdigest()[:16]
    return Edition(named, {name: _file(name, content, named) for name, content in contents.items()})


def _stripped(name: str, source: bytes) -> bytes:
    strip = STRIPPED.get(PurePosixPath(name).suffix)
    return strip(source.decode()).encode() if strip else source


def _file(name: str, content: bytes, edition: str) -> File:
    if name in AT_THE_ROOT:
        content = content.replace(b"/page/", f"/page/{edition}/".encode())
    return File(SERVED[PurePosixPath(name).suffix], content, f'"{edition}"')


@lru_cache(maxsize=1024)
def _packed(body: bytes, encoding: str) -> bytes:
    """Packed as small as it gets, which takes some milliseconds: once, and in the thread that asks."""
    return PACKERS[encoding](body)


def _encoding(accepted: str) -> str | None:
    """The best packing among those a browser accepts."""
    refused = r"(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))"
    return next((name for name in PACKERS if re.search(rf"\b{name}\b{refused}", accepted)), None)


def _answer(request: Request, file: File, caching: str) -> Response:
    headers = {
        "ETag": file.tag,
        "Cache-Control": caching,
        "Vary": "Accept-Encoding",
        "Content-Security-Policy": POLICY,  # the worker obeys that of its own file
    }
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    body = file.body
    encoding = _encoding(request.headers.get("accept-encoding", ""))
    if encoding and file.media_type.startswith(PACKED):
        body = _packed(body, encoding)
        headers["Content-Encoding"] = encoding
    return Response(body, media_type=file.media_type, headers=headers)
