"""Players: known by tokens that follow one another, on up to five devices, and gone when they wish to be."""

import asyncio
from hashlib import sha256

import pytest

from tests.usecases.house import Seat
from twofold_service.errors import NotFound, RateLimited, Unauthorized

ADDRESS = "198.51.100.7"


@pytest.fixture
async def made(house):
    """A player and the token told at the start."""
    return await house.players.create("Ada")


@pytest.fixture
def knows(house):
    """Whether a token is known."""

    async def ask(token: str) -> bool:
        try:
            await house.players.by_token(token)
        except Unauthorized:
            return False
        return True

    return ask


async def rotate(house, token, *, others=False):
    """A new token asked for with an old one."""
    return await house.players.new_token(await house.players.by_token(token), others=others)


async def link(house, token, address=ADDRESS):
    """A further device's token."""
    code, _ = await house.players.new_link(await house.players.by_token(token))
    return (await house.players.use_link(code, address))[1]


async def test_a_token_is_kept_only_as_its_hash(house, made):
    _, token = made

    stored = house.path.read_bytes() + house.path.with_name(house.path.name + "-wal").read_bytes()

    assert sha256(token.encode()).digest() in stored
    assert token.encode() not in stored


@pytest.mark.parametrize("token", ["", "x", "tf_", "tf_" + "A" * 43, "ä", "\0", "\ud800", "x" * 10_000])
async def test_what_is_no_token_is_not_known(house, made, token):
    with pytest.raises(Unauthorized):
        await house.players.by_token(token)

    assert house.players.known(token) is None


async def test_a_token_is_asked_of_storage_every_few_seconds_only(house, made):
    player, token = made
    await house.players.by_token(token)

    at_once = house.players.known(token)
    house.now.forward(5.1)

    assert at_once == player
    assert house.players.known(token) is None


async def test_the_old_token_serves_until_the_new_one_is_first_used(house, made, knows):
    _, old = made

    new = await rotate(house, old)

    assert [await knows(old), await knows(old), await knows(new), await knows(old)] == [True, True, True, False]


async def test_the_old_token_serves_a_minute_at_most(house, made, knows):
    _, old = made
    new = await rotate(house, old)

    house.now.forward(59.9)
    before = await knows(old)
    house.now.forward(0.1)

    assert (before, await knows(old), await knows(new)) == (True, False, True)


async def test_the_old_token_s_sockets_end_with_it_and_no_others(house, made):
    _, old = made
    seats = [Seat() for _ in range(2)]
    for seat in seats:
        house.live.open(seat)
    house.live.greet(seats[0], await house.players.by_token(old))
    new = await rotate(house, old)

    house.live.greet(seats[1], await house.players.by_token(new))

    assert [seat.ended for seat in seats] == [True, False]


async def test_the_old_token_s_sockets_end_after_a_minute_where_the_new_one_is_never_used(house, made):
    _, old = made
    seat = Seat()
    house.live.open(seat)
    house.live.greet(seat, await house.players.by_token(old))
    await rotate(house, old)
    house.now.forward(59)
    house.players.end_expired()
    before = seat.ended

    house.now.forward(1)
    house.players.end_expired()

    assert (before, seat.ended) == (False, True)


async def test_a_new_token_may_end_all_others_at_once(house, made, knows):
    _, first = made
    devices = [await link(house, first) for _ in range(3)]
    seat = Seat()
    house.live.open(seat)
    house.live.greet(seat, await house.players.by_token(devices[2]))

    new = await rotate(house, devices[0], others=True)

    assert [await knows(token) for token in (first, *devices)] == [False, True, False, False]
    assert seat.ended
    assert await knows(new)


async def test_a_new_token_leaves_the_other_devices_alone(house, made, knows):
    _, first = made
    device = await link(house, first)

    new = await rotate(house, first)

    assert [await knows(token) for token in (new, device, first)] == [True, True, False]


