"""Reading: who sees what, the log in parts, the record, and where a record comes from."""

import json

import pytest

from tests.engine.documents import another, changed, leaves
from twofold.board import Direction
from twofold.record import digest
from twofold_service.errors import CorruptGame, Forbidden, Invalid, NotFound

ADDRESS = "198.51.100.7"


@pytest.fixture
async def game(house, ada):
    """A game of a dozen moves, one of them taken back."""
    view = await house.moves(await house.begin(ada, undo_limit=5), 12)
    await house.do(view, "undo")
    return view


async def damage(house, view, change):
    """A stored row changed behind the service's back."""
    await house.service.journal.run(lambda connection: connection.exec_driver_sql(change))
    room = house.rooms.get(view.header.id)
    if room is not None:
        house.rooms.drop(room)


async def versions(house, view, after, limit=None):
    _, _, events = await house.reading.events(view.header.id, view.header.player, after, limit)
    return [event.version async for event in events]


async def verify(house, record, viewer=None, *, seal=False):
    if seal:
        record = record | {"digest": digest(record)}
    return await house.reading.verify(json.dumps(record).encode(), viewer, ADDRESS)


@pytest.mark.parametrize(
    ("after", "limit", "expected"),
    [
        (0, None, range(1, 15)),
        (0, 3, range(1, 4)),
        (3, 4, range(4, 8)),
        (12, 9, range(13, 15)),
        (14, 9, ()),
        (15, 9, ()),
        (300, 9, ()),
        (2**53, None, ()),
    ],
)
async def test_the_log_is_read_in_parts(house, game, after, limit, expected):
    assert await versions(house, game, after, limit) == list(expected)


async def test_the_log_is_read_over_keyframes(house, ada):
    practice = await house.begin(ada, "practice", size=8, seed="44" * 32)
    await house.moves(practice, 520)

    assert await versions(house, practice, 0) == list(range(1, 522))
    for after in (254, 255, 256, 257, 511, 512):
        assert await versions(house, practice, after, 3) == [after + 1, after + 2, after + 3]


async def test_a_private_game_is_its_player_s_alone(house, ada):
    private, bob = await house.begin(ada, visibility="private"), await house.join()

    for viewer in (bob, None):
        for reading in (
            house.reading.view(private.header.id, viewer),
            house.reading.events(private.header.id, viewer, 0),
            house.reading.export(private.header.id, viewer),
        ):
            with pytest.raises(NotFound):
                await reading
    with pytest.raises(NotFound):
        await house.reading.raw(private.header.id, bob)
    assert (await house.reading.view(private.header.id, ada)).header.private


async def test_a_list_has_the_player_s_games_newest_first_page_by_page(house, ada):
    made = [await house.begin(ada) for _ in range(5)]
    await house.begin(await house.join())

    pages, before = [], None
    for _ in range(3):
        page, before = await house.reading.page(ada, None, None, 2, before)
        pages.append([view.header.id for view in page])

    ids = [view.header.id for view in reversed(made)]
    assert pages == [ids[:2], ids[2:4], ids[4:]]
    assert before is None


@pytest.mark.parametrize(
    ("mode", "status", "count"),
    [
        (None, "open", 4),
        (None, "ready", 1),
        (None, "running", 1),
        (None, "paused", 1),
        (None, "won", 1),
        (None, "over", 1),
        ("classic", None, 3),
        ("classic", "paused", 1),
        ("sprint", "over", 0),
    ],
)
async def test_a_list_is_narrowed_by_mode_and_status(house, ada, mode, status, count):
    await house.begin(ada)
    await house.do(await house.begin(ada), "pause")
    await house.do(await house.begin(ada), "abandon")
    await house.begin(ada, "sprint")
    won = await house.begin(ada, "practice", board=[[1024, 1024, 0], [0, 0, 0], [0, 0, 0]])
    await house.move(won, Direction.LEFT)

    games, _ = await house.reading.page(ada, mode, status, 100, None)

    assert len(games) == count


