"""The views beside the game: replay, watching, the daily puzzle, comparison, lists, practice, rules, proof."""

import json
import re

import pytest
from playwright.sync_api import Route

from tests.api.test_records import damage
from tests.browser.table import until
from tests.browser.test_screens import THEMES, WIDTHS, dressed, needs_axe, violations
from tests.callers import answer
from twofold.record import digest

FOUND = "status of 40"
"""What the browser itself says of a refusal."""
DAY = 86_400
FORBIDDEN = "Object.defineProperty(navigator, 'clipboard', {value: {writeText: () => Promise.reject(Error())}});"
SHOWN = """root => [...document.querySelectorAll(root + ' .diagram')].map(diagram => {
  const columns = Number(diagram.style.getPropertyValue('--columns'));
  const rows = Number(diagram.style.getPropertyValue('--rows'));
  const board = Array.from({length: rows}, () => Array(columns).fill(0));
  for (const tile of diagram.querySelectorAll('.piece')) {
    const [x, y] = ['--x', '--y'].map(name => Number(tile.style.getPropertyValue(name)));
    board[y][x] = Number(tile.textContent);
  }
  return board;
})"""


def go(table, route):
    """Return once the view is there, in the place of the one before."""
    table.page.evaluate(
        """hash => {
          for (const left of document.querySelectorAll('#view h1')) left.dataset.left = '';
          location.hash = hash;
        }""",
        route,
    )
    view = table.page.locator("#view")
    until(lambda: view.locator("h1:not([data-left])").count() and not view.locator("[aria-busy]").count())


def boards(table, inside="#view"):
    return table.page.evaluate(SHOWN, inside)


def sees(table, board, inside="#view"):
    """Return once the first board there is this one."""
    until(lambda: boards(table, inside)[:1] == [board])


def text(table, selector="#view"):
    return " ".join(table.page.locator(selector).all_inner_texts())


def address(table):
    return table.page.evaluate("location.href")


def rows(table, selector="#view .list tbody tr"):
    return [re.sub(r"\s+", " ", row).strip() for row in table.page.locator(selector).all_inner_texts()]


def choose(table, label, value):
    table.page.locator("#view .picker", has_text=label).locator("select").select_option(value)


def played(caller, moves, mode="classic", **wish):
    return caller.play(caller.new(mode, start=True, **wish), moves)


def finished(caller, moves=12, mode="classic", **wish):
    """A game given up after so many moves."""
    return caller.do(played(caller, moves, mode, **wish)["id"], "abandon")["game"]


# Every view.


def every_route(join, url):
    """A route to each view with something to see, and who looks."""
    me, other = join(url, "Ada"), join(url, "Grace")
    games = [finished(player, moves, "daily") for player, moves in ((me, 30), (other, 20))]
    lost = finished(me, 90, "practice", seed="07" * 32)
    until(lambda: me.get(f"/games/{lost['id']}/analysis").status_code == 200, 60)
    played(me, 25)
    live = played(other, 5)
    date, ids = games[0]["date"], ",".join(game["id"] for game in games)
    views = ("daily", "leaders", "records", "history", "verify", "practice", "rules", "strategy")
    named = (f"compare/{date}/{ids}", f"replay/{games[0]['id']}?at=12", f"watch/{live['id']}")
    solved = (f"analysis/{lost['id']}", f"whatif/{lost['id']}?move=40")
    return me, [f"#/{view}" for view in (*views, *named, *solved, "nonsense")]


@needs_axe
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_any_view(seat, join, url, theme, language):
    me, routes = every_route(join, url)
    table = seat(me, script=dressed(theme, language), reduced_motion="reduce", viewport={"width": 390, "height": 844})
    for route in routes:
        go(table, route)
        assert violations(table.page) == [], route


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_view_is_wider_than_the_screen_or_lacks_words(seat, join, url, language):
    me, routes = every_route(join, url)
    table = seat(me, script=dressed("classic", language))
    for width, height in WIDTHS.items():
        table.page.set_viewport_size({"width": width, "height": height})
        for route in routes:
            go(table, route)
            assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (route, width)
            assert not re.search(r"\b[a-z]+(\.[a-zA-Z_]+)+\b(?!\()|undefined|NaN|\{\w+\}", text(table)), (
                route,
                text(table),
            )


