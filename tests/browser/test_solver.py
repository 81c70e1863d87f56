"""What the solver is asked for at the page: hints, where a game went wrong, and what might have been."""

import json
import math
import time

from tests.browser.table import until
from tests.browser.test_views import boards, choose, finished, go, rows, sees, text
from tests.callers import Caller, answer
from twofold_service.usecases.values import Luck, Par, ParLevel
from twofold_solver.reasons import Code

SEED = "07" * 32
ROOM = [[0, 0, 0, 0], [0, 2, 4, 0], [0, 8, 16, 0], [0, 0, 0, 0]]


def over(caller, moves=60):
    """A practice game with tiles of its own, carelessly played and over for good."""
    game = caller.new("practice", seed=SEED, start=True)
    for _ in range(moves):
        game = caller.move(game["id"], min(game["legal_moves"], key=("left", "down", "right", "up").index))["game"]
    return caller.do(game["id"], "abandon")["game"]


def boards_of(caller, game):
    """By moves, from the start on."""
    log = answer(caller.get(f"/games/{game['id']}/events?limit=100"))["items"]
    return [event["board"] for event in log if event["type"] in ("created", "move")], [
        event["direction"] for event in log if event["type"] == "move"
    ]


def advised(table):
    """Return once a hint is there; the first one waits for the solver's process."""
    table.page.locator(".advice").wait_for(timeout=60_000)


def best(caller, board):
    return answer(caller.post("/hints", json={"board": board}))["best"]


# Hints.


def test_a_game_s_first_hint_is_asked_for_twice_and_marks_it(table):
    table.move()
    table.press("t")
    table.page.get_by_role("button", name="Cancel").click()
    assert not table.game["assisted"]

    table.button("Hint").click()
    table.page.locator("dialog").get_by_role("button", name="Hint").click()
    advised(table)
    hint = table.page.locator(".advice")

    assert hint.inner_text().startswith(f"Hint: {best_of(table).capitalize()}.")
    assert table.page.locator(".advice-arrow").get_attribute("data-direction") == best_of(table)
    assert hint.inner_text() == table.page.locator(".announcer").inner_text()
    assert table.game["assisted"]
    assert text(table, ".game-intro") == "Played with hints, not ranked."


def best_of(table):
    return table.page.evaluate(
        "twofold.client.rest.getHint({board: twofold.session.state.board}).then(told => told.best)"
    )


def test_a_hint_is_gone_with_the_next_move_and_the_next_one_needs_no_asking(table):
    table.practise(ROOM)
    table.press("t")
    advised(table)
    table.move()
    assert not table.page.locator(".advice, .advice-arrow").count()

    table.press("t")
    advised(table)
    assert table.game["moves"] == 1


def test_there_is_no_hint_where_nothing_can_be_played(table):
    table.practise([[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 2, 8]])
    hint = table.button("Hint")
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.url))
    assert hint.get_attribute("aria-disabled") == "false"
    table.do("abandon")
    until(lambda: hint.get_attribute("aria-disabled") == "true")
    table.press("t")
    table.page.wait_for_timeout(300)
    assert not [url for url in asked if url.endswith("/hint")]
    assert not table.page.locator(".advice").count()


def test_without_its_solver_the_service_says_so_and_the_game_goes_on(table):
    table.practise(ROOM)
    refused = {"code": "solver_unavailable", "status": 503, "detail": "no weights", "retryable": False}
    table.page.route(
        "**/hint",
        lambda route: route.fulfill(
            status=503, headers={"content-type": "application/problem+json"}, body=json.dumps(refused)
        ),
    )
    table.press("t")
    until(lambda: "The solver is not there right now." in table.notices)
    table.move()
    table.quiet("status of 503")


# What if.


