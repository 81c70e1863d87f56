"""The page at `/` as HTTP: whole, packed, kept for ever under an address that changes with it, strict."""

import gzip
import re

import brotli
import httpx
import pytest

from tests.callers import problem
from twofold_service.api.page import AT_THE_ROOT, CHECKOUT, Page, found

OF_OTHERS = {"en": {"web/i18n/de.js", "web/i18n/views-de.js"}, "de": {"web/i18n/views-en.js"}}
"""What a reader of a language never loads; the words of the game in English stand in for others."""
FILES = sorted(
    path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "web").rglob("*.js") if path.name != "sw.js"
)


@pytest.fixture
def root(url):
    with httpx.Client(base_url=url, trust_env=False) as client:
        yield client


@pytest.fixture
def edition(root):
    found = re.search(r"/page/(\w+)/web/app\.js", root.get("/").text)
    assert found
    return found[1]


@pytest.fixture
def folder(tmp_path):
    """A page of next to nothing."""
    (tmp_path / "js/src").mkdir(parents=True)
    (tmp_path / "web").mkdir()
    (tmp_path / "web/index.html").write_text('<script src="/page/web/app.js"></script>')
    (tmp_path / "web/app.js").write_text("let one = 1;")
    return tmp_path


def test_the_page_is_there_and_looked_for_anew_each_time(root, edition):
    page = root.get("/")

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    assert page.headers["etag"] == f'"{edition}"'
    again = root.get("/", headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_nothing_is_loaded_but_what_the_service_serves(root):
    policy = root.get("/").headers["content-security-policy"]

    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert root.get("/").headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"<style|style=|<script(?![^>]*src=)| on\w+=", root.get("/").text)


def test_what_it_loads_is_kept_for_ever(root, edition):
    script = root.get(f"/page/{edition}/web/app.js")

    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("gzip;q=0.0", None),
        ("identity", None),
    ],
)
def test_it_is_packed_as_well_as_the_browser_can_unpack(root, edition, accepted, encoding):
    address = f"/page/{edition}/web/game/session.js"
    with root.stream("GET", address, headers={"Accept-Encoding": accepted}) as answer:
        sent = b"".join(answer.iter_raw())

    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"].startswith("Accept-Encoding")
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[encoding]
    assert unpack(sent) == root.get(address).content


def test_scripts_and_styles_go_without_comments_and_with_their_names(root, edition):
    script, style = (root.get(f"/page/{edition}/web/{name}").text for name in ("game/session.js", "styles/game.css"))

    assert "/*" not in script + style
    assert "export class Session" in script
    assert ".tile-container" in style


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("encoding", "bound"), [("br", 100_000), ("gzip", 113_000)])
def test_all_own_code_that_a_reader_can_load_is_small(root, edition, encoding, bound, language):
    names = [
        name
        for name, file in found().edition.files.items()
        if not file.media_type.startswith("image/") and name not in OF_OTHERS[language]
    ]
    sizes = [
        int(answer.headers["content-length"])
        for name in names
        if (answer := root.get(AT_THE_ROOT.get(name, f"/page/{edition}/{name}"), headers={"Accept-Encoding": encoding}))
    ]

    print(f"{sum(sizes) / 1000:.1f} kB in {len(sizes)} files as {encoding}")
    assert 0.8 * bound < sum(sizes) < bound


def test_everything_named_in_the_page_and_its_modules_is_there(root, edition):
    pages = [root.get(path).text for path in ("/", "/offline.html", "/sw.js", "/manifest.webmanifest")]
    named = {name for page in pages for name in re.findall(r'"(/(?:page/|sw|manifest|offline)[^"]+\w)"', page)}

    assert len(named) > 10
    assert [name for name in sorted(named) if root.get(name).status_code != 200] == []


@pytest.mark.parametrize("name", FILES)
def test_every_import_of_a_module_is_there(root, edition, name):
    base = httpx.URL(f"http://host/page/{edition}/{name}")
    text = root.get(base.path).text
    for imported in re.findall(r'(?:from|import\(|^import) ?"(\.[^"]+)"', re.sub(r"@import .*", "", text), re.M):
        assert root.get(base.join(imported).path).status_code == 200, imported


@pytest.mark.parametrize("path", ["/page/0123456789abcdef/web/app.js", "/page/web/app.js", "/page/{}/web/none.js"])
def test_another_edition_is_not_there(root, edition, path):
    problem(root.get(path.format(edition)), 404, "not_found")


@pytest.mark.parametrize("name", ["js/package.json", "web/tsconfig.json", "..%2f..%2fREADME.md", "python/README.md"])
def test_nothing_else_is_served(root, edition, name):
    problem(root.get(f"/page/{edition}/{name}"), 404, "not_found")


def test_head_tells_the_edition(root, edition):
    head = root.head("/")

    assert (head.headers["etag"], head.content) == (f'"{edition}"', b"")


def test_a_change_of_any_file_is_another_edition(folder):
    page = Page(folder)
    before = page.look()
    assert page.look() is before
    (folder / "web/app.js").write_text("let one = 12;")

    after = page.look()

    assert after.name != before.name
    assert f"/page/{after.name}/web/app.js".encode() in after.files["web/index.html"].body


def test_the_page_names_every_module_it_begins_with(root, edition):
    begins: list[str] = []

    def follow(name):
        if name in begins:
            return
        begins.append(name)
        text = re.sub(r"/\*\*.*?\*/", "", (CHECKOUT / name).read_text(), flags=re.S)
        for imported in re.findall(r'^(?:import|export) (?:[^;]*? from )?"(\.[^"]+)"', text, re.M):
            follow((CHECKOUT / name).parent.joinpath(imported).resolve().relative_to(CHECKOUT).as_posix())

    follow("web/app.js")
    named = re.findall(rf'(?:modulepreload" href|src)="/page/{edition}/([^"]+\.js)"', root.get("/").text)
    assert sorted(named) == sorted(begins)
