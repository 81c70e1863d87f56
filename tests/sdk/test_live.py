"""Live games: played and watched over one connection, and whatever answers at its other end."""

import asyncio
import json
import time

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from tests.sdk.fakes import listening
from tests.sdk.test_conversation import WELCOME
from twofold.game import EventType
from twofold_client import AsyncClient, LiveGame, Retry, errors

SOON = Retry(deadline=10, first=0.01, patience=10)


async def test_a_game_is_played_and_its_events_come_in_order_and_once(aclient):
    async with aclient.live() as live:
        game = live.game(await aclient.new_game("classic"))
        played = [await game.move(game.state.legal_moves[0]) for _ in range(5)]
        await game.abandon()

        seen = [event async for event in live.game(game.id, since=0)]

    assert [event.version for event in seen] == [1, 2, 3, 4, 5, 6, 7]
    assert seen[1:6] == played
    assert game.state.final and game.state.seed == seen[-1].seed


async def test_what_others_play_is_watched_without_a_token(url, aclient):
    game = await aclient.new_game("classic")
    async with AsyncClient(url) as stranger, stranger.live() as live, live.game(game.id) as watched:
        assert (await watched.watch()).board == game.state.board
        assert watched.role == "spectator"
        played = [await game.move(game.state.legal_moves[0]) for _ in range(3)]
        await game.abandon()

        assert [event async for event in watched][:3] == played
        with pytest.raises(errors.Unauthorized):
            await watched.undo()


async def test_a_loop_goes_on_where_it_was_left(aclient):
    async with aclient.live() as live:
        game = live.game(await aclient.new_game("classic"))
        await game.watch()
        for _ in range(4):
            await game.move(game.state.legal_moves[0])
        first = await anext(game)
        await game.unwatch()
        await game.abandon()

        rest = [event.version async for event in game]

    assert (first.version, rest) == (2, [3, 4, 5, 6])


async def test_a_slow_reader_misses_nothing(aclient, monkeypatch):
    monkeypatch.setattr("twofold_client._feed.MOST_UNREAD", 8)
    async with aclient.live() as live:
        game = live.game(await aclient.new_game("practice"))
        await game.watch()
        for _ in range(40):
            await game.move(game.state.legal_moves[0]) if game.state.legal_moves else await game.undo()
        await game.abandon()

        assert [event.version async for event in game] == list(range(2, 43))


async def test_a_stale_version_shows_the_game_over_the_live_channel_too(aclient):
    mine = await aclient.new_game("classic")
    async with aclient.live() as live:
        game = live.game(mine)
        await mine.move(mine.state.legal_moves[0])

        with pytest.raises(errors.StaleVersion):
            await game.pause()

        assert game.state.version == 2
        assert (await game.pause()).type is EventType.PAUSE


async def test_moves_may_be_sent_without_waiting(aclient):
    async with aclient.live() as live:
        game = live.game(await aclient.new_game("practice", size=8))

        events = await asyncio.gather(*[game.move(way, version=None) for way in ("up", "left", "down", "right") * 30])

    moved = [event.version for event in events if event is not None]
    assert moved == list(range(2, 2 + len(moved)))


async def test_nothing_is_known_of_a_game_before_it_is_watched(aclient):
    async with aclient.live() as live:
        with pytest.raises(LookupError, match="watch"):
            _ = live.game("unknown").state
        with pytest.raises(errors.NotFound):
            await live.game("unknown").watch()
        with pytest.raises(errors.NotFound):
            async for _ in live.game("unknown"):
                pass
        await live.ping()


async def test_a_deleted_players_game_is_gone(url, aclient):
    game = await aclient.new_game("classic")
    async with AsyncClient(url) as stranger, stranger.live() as live:
        watched = live.game(game.id)
        await watched.watch()
        await aclient.delete_me()

        with pytest.raises(errors.GameGone):
            async for _ in watched:
                pass


async def test_an_unknown_token_is_told_on_opening(url):
    async with AsyncClient(url, "nobody") as client:
        with pytest.raises(errors.Unauthorized):
            async with client.live():
                pass


async def test_an_ended_token_stops_and_a_changed_one_goes_on(url, aclient):
    async with AsyncClient(url, aclient.token) as other, aclient.live() as mine, other.live() as theirs:
        await aclient.change_token(others=True)
        await aclient.me()

        await mine.ping()
        with pytest.raises(errors.Unauthorized):
            for _ in range(100):
                await theirs.ping()
                await asyncio.sleep(0.02)


async def test_a_closed_connection_says_so_to_whoever_waits(aclient):
    game = await aclient.new_game("classic")
    async with aclient.live() as live:
        reading = asyncio.create_task(_read(live.game(game)))
        await asyncio.sleep(0.05)

    with pytest.raises(errors.LiveClosed):
        await reading
    with pytest.raises(errors.LiveClosed):
        await live.game(game).pause()


async def _read(game: LiveGame) -> list[int]:
    return [event.version async for event in game]