def test_the_same_moves_meet_the_same_tiles_and_leave_nothing_behind(seat, me):
    game = over(me)
    told, ways = boards_of(me, game)
    table = seat(me, f"#/whatif/{game['id']}?move=20")
    sees(table, told[20])

    for board, way in zip(told[21:25], ways[20:24], strict=True):
        table.button(way.capitalize()).click()
        sees(table, board)
    assert table.page.locator(".reel-told").inner_text().startswith(ways[23].capitalize())
    assert "In the game" in text(table, ".facts")
    table.press("u", "u")
    sees(table, told[22])
    table.button("Start over").click()
    sees(table, told[20])
    assert len(answer(me.get("/games"))["items"]) == 1


def test_the_solver_plays_on_move_by_move_until_it_is_stopped(seat, me):
    game = over(me)
    told, _ = boards_of(me, game)
    table = seat(me, f"#/whatif/{game['id']}?move=30")
    sees(table, told[30])
    table.press("t")
    until(lambda: f"Hint: {best(me, told[30]).capitalize()}." in text(table, ".reel-told"), 60)

    pushed = answer(me.post("/slides", json={"board": told[30], "direction": best(me, told[30])}))
    table.button("One best move").click()
    until(lambda: sum(map(sum, boards(table)[0])) - sum(map(sum, pushed["board"])) in (2, 4))
    table.page.locator("#view h1").click()
    table.press(" ")
    until(lambda: figure(table, "Moves") >= 34, 60)
    table.press(" ")
    table.button("Play best moves").wait_for()
    table.press("t")
    until(lambda: "Hint:" in text(table, ".reel-told"))  # a move that was on its way has come before it
    stopped = figure(table, "Moves")
    table.press("u")
    until(lambda: figure(table, "Moves") == stopped - 1)


def test_the_solver_that_is_stopped_and_started_quickly_plays_at_its_own_pace(seat, me):
    game = over(me)
    table = seat(me, f"#/whatif/{game['id']}?move=10")
    table.button("Play best moves").wait_for()
    requests: list[str] = []
    table.page.on("request", lambda request: requests.append(request.url))
    table.page.locator("#view h1").click()

    table.press(" ", " ", " ", " ", " ")
    until(lambda: figure(table, "Moves") >= 12, 60)
    begun = time.monotonic()
    requests.clear()
    table.page.wait_for_timeout(2_100)
    asked = until(lambda: figure(table, "Moves") and sum(url.endswith("/v1/hints") for url in requests))

    assert asked <= 3 * (time.monotonic() - begun) + 1, (
        "it is asked once a move, of which there are three a second at most"
    )


def figure(table, name):
    return int(table.page.locator(".facts > div", has_text=name).locator("dd").inner_text().replace(",", ""))


def test_what_might_have_been_is_played_by_keys_and_swipes(seat, me):
    game = over(me)
    told, ways = boards_of(me, game)
    table = seat(me, f"#/whatif/{game['id']}?move=20")
    sees(table, told[20])
    table.press("wasd"[["up", "left", "down", "right"].index(ways[20])])
    sees(table, told[21])

    box = table.page.locator(".diagram.played").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    dx, dy = {"left": (-60, 0), "right": (60, 0), "up": (0, -60), "down": (0, 60)}[ways[21]]
    table.page.mouse.move(x, y)
    table.page.mouse.down()
    table.page.mouse.move(x + dx, y + dy)
    table.page.mouse.up()
    sees(table, told[22])


def test_a_game_that_goes_on_is_not_tried_out(seat, me):
    game = me.play(me.new(start=True), 3)
    table = seat(me, f"#/whatif/{game['id']}")
    until(lambda: "This game is not over yet." in text(table))
    go(table, f"#/analysis/{game['id']}")
    until(lambda: "This game is not over yet." in text(table))


# Where it went wrong.


def analysis_of(caller, game):
    return until(lambda: (told := answer_when_made(caller, game)) and told, 60)


def answer_when_made(caller, game):
    response = caller.get(f"/games/{game['id']}/analysis")
    return response.json() if response.status_code == 200 else None


def whole(points):
    """As the page rounds: a half always upwards."""
    return math.floor(points + 0.5)