async def test_two_new_tokens_asked_for_at_once_both_serve(house, made, knows):
    _, old = made
    player = await house.players.by_token(old)

    first, second = await asyncio.gather(*[house.players.new_token(player, others=False) for _ in range(2)])

    assert [await knows(first), await knows(old), await knows(second)] == [True, False, True]


async def test_a_sixth_token_ends_the_least_recently_used(house, made, knows):
    _, first = made
    tokens = [first]
    for _ in range(4):
        house.now.forward(120)
        tokens.append(await link(house, first))
    house.now.forward(120)
    for token in (first, tokens[2], tokens[3], tokens[4]):
        assert await knows(token)

    sixth = await link(house, first)

    assert [await knows(token) for token in (*tokens, sixth)] == [True, False, True, True, True, True]


@pytest.mark.parametrize("said", ["{}", "{} ", "-{}", "lower"])
async def test_a_code_makes_another_device_the_player_s_once(house, made, said):
    player, _ = made
    code, expires_at = await house.players.new_link(player)
    spoken = code.lower() if said == "lower" else said.format(code)

    linked, token = await house.players.use_link(spoken, ADDRESS)

    assert (linked.id, (await house.players.by_token(token)).id) == (player.id, player.id)
    assert expires_at - house.now() == 600_000_000
    with pytest.raises(NotFound):
        await house.players.use_link(code, ADDRESS)


async def test_a_code_is_read_with_the_letters_that_look_like_its_digits(house, made):
    player, _ = made
    house.players._random = lambda count: bytes([0, 1, 1, 0, 31, 10, 16, 19])[:count]
    code, _ = await house.players.new_link(player)

    linked, _ = await use_with_chance(house, "oIlO-zagk")

    assert code == "0110ZAGK"
    assert linked.id == player.id


async def use_with_chance(house, code):
    house.players._random = lambda count: bytes(range(count))
    return await house.players.use_link(code, ADDRESS)


async def test_a_code_has_eight_characters_that_nobody_mistakes(house, made):
    player, _ = made

    codes = [(await house.players.new_link(player))[0] for _ in range(50)]

    assert {len(code) for code in codes} == {8}
    assert set("".join(codes)) <= set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    assert len(set(codes)) == 50


async def test_a_player_has_one_open_code(house, made):
    player, _ = made
    first, _ = await house.players.new_link(player)
    second, _ = await house.players.new_link(player)

    with pytest.raises(NotFound):
        await house.players.use_link(first, ADDRESS)

    assert (await house.players.use_link(second, ADDRESS))[0].id == player.id


@pytest.mark.parametrize(("seconds", "serves"), [(599.9, True), (600, False)])
async def test_a_code_serves_ten_minutes(house, made, seconds, serves):
    player, _ = made
    code, _ = await house.players.new_link(player)
    house.now.forward(seconds)

    try:
        served = (await house.players.use_link(code, ADDRESS))[0].id == player.id
    except NotFound:
        served = False

    assert served is serves


async def test_after_ten_wrong_codes_an_address_waits_an_hour(house, made):
    player, _ = made
    code, _ = await house.players.new_link(player)
    for _ in range(10):
        with pytest.raises(NotFound):
            await house.players.use_link("WRONG000", ADDRESS)

    with pytest.raises(RateLimited) as refused:
        await house.players.use_link(code, ADDRESS)

    assert 3590 < (refused.value.retry_after or 0) <= 3601
    assert (await house.players.use_link(code, "198.51.100.8"))[0].id == player.id
    house.now.forward(3600)
    with pytest.raises(NotFound):
        await house.players.use_link("WRONG000", ADDRESS)


async def test_right_codes_are_not_counted_as_wrong(house, made):
    player, _ = made

    for _ in range(12):
        code, _ = await house.players.new_link(player)
        await house.players.use_link(code, ADDRESS)


async def test_wrong_codes_sent_at_once_are_counted_all_the_same(house, made):
    tries = [house.players.use_link(f"WRONG{number:03}", ADDRESS) for number in range(50)]

    outcomes = [type(outcome) for outcome in await asyncio.gather(*tries, return_exceptions=True)]

    assert (outcomes.count(NotFound), outcomes.count(RateLimited)) == (10, 40)


