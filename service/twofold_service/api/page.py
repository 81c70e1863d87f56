"""The page at `/`: the files of clients/, as they are, under an address that changes whenever one of them does."""

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

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
SERVED = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
PACKED = ("text/", "image/svg", "application/manifest")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class File:
    """What is sent of a file, plain and packed, and the tag that tells it from others."""

    media_type: str
    body: bytes
    packed: bytes | None
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
        return sorted(path for path in inside if path.suffix in SERVED)


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
    async def loaded(request: Request, edition: str, name: str) -> Response:
        current = page.edition
        if edition != current.name or name not in current.files:
            raise NotFound("There is nothing at this path; the page may have a newer edition.")
        return _answer(request, current.files[name], FOR_EVER)

    return router


def found() -> Page:
    """The page as it was installed, else as it lies in the checkout."""
    return Page(INSTALLED if INSTALLED.is_dir() else CHECKOUT)


def edition(contents: dict[str, bytes]) -> Edition:
    """Files under a name that says what is in them."""
    whole = hashlib.sha256()
    for name, content in contents.items():
        whole.update(f"{name}\0{len(content)}\0".encode() + content)
    named = whole.hexdigest()[:16]
    return Edition(named, {name: _file(name, content, named) for name, content in contents.items()})


def _file(name: str, content: bytes, edition: str) -> File:
    if name in AT_THE_ROOT:
        content = content.replace(b"/page/", f"/page/{edition}/".encode())
    media_type = SERVED[PurePosixPath(name).suffix]
    packed = gzip.compress(content, 9, mtime=0) if media_type.startswith(PACKED) else None
    return File(media_type, content, packed, f'"{edition}"')


def _answer(request: Request, file: File, caching: str) -> Response:
    headers = {"ETag": file.tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    if file.media_type == "text/html":
        headers["Content-Security-Policy"] = POLICY
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, media_type=file.media_type, headers={**headers, "Content-Encoding": "gzip"})
    return Response(file.body, media_type=file.media_type, headers=headers)