def choices(table):
    return table.page.locator(".fork h3").all_inner_texts()


def test_the_analysis_tells_figures_turning_points_and_both_choices(seat, me):
    game = over(me, 100)
    told, ways = boards_of(me, game)
    made = analysis_of(me, game)
    table = seat(me, f"#/analysis/{game['id']}")
    table.page.wait_for_selector(".judged")
    figures = dict(zip(*(table.page.locator(f".facts {part}").all_inner_texts() for part in ("dt", "dd")), strict=True))
    assert figures["Accuracy"] == f"{made['accuracy']:.1f}".removesuffix(".0") + "%"
    assert figures["Points lost"] == f"{whole(made['loss']):,}"
    assert [int(figures[name]) for name in ("Blunders", "Mistakes", "Inaccuracies")] == list(made["counts"].values())

    turns = made["turning_points"]
    assert len(turns) > 1
    buttons = table.page.locator(".turn")
    assert buttons.count() == len(turns)
    buttons.nth(1).click()
    turn = turns[1]
    before = told[turn["move"] - 1]
    after = [answer(me.post("/slides", json={"board": before, "direction": turn[way]})) for way in ("played", "best")]
    assert boards(table, ".fork") == [before, *(pushed["board"] for pushed in after)]
    assert choices(table) == [
        "Before",
        f"Played: {turn['played'].capitalize()}",
        f"Better: {turn['best'].capitalize()}",
    ]
    assert f"Move {turn['move']} of 100" in text(table, ".judged-head")
    assert f"by {whole(turn['loss']):,} points" in text(table, ".judged .prose")
    assert table.page.locator(".judged .prose p").count() == 1 + max(1, len(turn["reasons"]))
    assert ways[turn["move"] - 1] == turn["played"]


def test_every_move_is_gone_to_by_keys_and_by_the_chart(seat, me):
    game = over(me, 100)
    made = analysis_of(me, game)
    table = seat(me, f"#/analysis/{game['id']}")
    table.page.wait_for_selector(".judged")
    moves = [turn["move"] for turn in made["turning_points"]]

    def at():
        return int(text(table, ".judged-head").split()[1])

    assert at() == moves[0]
    table.press("Shift+ArrowRight")
    assert at() == moves[1]
    assert table.page.locator(".turn[aria-pressed=true] strong").inner_text() == f"Move {moves[1]}"
    assert table.page.locator(".announcer").inner_text().startswith(f"Move {moves[1]} of 100 ")
    table.press("ArrowRight")
    assert at() == moves[1] + 1
    table.press("Home", "ArrowLeft")
    assert at() == 1
    table.press("End")
    assert at() == 100
    replay = table.page.get_by_role("link", name="Replay with best moves")
    replay.focus()
    table.press("Home", "End")
    assert replay.evaluate("link => link === document.activeElement")
    box = table.page.locator(".chart-lines").nth(1).bounding_box()
    table.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert 30 < at() < 75

    table.page.get_by_role("link", name="Replay with best moves").click()
    table.page.wait_for_selector(".reel")
    table.button("Stop").click()
    assert "What if" in text(table, "h1")


def test_a_game_that_keeps_an_undo_is_analysed_once_that_is_given_up(seat, me):
    game = me.play(me.new("moves100", start=True), 100)
    assert (game["status"], game["final"]) == ("over", False)
    table = seat(me, f"#/analysis/{game['id']}")
    table.page.get_by_role("button", name="Give up the undo").click()
    table.page.wait_for_selector(".judged", timeout=60_000)
    assert me.game(game["id"])["final"]