async def test_a_record_proves_itself_and_says_that_it_was_played_here(house, game):
    record = await house.reading.export(game.header.id, None)

    verified = await verify(house, record)

    assert (verified.verdict.valid, verified.verdict.proof, verified.origin) == (True, "consistent", "stored")


async def test_a_finished_record_is_proved_by_its_seed(house, game):
    await house.do(game, "abandon")
    record = await house.reading.export(game.header.id, None)

    verified = await verify(house, record)

    assert (verified.verdict.valid, verified.verdict.proof, verified.origin) == (True, "seed", "stored")


async def test_a_record_of_a_game_that_went_on_is_still_the_stored_one(house, game):
    running = await house.reading.export(game.header.id, None)
    await house.moves(game, 3)
    await house.do(game, "abandon")
    await house.players.rename(game.header.player, "Grace")
    house.now.forward(6)

    assert (await verify(house, running)).origin == "stored"


@pytest.mark.parametrize(
    "change",
    [
        {"score": 1_000_000},
        {"active_ms": 1},
        {"pauses": 3},
    ],
)
async def test_a_record_that_was_changed_differs(house, game, change):
    await house.do(game, "abandon")
    record = await house.reading.export(game.header.id, None)

    changed = await verify(house, record | {"result": record["result"] | change})
    sealed = await verify(house, record | {"result": record["result"] | change}, seal=True)

    assert not changed.verdict.valid
    assert not sealed.verdict.valid
    assert sealed.origin == "differs"


@pytest.mark.parametrize("part", [{"player": {"id": "somebody", "name": "Ada"}}, {"attempt": 3}, {"mode": "moves100"}])
async def test_a_record_with_another_s_figures_differs_under_a_digest_of_its_own(house, game, part):
    record = await house.reading.export(game.header.id, None)

    verified = await verify(house, record | {"game": record["game"] | part}, seal=True)

    assert verified.origin == "differs"


@pytest.fixture
async def whole_record(house, ada):
    """Of a timed game with every kind of event, its clock at an odd instant."""
    game = await house.begin(ada, "sprint")
    for op in ("start", "undo", "pause", "resume", "abandon"):
        house.now.forward(0.2507)
        if op == "undo":
            await house.moves(game, 6)
        await house.do(game, op)
    return await house.reading.export(game.header.id, None)


async def test_with_any_value_changed_a_record_was_not_played_here(house, whole_record):
    told = {}
    for place, value in leaves(whole_record):
        try:
            verified = await verify(house, changed(whole_record, place, another(place, value)), seal=True)
        except Invalid:
            continue  # such a value can stand in no record
        told[place] = verified.origin

    stored = {place for place, origin in told.items() if origin == "stored"}
    assert stored == {("game", "player", "name"), ("digest",)}  # it may have been another then; the seal was made anew
    assert {place for place, origin in told.items() if origin == "unknown"} == {("game", "id")}
    assert {("game", name) for name in ("created_at", "started_at", "ended_at", "mode", "attempt")} <= set(told)


async def test_a_record_longer_than_the_stored_game_differs(house, game):
    before = await house.reading.export(game.header.id, None)
    longer = before | {"events": [*before["events"], ["pause", None, 0, "player", None]]}

    assert (await verify(house, longer, seal=True)).origin == "differs"


async def test_a_record_of_a_game_that_nobody_here_played_is_unknown(house, game):
    record = await house.reading.export(game.header.id, None)

    verified = await verify(house, record | {"game": record["game"] | {"id": "elsewhere"}}, seal=True)

    assert verified.origin == "unknown"


async def test_whether_a_private_or_sealed_game_was_played_here_is_told_to_those_who_may_see_it(house, ada):
    private, daily = await house.begin(ada, visibility="private"), await house.begin(ada, "daily")
    records = [await house.reading.export(view.header.id, ada) for view in (private, daily)]

    origins = {viewer: [(await verify(house, record, viewer)).origin for record in records] for viewer in (ada, None)}

    assert origins == {ada: ["stored", "stored"], None: ["unknown", "unknown"]}