def test_both_languages_have_the_same_words(table):
    keys = table.page.evaluate(
        """async () => {
          const base = document.querySelector('script[src]').src.replace('app.js', 'i18n/');
          const load = async (names) => Object.keys(Object.assign({}, ...(await Promise.all(
            names.map(async (name) => Object.values(await import(`${base}${name}.js`))[0])))));
          return [await load(['en', 'views-en']), await load(['de', 'views-de'])];
        }"""
    )

    assert sorted(keys[0]) == sorted(keys[1])


def test_another_language_shows_the_view_anew_and_keeps_the_address(table):
    go(table, "#/rules")
    table.page.click(".settings-button")
    table.page.get_by_label("Deutsch").check()
    table.press("Escape")

    until(lambda: text(table, "#view h1") == "Regeln")
    assert address(table).endswith("#/rules")
    assert table.page.title() == "Regeln · 2048"


def test_what_is_not_there_is_said(table):
    for route in ("#/replay/nothing", "#/watch/nothing", "#/compare/2026-01-01/a,b"):
        go(table, route)
        until(lambda: "This is not here." in text(table) or "cannot be" in text(table))
    table.quiet(FOUND)


def test_a_view_that_could_not_be_loaded_can_be_tried_again(table):
    table.page.route("**/v1/players/me/records", lambda route: route.fulfill(status=503, headers={"Retry-After": "60"}))
    go(table, "#/records")
    until(lambda: table.page.locator("#view .failure").count())
    table.page.unroute("**/v1/players/me/records")
    table.button("Try again").click()

    until(lambda: "No records yet" in text(table))
    table.quiet("503")


NOWHERE = ["constructor", "__proto__", "toString/x", "hasOwnProperty", "replay", "watch"]


@pytest.mark.parametrize("route", NOWHERE)
def test_an_address_that_means_nothing_says_so(table, route):
    go(table, f"#/{route}")

    assert "There is nothing here" in text(table)


@pytest.mark.parametrize("date", ["2026-99-99", "0000-00-00", "today", ""])
def test_a_date_that_is_none_is_told_as_it_is(table, date):
    for games in ("a", "a,b"):
        go(table, f"#/compare/{date}/{games}")
        assert "Comparison" in text(table)
        assert date in text(table)
    table.quiet(FOUND, "status of 422")


@pytest.mark.parametrize("part", ["**/views/index.js", "**/views/records.js", "**/styles/views.css"])
def test_where_a_part_of_the_page_does_not_come_that_is_said_and_tried_again(table, part):
    table.page.route(part, lambda route: route.abort())
    go(table, "#/records")
    until(lambda: "The service cannot be reached." in text(table))
    assert address(table).endswith("#/records")
    table.page.unroute(part)
    table.button("Try again").click()

    until(lambda: "No records yet" in text(table))
    assert table.page.evaluate("[...document.styleSheets].some(({href}) => href?.endsWith('views.css'))")
    table.quiet("net::ERR_FAILED")