def test_how_far_an_analysis_is_can_be_seen(seat, me):
    game = over(me)
    table = seat(me, opened=False)
    pending = [{"state": "queued", "progress": 0.0}, {"state": "running", "progress": 0.4}]

    def meanwhile(route):
        if pending:
            route.fulfill(status=202, content_type="application/json", body=json.dumps(pending[0]))
        else:
            route.continue_()

    table.page.route("**/analysis", meanwhile)
    table.open(f"#/analysis/{game['id']}")
    bar = table.page.locator("progress")
    until(lambda: bar.count() and bar.evaluate("bar => bar.value") == 0)
    del pending[0]
    until(lambda: bar.evaluate("bar => bar.value") == 0.4)
    del pending[0]
    table.page.wait_for_selector(".judged", timeout=60_000)


def test_on_other_sizes_the_solver_only_compares(seat, me):
    game = me.play(me.new("classic", size=5, start=True), 5)
    me.do(game["id"], "abandon")
    table = seat(me, f"#/analysis/{game['id']}")
    table.page.wait_for_selector(".judged", timeout=60_000)
    assert "can compare the moves of a position" in text(table)
    assert table.page.locator(".chart").count() == 1


def test_every_reason_has_its_words(table):
    codes = [code.value for code in Code]
    fields = {"tile": 64, "tiles": [64, 32], "between": [64, 128], "chance": 0.25, "better": 0.1, "worse": 3}
    for language in ("en", "de"):
        told = table.page.evaluate(
            """async ([codes, fields, language]) => {
              const base = document.querySelector('script[src]').src.replace('app.js', '');
              const [{reason}, {speak, learn}] = await Promise.all(
                [import(`${base}game/hint.js`), import(`${base}i18n.js`)]);
              await speak(language);
              await learn();
              return codes.map(code => reason({code, ...fields}));
            }""",
            [codes, fields, language],
        )
        assert len(set(told)) == len(codes)
        assert not [words for words in told if not words.endswith(".") or "{" in words or "undefined" in words]


# Par and bots.


def test_a_date_s_par_stands_beside_its_puzzle(seat, join, serve, clock):
    service = serve(now=clock)
    me = join(service.url)
    finished(me, 10, "daily")
    date = answer(me.get("/daily"))["date"]
    clock.forward(3 * 86_400)
    par = Par(tuple(ParLevel(n, n * 10_000, 16_384) for n in (1, 2, 3)), 96, 80, Luck(2, 48, 21_500, 0.729))

    async def known(_: str) -> Par:
        return par

    service.service.pars.of_date = known
    table = seat(me, f"#/daily/{date}")
    until(lambda: "Par of the day" in text(table))
    panel = table.page.locator(".panel", has_text="Par of the day")
    assert panel.locator("dt").all_inner_texts() == [*(f"Solver, level {n}" for n in (1, 2, 3)), "Best", "Median"]
    assert panel.locator("dd").all_inner_texts() == [
        *(f"{n}0,000 Highest tile 16,384" for n in (1, 2, 3)),
        "96",
        "80",
    ]
    assert "better than 72.9% of 48 others, on which the solver makes 21,500 points" in panel.inner_text()


def test_bots_and_games_with_hints_are_marked_and_listed_apart(seat, join, serve):
    service = serve()
    ada, grace = join(service.url, "Ada"), join(service.url, "Grace")
    with Caller(service.url) as nobody:
        made = answer(nobody.post("/players", json={"name": "Deep", "bot": True}), 201)
    bot = Caller(service.url, made["token"])
    game = ada.play(ada.new(start=True), 5)
    answer(ada.get(f"/games/{game['id']}/hint"))
    ada.do(game["id"], "abandon")
    finished(grace, 6)
    finished(bot, 7)

    table = seat(ada, "#/leaders")

    def listed():
        return table.page.locator("#view .list tbody .name > span:first-child").all_inner_texts()

    until(lambda: listed() == ["Grace"])
    choose(table, "Players", "assisted")
    until(lambda: sorted(listed()) == ["Ada", "Grace"])
    assert sum("with hints" in row for row in rows(table)) == 1
    choose(table, "Players", "bots")
    until(lambda: listed() == ["Deep [bot]"])
    go(table, "#/history")
    until(lambda: "with hints" in text(table, ".card"))
    bot.close()
