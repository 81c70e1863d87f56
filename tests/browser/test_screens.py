"""Every screen of the game: accessible, in both languages, in each theme, at each width."""

from pathlib import Path

import pytest

from tests.browser.table import until
from twofold_service.api.page import CHECKOUT

AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = {320: 568, 390: 844, 768: 1024, 1280: 800, 1920: 1080}
THEMES = ("classic", "dark", "contrast")
TILES = [[2, 4, 8, 16], [256, 128, 64, 32], [512, 1024, 2048, 4096], [0, 131072, 0, 2]]


def violations(page):
    """What axe finds, in a line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text() + ";0")
    found = page.evaluate("tags => axe.run(document, {runOnly: tags})", TAGS)["violations"]
    return [f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]


def dressed(theme, language="auto"):
    wish = f'{{"theme": "{theme}", "language": "{language}"}}'
    return f"localStorage.getItem('twofold.settings') || localStorage.setItem('twofold.settings', '{wish}')"


needs_axe = pytest.mark.skipif(not AXE.exists(), reason="needs axe: make node_modules/.stamp")


@needs_axe
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_a_game_with_every_tile(sit, theme, language):
    table = sit(script=dressed(theme, language), reduced_motion="reduce")
    table.practise(TILES)

    assert violations(table.page) == []


@needs_axe
@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_the_other_states_of_the_game(sit, theme):
    table = sit(script=dressed(theme), reduced_motion="reduce", viewport={"width": 390, "height": 844})
    assert violations(table.page) == []
    table.page.click(".menu-button")
    assert violations(table.page) == []
    table.page.keyboard.press("Escape")
    table.button("Sprint").click()
    until(lambda: "Ready" in table.cover)
    assert violations(table.page) == []
    table.practise([[1024, 1024, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
    table.press("ArrowLeft")
    until(lambda: table.result)
    assert violations(table.page) == []
    table.do("abandon")
    until(lambda: "Given up" in table.result)
    assert violations(table.page) == []


@needs_axe
@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_dialogs_and_notices(sit, theme):
    table = sit(script=dressed(theme), reduced_motion="reduce")
    table.page.click(".settings-button")
    table.page.wait_for_selector("dialog")
    assert violations(table.page) == []
    table.page.keyboard.press("Escape")
    table.button("Use on another device").click()
    table.button("Show a code").click()
    table.page.wait_for_selector(".code:not([hidden])")
    assert violations(table.page) == []
    table.page.keyboard.press("Escape")
    table.page.evaluate("twofold.notices.show('a', 'Something', {action: {text: 'Do it', act() {}}})")
    assert violations(table.page) == []


@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_axe_finds_nothing_in_the_offline_page(sit, scheme, locale):
    table = sit(opened=False, color_scheme=scheme, locale=locale)
    table.page.goto(f"{table.url}/offline.html")
    table.waits_for("document.documentElement.dataset.theme")

    assert violations(table.page) == []
    assert ("Keine Verbindung" in table.page.inner_text("h1")) == locale.startswith("de")


def test_styles_are_served_as_they_were_written_but_for_comments_and_space(table):
    styles = sorted((CHECKOUT / "web/styles").glob("*.css"))
    rules = """text => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return [...sheet.cssRules].map(rule => rule.cssText.replace(/\\s*([(),])\\s*/g, '$1'));
    }"""
    base = table.page.locator("script[src]").get_attribute("src").removesuffix("app.js")
    for style in styles:
        served = table.page.request.get(f"{table.url}{base}styles/{style.name}").text()
        assert len(served) < len(style.read_text())
        assert table.page.evaluate(rules, served) == table.page.evaluate(rules, style.read_text()), style.name
    assert len(styles) == 5


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen(sit, width, language):
    table = sit(script=dressed("classic", language), viewport={"width": width, "height": WIDTHS[width]})
    for route in ("", "#/mode/sprint", "#/mode/daily", "#/mode/classic/6/5"):
        table.page.evaluate("hash => { location.hash = hash }", route or "#/")
        table.rests()
        assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (route, width)
    for locator in (".score-container", ".restart-button", "#board"):
        box = table.page.locator(locator).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


@pytest.mark.parametrize(("width", "height"), [(568, 320), (640, 360), (740, 320), (844, 390), (932, 430)])
@pytest.mark.parametrize("language", ["en", "de"])
def test_on_a_phone_held_sideways_the_whole_board_is_in_sight(sit, width, height, language):
    table = sit(script=dressed("classic", language), viewport={"width": width, "height": height})
    board = table.page.locator("#board").bounding_box()
    assert board["width"] >= 200
    assert board["y"] + board["height"] <= height
    for locator in (".modes-bar", ".score-container", ".best-container", ".restart-button", ".figures"):
        box = table.page.locator(locator).bounding_box()
        assert box["x"] >= board["x"] + board["width"]
        assert box["x"] + box["width"] <= width
    table.page.evaluate("scrollTo(0, 9999)")
    assert table.page.locator("#board").bounding_box()["y"] >= 0


@pytest.mark.parametrize("width", [280, 320])
@pytest.mark.parametrize("language", ["en", "de"])
def test_settings_are_read_without_scrolling_sideways(sit, width, language):
    table = sit(script=dressed("classic", language), viewport={"width": width, "height": 653})
    table.page.click(".settings-button")
    table.page.wait_for_selector("dialog")

    assert table.page.locator("dialog").evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")


def test_a_score_of_six_digits_is_readable_at_320(sit):
    table = sit(viewport={"width": 320, "height": 568})
    table.practise([[131072, 131072, 0, 0], [65536, 65536, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    table.press("ArrowLeft")
    table.shows(moves=1)

    assert table.score == 393216
    assert table.page.locator(".score-container").evaluate("(box) => box.scrollWidth <= box.clientWidth")
    assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_language_is_the_browser_s_and_can_be_chosen(sit):
    table = sit(locale="de-AT")
    assert table.page.locator("html").get_attribute("lang") == "de"
    assert table.page.locator(".restart-button").inner_text() == "Neues Spiel"
    assert table.page.title() == "2048"

    table.page.click(".settings-button")
    table.page.get_by_label("English").check()
    table.page.keyboard.press("Escape")

    until(lambda: table.page.locator(".restart-button").inner_text() == "New Game")
    assert table.page.locator(".actions").inner_text().startswith("Undo")
    table.reload()
    assert table.page.locator("html").get_attribute("lang") == "en"


@pytest.mark.parametrize(
    ("scheme", "contrast", "theme"),
    [("light", "no-preference", "classic"), ("dark", "no-preference", "dark"), ("light", "more", "contrast")],
)
def test_the_theme_follows_the_system_until_one_is_chosen(sit, scheme, contrast, theme):
    table = sit(color_scheme=scheme, contrast=contrast)
    dress = table.page.locator("html")
    assert dress.get_attribute("data-theme") == theme

    table.page.click(".settings-button")
    table.page.get_by_label("Dark").check()

    assert dress.get_attribute("data-theme") == "dark"
    table.reload()
    assert dress.get_attribute("data-theme") == "dark"


def test_tiles_slide_in_a_tenth_of_a_second_and_not_at_all_where_motion_is_reduced(sit):
    lively, still = sit(), sit(reduced_motion="reduce")
    sliding = "getComputedStyle(document.querySelector('.tile')).transition"

    assert lively.page.evaluate(sliding).startswith("transform 0.1s ease-in-out")
    popping = "getComputedStyle(document.querySelector('.tile-new .tile-inner')).animationDuration"
    assert lively.page.evaluate(popping) == "0.2s"
    assert still.page.evaluate("getComputedStyle(document.querySelector('.tile')).transitionDuration") in ("0s", "")
    for table, pieces in ((lively, True), (still, False)):
        table.practise([[1024, 1024, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
        confetti = table.page.locator(".confetti")
        table.press("ArrowLeft")
        if pieces:
            confetti.wait_for(state="attached")  # it falls for a moment only
        table.shows(status="won")
        assert pieces or confetti.count() == 0


def test_the_board_and_the_last_move_can_be_heard(table):
    table.practise([[0, 0, 0, 0], [0, 2, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    table.press("ArrowLeft")
    table.shows(moves=1)
    said = table.page.locator(".announcer").inner_text()
    cells = table.page.locator(".board-text td").all_inner_texts()

    assert said.startswith("Left. 4 points. New ")
    assert [0 if cell == "empty" else int(cell) for cell in cells] == [n for row in table.game["board"] for n in row]
    assert table.page.locator(".tile-container [aria-live], .tile-container [role=status]").count() == 0


def test_the_focus_is_never_lost(table):
    table.page.locator(".restart-button").focus()
    table.press("Enter")
    table.rests()
    assert table.page.evaluate("document.activeElement.id") == "board"

    table.button("Sprint").focus()
    table.press("Enter")
    until(lambda: "Ready" in table.cover)
    assert table.page.evaluate("document.activeElement.textContent") == "Sprint"
    table.page.locator(".cover-button").focus()
    table.press("Enter")
    table.shows(status="running")
    assert table.page.evaluate("document.activeElement.id") == "board"

    table.practise([[1024, 1024, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
    table.press("ArrowLeft")
    table.shows(status="won")
    table.page.locator(".result").get_by_role("button", name="Keep going").focus()
    table.press("Enter")
    table.shows(status="running")
    table.waits_for("document.activeElement.id === 'board'")


def test_dialogs_give_the_focus_back(table):
    table.page.locator(".settings-button").focus()
    table.press("Enter")
    table.page.wait_for_selector("dialog")
    table.press("Escape")

    table.waits_for("document.activeElement.className.includes('settings-button')")