async def test_a_new_name_is_everybody_s_at_once(house, made):
    player, token = made
    game = await house.begin(player)

    await house.players.rename(player, "Grace")
    seen = await house.reading.view(game.header.id, await house.players.by_token(token))
    house.now.forward(5.1)

    assert seen.header.player.name == "Grace"
    assert (await house.reading.view(game.header.id, None)).header.player.name == "Grace"


async def test_a_deleted_player_is_gone_at_once(house, made, knows):
    player, token = made
    device = await link(house, token)
    code, _ = await house.players.new_link(player)
    game = await house.moves(await house.begin(player, "moves100"), 3)
    await house.do(game, "abandon")

    await house.players.delete(player)

    assert [await knows(token), await knows(device)] == [False, False]
    for gone in (house.reading.view(game.header.id, None), house.players.use_link(code, ADDRESS)):
        with pytest.raises(NotFound):
            await gone
    with pytest.raises(NotFound):
        await house.do(game, "undo")
    assert house.players.known(token) is None


async def test_a_deleted_player_has_no_place_in_the_daily(house, made):
    player, _ = made
    game = await house.moves(await house.begin(player, "daily"), 3)
    await house.do(game, "abandon")
    await house.begin(await house.join(), "daily")
    date = game.header.date
    before = await house.daily.players(date), (await house.rankings.best(date)).game

    await house.players.delete(player)

    assert before == (2, game.header.id)
    assert (await house.daily.players(date), await house.rankings.best(date)) == (1, None)


async def rows(house, table):
    count = f"SELECT count(*) FROM {table}"  # noqa: S608
    return await house.service.readers.ask(lambda session: session.connection().exec_driver_sql(count).scalar())


async def test_what_a_deleted_player_left_is_swept_away_and_nothing_else(house, made):
    player, _ = made
    bob, _ = await house.players.create("Bob")
    kept = await house.moves(await house.begin(bob), 4)
    await house.moves(await house.begin(player), 9)
    await house.begin(player, key="k")
    await house.players.delete(player)

    await house.players.sweep()

    counts = {table: await rows(house, table) for table in ("player", "game", "event", "token", "create_key")}
    assert counts == {"player": 1, "game": 1, "event": 5, "token": 1, "create_key": 0}
    assert (await house.see(kept)).game.version == 5


async def test_players_who_never_moved_go_after_a_week_and_those_who_moved_stay(house):
    idle, looker, mover = [(await house.players.create(name))[0] for name in ("idle", "looker", "mover")]
    await house.begin(looker)
    await house.moves(await house.begin(mover), 1)
    house.now.forward(7 * 86_400 - 1)
    await house.players.sweep()
    before = await rows(house, "player")

    house.now.forward(2)
    await house.players.sweep()

    assert (before, await rows(house, "player")) == (3, 1)
    assert await house.players._store.player(mover.key) is not None
    assert [await house.players._store.player(player.key) for player in (idle, looker)] == [None, None]


async def test_a_player_hidden_from_outside_keeps_the_token_and_loses_the_name_within_five_seconds(house, made, knows):
    player, token = made
    game = await house.begin(player)
    await house.moves(game, 2)
    hide = "UPDATE player SET hidden = 1 WHERE id = ?"
    await house.service.journal.run(lambda connection: connection.exec_driver_sql(hide, (player.id,)))

    house.now.forward(5.1)

    assert (await house.players.by_token(token)).name == "–"
    assert (await house.reading.view(game.header.id, None)).header.player.name == "–"
    assert await knows(token)


async def test_a_hidden_player_is_not_the_best_of_a_day(house, made):
    player, _ = made
    game = await house.moves(await house.begin(player, "daily"), 3)
    await house.do(game, "abandon")
    hide = "UPDATE player SET hidden = 1 WHERE id = ?"

    await house.service.journal.run(lambda connection: connection.exec_driver_sql(hide, (player.id,)))

    assert await house.rankings.best(game.header.date) is None