def test_a_view_that_was_left_before_its_answer_hears_no_keys(seat, me):
    game = played(me, 9)
    table = seat(me)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    table.page.route("**/export", hold)
    table.page.evaluate(f"location.hash = '#/replay/{game['id']}'")
    until(lambda: table.page.evaluate("true") and held)
    table.page.evaluate("location.hash = '#/'")
    table.page.wait_for_selector("#play:not([hidden])")
    held[0].continue_()
    table.practise([[0, 0, 0, 0], [0, 2, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    table.press("ArrowRight")

    table.shows(moves=1)
    table.page.wait_for_timeout(600)
    assert "replay" not in address(table)


# Replay.


def test_a_replay_shows_each_position_by_keys_buttons_and_the_slider(seat, me):
    game = played(me, 9)
    me.do(game["id"], "undo")
    events = [event for event in answer(me.get(f"/games/{game['id']}/events?limit=100"))["items"]]
    path = [event for event in events if event["type"] in ("created", "move", "undo")]
    table = seat(me, f"#/replay/{game['id']}", reduced_motion="reduce")
    sees(table, path[0]["board"])

    for event in path[1:4]:
        table.press("ArrowRight")
        sees(table, event["board"])
    table.button("One step back").click()
    sees(table, path[2]["board"])
    table.press("End")
    sees(table, path[-1]["board"])
    assert "Undone." in text(table)
    table.page.get_by_label("Position in the game").fill("5")
    sees(table, path[5]["board"])
    assert f"{path[5]['score']:,}" in text(table, ".reel .facts")
    assert table.page.get_by_label("Position in the game").get_attribute("aria-valuetext").startswith("Move 5,")


def test_a_replay_plays_at_a_chosen_speed_and_stops(seat, me):
    game = played(me, 40)
    table = seat(me, f"#/replay/{game['id']}")
    until(lambda: boards(table))
    choose(table, "Speed", "32")
    table.page.locator("#view h1").click()
    table.press("Space")
    table.button("Stop").wait_for()
    sees(table, game["board"])

    until(lambda: table.button("Play").count())


def test_a_link_leads_to_a_position(seat, me):
    game = played(me, 9)
    table = seat(me, f"#/replay/{game['id']}?at=6", permissions=["clipboard-read", "clipboard-write"])
    events = answer(me.get(f"/games/{game['id']}/events?limit=100"))["items"]
    sees(table, events[5]["board"])
    table.press("ArrowRight")
    until(lambda: address(table).endswith("?at=7"))
    table.button("Copy link to this position").click()
    until(lambda: "Copied" in table.notices)
    link = table.page.evaluate("navigator.clipboard.readText()")

    assert link == f"{me.url}/#/replay/{game['id']}?at=7"
    table.reload()
    sees(table, events[6]["board"])


def test_a_reported_move_tells_all_about_it(seat, me):
    game = played(me, 9)
    event = me.do(game["id"], "undo")["event"]
    event = me.move(game["id"], event["legal_moves"][0])["event"]
    before = answer(me.get(f"/games/{game['id']}/events?after={event['version'] - 2}&limit=1"))["items"][0]
    table = seat(me, f"#/replay/{game['id']}?at={event['version']}", permissions=["clipboard-read", "clipboard-write"])
    sees(table, event["board"])
    table.button("Report this move").click()
    until(lambda: "Copied" in table.notices)
    told = table.page.evaluate("navigator.clipboard.readText()")
    squares = [
        [0 if cell == "." else int(cell) for cell in line.split()]
        for line in told.splitlines()
        if re.fullmatch(r"[\d. ]+", line)
    ]

    assert "Classic\u00a0· 4\u00a0×\u00a04\n" in told
    assert f"Date: {game['created_at'][:10]}\nGame: {game['id']}, version {event['version']}" in told
    assert f"Direction: {event['direction'].capitalize()}" in told
    assert "Difference from the rules: none" in told
    assert "Undos so far: 1 of 1" in told
    assert squares == before["board"] + event["board"]


def test_what_may_not_be_copied_is_shown(seat, me):
    game = played(me, 3)
    table = seat(
        me,
        f"#/replay/{game['id']}?at=4",
        script=FORBIDDEN,
    )
    sees(table, game["board"])
    table.button("Report this move").click()

    assert "Difference" in until(lambda: table.page.locator("dialog textarea").input_value())


def test_one_plays_on_from_a_position(seat, me):
    game = played(me, 9)
    table = seat(me, f"#/replay/{game['id']}?at=10")
    sees(table, game["board"])
    table.button("Play on from here").click()

    assert table.shows(mode="practice")["board"] == game["board"]


def test_a_game_can_be_saved_as_record_picture_and_film(seat, me):
    game = played(me, 3)
    table = seat(me, f"#/replay/{game['id']}")
    until(lambda: boards(table))
    names = []
    for kind in ("Record", "Picture", "Film"):
        with table.page.expect_download(timeout=60_000) as saved:
            table.button(kind).click()
        names.append(saved.value.suggested_filename)

    assert [name.rsplit(".", 1)[1] for name in names] == ["json", "png", "gif"]


# Watching.


def test_a_game_of_somebody_else_is_seen_while_it_is_played(seat, me, join, url):
    other = join(url, "Grace")
    game = other.new("classic")
    table = seat(me, f"#/watch/{game['id']}")
    sees(table, game["board"])
    assert "Grace" in text(table)
    for _ in range(4):
        game = other.play(game, 1)
        sees(table, game["board"])
    assert f"{game['score']:,}" in text(table, ".reel .facts")
    other.do(game["id"], "pause")
    until(lambda: "Paused" in text(table, ".watch-status"))
    other.do(game["id"], "abandon")

    until(lambda: "Given up" in text(table, ".watch-status"))


def test_a_game_that_is_deleted_while_watched_is_gone(seat, me, join, url):
    other = join(url)
    game = other.new("classic")
    table = seat(me, f"#/watch/{game['id']}")
    until(lambda: boards(table))
    assert other.delete("/players/me").status_code == 204

    until(lambda: "This is not here." in text(table))


# The daily puzzle.


def test_the_countdown_runs_to_the_next_midnight(seat, join, timed, clock):
    table = seat(join(timed.url), "#/daily")
    assert re.fullmatch(r"1[12]:\d\d:\d\d", until(lambda: text(table, ".countdown")))
    assert "Friday" in text(table, ".dates-bar h2") and "15" in text(table, ".dates-bar h2")
    clock.forward(DAY / 2 - 2)
    go(table, "#/rules")
    go(table, "#/daily")
    until(lambda: text(table, ".countdown") in ("2.0", "1.9", "1.0", "0:02"))
    clock.forward(5)

    until(lambda: "Saturday" in text(table, ".dates-bar h2"))


def test_results_are_ordered_as_wished_and_one_s_own_place_is_told(seat, join, url):
    me, others = join(url, "Ada"), [join(url, f"Player {n}") for n in range(3)]
    games = {
        player.id: finished(player, moves, "daily")
        for player, moves in zip([me, *others], (25, 40, 10, 30), strict=True)
    }
    table = seat(me, "#/daily")
    until(lambda: rows(table))
    found = answer(me.get(f"/daily/{games[me.id]['date']}/results"))
    scores = [f"{result['score']:,}" for result in found["items"]]

    assert [score for row, score in zip(rows(table), scores, strict=True) if score not in row] == []
    assert f"You are number {found['me']['rank']} with {games[me.id]['score']:,} points." in text(table)
    table.button("Highest tile").click()
    until(lambda: "By highest tile" in text(table))
    by_tile = answer(me.get(f"/daily/{games[me.id]['date']}/results?order=max_tile"))["items"]
    assert all(f" {result['max_tile']} " in row for row, result in zip(rows(table), by_tile, strict=True))
    table.button("Moves to 2048").click()
    until(lambda: "fewest moves" in text(table))
    table.button("Best attempts").click()
    until(lambda: len(rows(table)) == len(found["items"]))


def test_games_of_a_date_are_compared(seat, join, timed):
    me, others = join(timed.url, "Ada"), [join(timed.url, f"Player {n}") for n in range(4)]
    for n, player in enumerate([me, *others]):
        game = player.new("daily")
        game = player.move(game["id"], game["legal_moves"][0])["game"]
        game = player.move(game["id"], game["legal_moves"][n % 2])["game"]
        player.do(player.play(game, 10 + n)["id"], "abandon")
    table = seat(me, "#/daily")
    until(lambda: len(rows(table)) == 5)
    boxes = table.page.locator("#view .list input")
    for n in range(4):
        boxes.nth(n).check()
    assert boxes.nth(4).is_disabled()
    table.page.get_by_role("link", name="Compare 4 games").click()
    until(lambda: table.page.locator(".fork").count())
    date, ids = address(table).split("/")[-2:]
    told = answer(me.get(f"/daily/{date}/compare?games={ids}"))

    assert len(rows(table)) == 4
    assert table.page.locator("#view .chart-line").count() == 4
    assert told["fork"]["move"] == 2
    assert "They parted at move 2." in text(table)
    assert boards(table, ".fork > li:first-child") == [told["fork"]["board"]]
    assert len(boards(table, ".fork")) == 1 + len({choice["direction"] for choice in told["fork"]["choices"]})
    table.page.locator(".chart-data summary").click()
    longest = max(len(series["score"]) for series in told["series"])
    last = [f"{series['score'][-1]:,}" if len(series["score"]) == longest else "–" for series in told["series"]]
    until(lambda: table.page.locator(".chart-data tbody tr").last.locator("td").all_inner_texts() == last)
    table.button("Free cells").click()
    until(lambda: "Free cells by move" in text(table, "figcaption"))


def test_a_fifth_game_cannot_be_picked_on_a_further_page_either(seat, join, timed):
    me = join(timed.url, "Ada")
    for player in (me, *(join(timed.url) for _ in range(4))):
        finished(player, 3, "daily")
    table = seat(me, "#/rules")
    table.page.route(
        "**/results?*", lambda route: route.continue_(url=route.request.url.replace("limit=50", "limit=4"))
    )
    go(table, "#/daily")
    until(lambda: len(rows(table)) == 4)
    boxes = table.page.locator("#view .list input")
    for n in range(4):
        boxes.nth(n).check()

    table.button("Show more").click()

    until(lambda: len(rows(table)) == 5)
    assert boxes.nth(4).is_disabled()


def test_others_games_are_sealed_until_one_s_own_first_attempt_is_final(seat, me, other):
    theirs = finished(other, 10, "daily")
    table = seat(me, "#/daily")
    until(lambda: rows(table))
    assert table.page.locator("#view .list input").count() == 0
    assert "is shown once your first attempt is final" in text(table)
    go(table, f"#/replay/{theirs['id']}")
    until(lambda: "This game is sealed." in text(table))
    table.quiet(FOUND)
    finished(me, 5, "daily")
    go(table, "#/daily")

    until(lambda: table.page.locator("#view .list input").count() >= 2)


def test_an_unused_undo_is_given_up_to_see_the_others(seat, join, timed):
    me, other = join(timed.url, "Ada"), join(timed.url, "Grace")
    finished(other, 10, "daily")
    game = me.new("daily")
    while game["status"] == "running":
        game = me.play(game, 1)
    assert not game["final"]
    table = seat(me, "#/daily")
    table.button("Give up the undo").click()
    table.page.locator("dialog").get_by_role("button", name="Give up the undo").click()

    until(lambda: table.page.locator("#view .list input").count() == 2)
    assert me.game(game["id"])["outcome"] == "no_moves"


def test_a_past_date_is_played_as_practice_once_it_is_revealed(seat, join, timed, clock):
    me = join(timed.url)
    finished(me, 3, "daily")
    clock.forward(DAY)
    table = seat(me, "#/daily/2027-01-15")
    until(lambda: "practice opens, on" in text(table))
    clock.forward(DAY)
    go(table, "#/daily")
    table.page.get_by_role("link", name=re.compile("15 January 2027")).click()
    table.button("Play it as practice").click()
    seed = answer(me.get("/daily/2027-01-15"))["seed"]

    assert table.shows(mode="practice")["seed"] == seed


@pytest.mark.parametrize("date", ["2027-01-14", "2027-01-23", "someday", "2027-02-30"])
def test_a_date_without_a_puzzle_leads_on_to_today_s(seat, join, timed, date):
    """The day before the service's first, one too far ahead, and what is no date."""
    table = seat(join(timed.url), f"#/daily/{date}")
    table.page.wait_for_selector(".failure")
    table.page.get_by_role("link", name="Today").click()
    until(lambda: text(table, ".countdown"))
    table.quiet("status of 404", "status of 422")


def test_a_result_is_shared_in_squares(seat, join, timed):
    me = join(timed.url)
    game = finished(me, 30, "daily")
    table = seat(me, "#/daily", permissions=["clipboard-read", "clipboard-write"])
    table.button("Share: Attempt 1").click()
    until(lambda: "Copied" in table.notices)
    told = table.page.evaluate("navigator.clipboard.readText()").splitlines()

    assert told[0] == f"2048 Daily {game['date']}"
    assert f"{game['score']:,} points" in told[1] or "point" in told[1]
    assert [len(line) for line in told[2:6]] == [4, 4, 4, 4]
    assert [[square == "⬜" for square in line] for line in told[2:6]] == [
        [not tile for tile in row] for row in game["board"]
    ]
    assert told[6] == f"{me.url}/#/daily/{game['date']}"


# Lists.


def test_rankings_are_by_category_and_period_and_come_page_by_page(seat, join, timed):
    players = [join(timed.url, f"Player {n:02}") for n in range(53)]
    for player in players:
        finished(player, 2, "moves100")
    last = max(players, key=lambda one: answer(one.get("/leaderboards?mode=moves100"))["me"]["rank"])
    table = seat(last, "#/leaders/moves100-4-1/week")
    until(lambda: len(rows(table)) == 51)
    assert "53" in rows(table)[-1] and "you" in rows(table)[-1]
    table.button("Show more").click()
    until(lambda: len(rows(table)) == 53)
    assert [int(row.split()[0]) for row in rows(table)] == list(range(1, 54))
    choose(table, "Mode", "classic")
    until(lambda: "Nobody has finished" in text(table))
    choose(table, "Board size", "5")
    table.button("Today").click()

    until(lambda: address(table).endswith("#/leaders/classic-5-1/day"))


def test_records_tell_bests_and_tiles(seat, me):
    game = finished(me, 40)
    table = seat(me, "#/records")
    until(lambda: rows(table))
    records = answer(me.get("/players/me/records"))

    assert "Classic · 4 × 4" in rows(table)[0]
    assert f"{records['totals']['best_score']:,}" in rows(table)[0]
    reached = table.page.locator(".ladder li:not(.missing) .face").all_inner_texts()
    assert int(reached[-1]) == records["totals"]["best_max_tile"] >= game["max_tile"]
    assert len(reached) == records["totals"]["best_max_tile"].bit_length() - 1


def test_history_is_searched_by_mode_and_goes_on(seat, me):
    over, sprint = finished(me, 6), played(me, 3, "sprint")
    me.do(sprint["id"], "pause")
    table = seat(me, "#/history")
    cards = table.page.locator(".card")
    until(lambda: cards.count() == 2)
    assert boards(table) == [sprint["board"], over["board"]]
    choose(table, "Mode", "classic")
    until(lambda: cards.count() == 1 and "Given up" in text(table))
    choose(table, "Mode", "all")
    table.button("Open").click()
    until(lambda: cards.count() == 1 and "Sprint" in text(table))
    assert address(table).endswith("#/history?status=open")
    table.page.get_by_role("link", name=re.compile("^Continue: Sprint")).click()

    until(lambda: table.game_id == sprint["id"])


def test_history_comes_page_by_page(seat, me):
    for _ in range(26):
        me.new("practice")
    table = seat(me, "#/history")
    cards = table.page.locator(".card")
    until(lambda: cards.count() == 24)
    table.button("Show more").click()

    until(lambda: cards.count() == 26)
    assert table.button("Show more").count() == 0


def test_a_game_that_cannot_be_read_is_saved_raw(seat, join, serve):
    service = serve()
    me = join(service.url)
    game = played(me, 3)
    me.do(game["id"], "pause")
    damage(service, game, "UPDATE game SET score = 'many' WHERE key = {}")
    table = seat(me, "#/history")
    until(lambda: "stored data is damaged" in text(table))
    with table.page.expect_download() as saved:
        table.button("Save raw data").click()

    assert json.loads(saved.value.path().read_text())["events"]


# Proof.


def drop(table, content, name="record.json"):
    """A file dropped on the page."""
    table.page.evaluate(
        """([content, name]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([content], name, {type: 'application/json'}));
          for (const kind of ['dragover', 'drop']) {
            document.querySelector('.drop').dispatchEvent(new DragEvent(kind, {dataTransfer: transfer, bubbles: true}));
          }
        }""",
        [content, name],
    )
    return until(lambda: text(table, ".verdict"))


def test_a_dropped_record_is_proved_and_played(seat, me):
    game = finished(me, 12)
    record = answer(me.get(f"/games/{game['id']}/export"))
    table = seat(me, "#/verify")
    told = drop(table, json.dumps(record))

    assert "This game was played here, exactly so" in told
    assert "the seed gives every tile" in told
    table.press("End")
    sees(table, game["board"])


def test_a_changed_record_is_named_untrue_with_the_figure(seat, me):
    game = finished(me, 12)
    record = answer(me.get(f"/games/{game['id']}/export"))
    record["result"]["score"] += 4
    record["digest"] = digest({key: value for key, value in record.items() if key != "digest"})
    table = seat(me, "#/verify")
    told = drop(table, json.dumps(record))

    assert "This record is not true" in told
    assert "result.score" in told
    assert str(record["result"]["score"]) in told


@pytest.mark.parametrize(
    ("content", "told"),
    [("{}", "format"), ("no record", "file"), ('{"format": "other/1"}', "format"), ("", "file")],
)
def test_a_damaged_record_is_refused_with_the_place(table, content, told):
    go(table, "#/verify")
    verdict = drop(table, content)

    assert "This is no record that can be read" in verdict
    assert told in verdict


def test_a_truncated_record_is_refused_and_a_chosen_file_is_read_too(seat, me, tmp_path):
    game = finished(me, 12)
    record = json.dumps(answer(me.get(f"/games/{game['id']}/export")))
    table = seat(me, "#/verify")
    assert "no record" in drop(table, record[: len(record) // 2])
    path = tmp_path / "game.json"
    path.write_text(record)
    table.page.get_by_label("Choose a file").set_input_files(path)

    until(lambda: "exactly so" in text(table, ".verdict"))


# Practice and rules.


def test_a_board_is_set_up_by_mouse_and_keyboard_and_played(table):
    go(table, "#/practice")
    choose(table, "Board size", "3")
    table.button("Clear").click()
    assert table.button("Play this board").get_attribute("aria-disabled") == "true"
    table.page.locator(".palette label").nth(5).click()
    table.button("Row 1, column 1: empty").click()
    table.press("ArrowDown", "ArrowRight", "Enter", "ArrowRight", "Enter", "Delete")
    table.button("Play this board").click()
    table.shows(mode="practice")

    assert table.game["board"] == [[32, 0, 0], [0, 32, 0], [0, 0, 0]]


def test_a_drill_says_whether_a_row_becomes_what_was_said(table, stranger):
    go(table, "#/practice")
    for n in range(1, 7):
        [row] = boards(table, ".drill")[0]
        asked = text(table, ".drill-question")
        way = "left" if "left" in asked else "right"
        board = [row] + [[0] * 4] * 3
        ruled = answer(stranger.post("/slides", json={"board": board, "direction": way}))
        answers = [one[0] for one in boards(table, ".drill-answers")]
        assert answers.count(ruled["board"][0]) == 1
        right = n % 2 == 1
        pick = next(i for i, one in enumerate(answers) if (one == ruled["board"][0]) is right)
        table.page.locator(".drill-answer").nth(pick).click()
        told = until(lambda: text(table, ".drill-told"))
        assert told.startswith("Right." if right else "Not quite.")
        assert f"{ruled['score_delta']} points" in told or "Nothing merges" in told
        sees(table, ruled["board"][:1], ".drill")
        table.button("Next row").click()


def test_the_rules_are_told_on_rows_that_can_be_played(table):
    go(table, "#/rules")
    row = table.page.locator(".playable").nth(1)
    assert boards(table, ".playable:nth-child(2)") == [[[2, 2, 2, 2]]]
    row.get_by_role("button", name="Left").click()
    sees(table, [[4, 4, 0, 0]], ".playable:nth-child(2)")
    table.press("ArrowRight")
    sees(table, [[0, 0, 0, 8]], ".playable:nth-child(2)")
    row.get_by_role("button", name="Start over").click()

    sees(table, [[2, 2, 2, 2]], ".playable:nth-child(2)")


def test_a_lesson_s_board_is_played(table):
    go(table, "#/strategy")
    lesson = boards(table)[0]
    table.page.get_by_role("button", name="Play from this board: Keep the highest tile in a corner").click()

    assert table.shows(mode="practice")["board"] == lesson