async def test_leaving_the_block_leaves_no_task_behind(aclient):
    before = asyncio.all_tasks()

    async with aclient.live() as live:
        await live.ping()

    assert asyncio.all_tasks() == before


# Something else answers.


async def test_a_service_that_is_not_there_is_given_up_in_time():
    begun = time.monotonic()
    async with AsyncClient("http://127.0.0.1:9", retry=Retry(deadline=0.3, first=0.01)) as client:
        with pytest.raises(errors.ServerVanished, match=r"^no live connection"):
            async with client.live():
                pass

    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    "answer, error",
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<h1/>", errors.NotOurs),
        (b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<h1/>", errors.NotOurs),
        (b"220 mail.example ESMTP\r\n", errors.NotOurs),
        (b"", errors.ServerVanished),
    ],
)
async def test_what_is_no_websocket_is_told_in_one_line(answer, error):
    async def speak(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)

    within = 10 if answer else 0.2  # what says nothing is tried again until then
    async with listening(speak) as url, AsyncClient(url, retry=Retry(deadline=within, first=0.01)) as client:
        with pytest.raises(error) as told:
            async with client.live():
                pass

    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "frames, close, error",
    [
        (["<h1>Hello</h1>"], None, errors.ProtocolError),
        ([json.dumps({"id": 0, "ok": {"protocol": "twofold.v9"}})], None, errors.WrongVersion),
        ([b"\x00"], None, errors.ProtocolError),
        ([], 4504, errors.WrongVersion),
        ([], 4500, errors.Unauthorized),
        ([], 4505, errors.ProtocolError),
    ],
)
async def test_a_service_that_speaks_otherwise_is_left(frames, close, error):
    greeted = 0

    async def speak(socket: ServerConnection) -> None:
        nonlocal greeted
        greeted += 1
        await socket.recv()
        for frame in frames:
            await socket.send(frame)
        await socket.close(close or 1000)

    async with _speaking(speak) as url, AsyncClient(url, retry=SOON) as client:
        with pytest.raises(error):
            async with client.live():
                pass

    assert greeted == 1


async def test_another_subprotocol_is_another_version():
    async def speak(socket: ServerConnection) -> None:
        await socket.recv()

    async with serve(speak, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        async with AsyncClient(url, retry=SOON) as client:
            with pytest.raises(errors.WrongVersion):
                async with client.live():
                    pass


@pytest.mark.parametrize("close", [1012, 1001, 1011, 4000, 4001, 4003])
async def test_after_other_closes_it_connects_again_and_waits_as_long_as_it_is_told(close):
    greetings: list[float] = []

    async def speak(socket: ServerConnection) -> None:
        await socket.recv()
        greetings.append(time.monotonic())
        await socket.send(json.dumps(WELCOME))
        if len(greetings) == 1:
            await socket.send(json.dumps({"ev": "draining", "retry_after_ms": 200}))
            await socket.close(close)
        async for text in socket:
            await socket.send(json.dumps({"id": json.loads(text)["id"], "ok": {}}))

    async with _speaking(speak) as url, AsyncClient(url, retry=SOON) as client, client.live() as live:
        await live.ping()

    assert len(greetings) == 2
    assert greetings[1] - greetings[0] >= 0.2


async def test_how_the_connection_stands_is_told():
    part, back = asyncio.Event(), asyncio.Event()

    async def speak(socket: ServerConnection) -> None:
        await socket.recv()
        if part.is_set():
            await back.wait()
        await socket.send(json.dumps(WELCOME))
        if not part.is_set():
            await part.wait()
            await socket.close(4000)
            return
        await socket.recv()
        await socket.close(4505)

    async with _speaking(speak) as url, AsyncClient(url, retry=SOON) as client, client.live() as live:
        assert (live.connected, live.lost, live.over) == (True, None, None)
        part.set()
        await _until(lambda: not live.connected)
        assert isinstance(live.lost, errors.ServerVanished) and live.over is None
        back.set()
        await _until(lambda: live.connected)
        with pytest.raises(errors.ProtocolError):
            await live.ping()
        assert not live.connected and isinstance(live.over, errors.ProtocolError)


async def _until(holds) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - nothing tells of it but the property itself
            await asyncio.sleep(0.005)


async def test_a_command_that_is_not_answered_is_given_up_in_time():
    async def speak(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps(WELCOME))
        async for _ in socket:
            pass

    async with _speaking(speak) as url, AsyncClient(url, retry=Retry(deadline=1)) as client, client.live() as live:
        with pytest.raises(errors.SlowAnswer, match=r"^live move: no answer in time$"):
            await live.game("g").move("left")


def _speaking(speak):
    """A WebSocket server that says what it wants."""

    class Speaking:
        async def __aenter__(self) -> str:
            self._server = await serve(
                speak, "127.0.0.1", 0, subprotocols=[Subprotocol("twofold.v1")], ping_interval=None
            )
            return f"http://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}"

        async def __aexit__(self, *_: object) -> None:
            self._server.close()
            await self._server.wait_closed()

    return Speaking()
