"""The page at `/`: the files of clients/, as they are, under an address that changes whenever one of them does."""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fastapi import APIRouter, Request
from starlette.responses import Response

from twofold_service.errors import NotFound

INSTALLED = Path(__file__).parents[1] / "clients"
CHECKOUT = Path(__file__).parents[3] / "clients"
FOLDERS = ("web", "js/src")
AT_THE_ROOT = ("web/index.html", "web/offline.html", "web/sw.js", "web/manifest.webmanifest")
"""Whose address stays: what browsers keep, or ask for by name."""
PACKED = ("text/", "image/svg", "application/manifest")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {"Content-Security-Policy": POLICY, "Vary": "Accept-Encoding"}
MEDIA_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class File:
    """What is sent of a file, plain and packed, and the tag that tells it from others."""

    media_type: str
    body: bytes
    packed: bytes | None
    tag: str


class Page:
    """The files in a folder; read anew where one has changed, so that all of an edition belong together."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[Path, tuple[int, int]] = {}
        self.edition = ""
        self.files: dict[str, File] = {}
        self.look()

    def look(self) -> None:
        """Read the files unless they are known."""
        stats = {path: path.stat() for path in sorted(self._paths())}
        seen = {path: (stat.st_mtime_ns, stat.st_size) for path, stat in stats.items()}
        if seen == self._seen:
            return
        contents = {path.relative_to(self._folder).as_posix(): path.read_bytes() for path in seen}
        whole = hashlib.sha256()
        for name, content in contents.items():
            whole.update(f"{name}\0{len(content)}\0".encode() + content)
        edition = whole.hexdigest()[:16]
        self.files = {name: _file(name, content, edition) for name, content in contents.items()}
        self.edition = edition
        self._seen = seen

    def _paths(self) -> list[Path]:
        inside = [path for folder in FOLDERS for path in (self._folder / folder).rglob("*")]
        return [path for path in inside if path.suffix in (*MEDIA_TYPES, ".html", ".css", ".svg", ".png")]


def routes(page: Page) -> APIRouter:
    """The page, the few files beside it that have names of their own, and everything they load."""
    router = APIRouter(include_in_schema=False)

    def at_the_root(name: str) -> None:
        address = "/" if name == "web/index.html" else "/" + PurePosixPath(name).name

        @router.api_route(address, methods=["GET", "HEAD"])
        def named(request: Request) -> Response:
            page.look()
            return _answer(request, page.files[name], "no-cache")

    for name in AT_THE_ROOT:
        at_the_root(name)

    @router.api_route("/page/{edition}/{name:path}", methods=["GET", "HEAD"])
    def loaded(request: Request, edition: str, name: str) -> Response:
        file = page.files.get(name) if edition == page.edition else None
        if file is None:
            raise NotFound("There is nothing at this path; the page may have a newer edition.")
        return _answer(request, file, FOR_EVER)

    return router


def found() -> Page:
    """The page as it was installed, else as it lies in the checkout."""
    return Page(INSTALLED if INSTALLED.is_dir() else CHECKOUT)


def _file(name: str, content: bytes, edition: str) -> File:
    if name in AT_THE_ROOT:
        content = content.replace(b"/page/", f"/page/{edition}/".encode())
    suffix = PurePosixPath(name).suffix
    media_type = MEDIA_TYPES.get(suffix) or mimetypes.types_map[suffix]
    packed = gzip.compress(content, 9, mtime=0) if media_type.startswith(PACKED) else None
    return File(media_type, content, packed, f'"{edition}"')


def _answer(request: Request, file: File, caching: str) -> Response:
    headers = {**HEADERS, "ETag": file.tag, "Cache-Control": caching}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, media_type=file.media_type, headers={**headers, "Content-Encoding": "gzip"})
    return Response(file.body, media_type=file.media_type, headers=headers)