async def test_a_long_record_is_written_elsewhere_and_is_the_same(house, ada):
    practice = await house.begin(ada, "practice", size=6, seed="55" * 32)
    await house.moves(practice, 310)

    verified = await verify(house, await house.reading.export(practice.header.id, None))

    assert (verified.verdict.valid, verified.verdict.proof, verified.origin) == (True, "seed", "stored")


@pytest.mark.parametrize("source", [b"", b"{", b"[]", b"null", b'{"format":"other"}', b"\xff", b"[" * 100_000])
async def test_what_is_no_record_is_refused_with_the_place(house, source):
    with pytest.raises(Invalid) as refused:
        await house.reading.verify(source, None, ADDRESS)

    assert [place[0] for place, _ in refused.value.errors] == ["body"]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE game SET score = score + 4",
        "UPDATE game SET cells = substr(cells, 1, 7)",
        "UPDATE game SET cells = zeroblob(16)",
        "UPDATE game SET cells = 'no bytes'",
        "UPDATE game SET seed = 'no bytes'",
        "UPDATE game SET version = version + 1",
        "UPDATE game SET status = 'dancing'",
        "UPDATE game SET outcome = 'no_moves'",
        "UPDATE game SET size = 99",
        "UPDATE game SET mode = 'blitz'",
        "UPDATE game SET moves = -1",
        "UPDATE game SET at = at + 1",
        "UPDATE game SET at = 'soon'",
        "UPDATE game SET banked = 'a while'",
        "UPDATE game SET peak_score = 0.5",
        "UPDATE game SET created_at = 'once'",
        "UPDATE game SET date = 'never'",
        "DELETE FROM event WHERE version = 14",
    ],
)
async def test_a_game_that_cannot_be_read_says_so_and_harms_no_other(house, ada, game, change):
    sound = await house.begin(await house.join())
    where = f" {'AND' if 'WHERE' in change else 'WHERE'} {'game' if 'DELETE' in change else 'key'} = {game.header.key}"
    await damage(house, game, change + where)

    with pytest.raises(CorruptGame):
        await house.see(game)
    with pytest.raises(CorruptGame):
        await house.do(game, "pause")

    assert (await house.logs.raw(game.header.id)).player == ada.key
    assert len((await house.reading.page(ada, None, None, 10, None))[0]) == 1
    assert (await house.move(sound)).event.version == 2


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM event WHERE version = 5 AND game = {}",
        "UPDATE event SET direction = 9 WHERE version = 5 AND game = {}",
        "UPDATE event SET type = 99 WHERE version = 5 AND game = {}",
        "UPDATE event SET at = 0 WHERE version = 5 AND game = {}",
        "UPDATE event SET cell = 99 WHERE version = 5 AND game = {}",
        "UPDATE event SET tile = 3 WHERE version = 5 AND game = {}",
        "UPDATE event SET frame = 'x' WHERE version = 1 AND game = {}",
        "UPDATE event SET frame = NULL WHERE version = 1 AND game = {}",
        "UPDATE event SET frame = x'5b5d' WHERE version = 1 AND game = {}",
        "UPDATE event SET frame = x'5b315d' WHERE version = 14 AND game = {}",
    ],
)
async def test_a_log_that_cannot_be_read_says_so(house, ada, game, change):
    await damage(house, game, change.format(game.header.key))

    with pytest.raises(CorruptGame):
        await versions(house, game, 0)

    assert (await house.logs.raw(game.header.id)).player == ada.key


async def test_the_stored_rows_are_their_player_s_and_without_the_seed(house, ada, game):
    rows = await house.reading.raw(game.header.id, ada)

    assert game.game.seed.hex() not in json.dumps([rows.game, rows.events])
    assert [event["version"] for event in rows.events] == list(range(1, 15))
    with pytest.raises(Forbidden):
        await house.reading.raw(game.header.id, await house.join())
