"""What the generator says to the peers and reads from them, without any of them. Recorded bytes are real servers'."""

import asyncio
from typing import cast

import pytest

from tests.bench import goals, peers, report
from tests.bench.figures import Window
from tests.bench.peers import board, boardgame, colyseus, node, seats
from tests.bench.plan import QUICK
from tests.bench.results import Cell, Results, lines
from tests.bench.sockets import PONG, Http, Meter, binary_frame, text_frame

STATE = (
    "0e800181000000008200000000ff01800000800100800200800300800400800500800600800701800801"
    "800900800a00800b00800c00800d00800e00800f00"
)
FIRST_PATCH = "0f8201000000ff01000001000301000401000700000800"
SECOND_PATCH = "0f81040000008202000000ff01000000000300000400000601000c02000f01"
FULL = bytes((1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1))
SYNC = b'42/board,["sync","m",{"state":{"G":{"cells":[%b],"moves":0},"_stateID":0},"initialState":{"_stateID":7}}]'
UPDATE = b'42/board,["update","m",{"G":{"cells":[%b],"moves":%d},"_stateID":%d},[{"_stateID":0}]]'
OPENING = b"0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,1"


class Wire:
    """A transport that remembers what was written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)


def test_a_way_is_chosen_as_players_of_twofold_choose():
    cells = bytes((1, 0, 0, 0)) + bytes(12)

    assert [board.choose(cells, count) for count in (0, 1)] == ["right", "right"]
    assert [board.choose(cells[::-1], count) for count in (0, 1)] == ["left", "up"]
    assert board.choose(FULL, 0) is None


def test_a_board_and_a_number_are_read_from_json():
    answer = b'{"cells":[0,1,11],"score":2048,"moves":7}'

    assert board.cells_in(answer) == bytes((0, 1, 11))
    assert board.number_in(answer, b"score") == 2048
    assert board.number_in(answer, b"moves") == 7


def test_what_is_not_there_is_not_read():
    with pytest.raises(ValueError):
        board.number_in(b'{"score":1}', b"moves")
    with pytest.raises(ValueError):
        board.cells_in(b"{}")


def test_a_colyseus_move_is_what_its_own_client_sends():
    assert colyseus.SAID["down"].hex() == "0da46d6f7665a4646f776e"


def test_colyseus_states_and_patches_give_the_board():
    room = colyseus.Board(Meter())

    room.take(bytes.fromhex(STATE))
    assert (list(room.cells), room.moves) == ([0] * 7 + [1, 1] + [0] * 7, 0)
    room.take(bytes.fromhex(FIRST_PATCH))
    assert (list(room.cells), room.moves) == ([1, 0, 0, 1, 1] + [0] * 11, 1)
    room.take(bytes.fromhex(SECOND_PATCH))
    assert (list(room.cells), room.moves) == ([0] * 6 + [1] + [0] * 5 + [2, 0, 0, 1], 2)


@pytest.mark.parametrize("body", ["830100", "ff01400101"])
def test_a_change_that_colyseus_state_cannot_have_is_refused(body):
    with pytest.raises(ValueError):
        colyseus.Board(Meter()).take(bytes((colyseus.PATCH,)) + bytes.fromhex(body))


def test_a_colyseus_move_that_brought_no_move_is_an_error():
    meter = Meter()
    room = colyseus.Board(meter)

    room.follow(bytes.fromhex(STATE))
    room.follow(bytes.fromhex(FIRST_PATCH))
    assert meter.errors == 0
    room.follow(bytes((colyseus.PATCH,)))
    assert meter.errors == 1


def test_after_a_colyseus_game_the_next_begins_at_no_moves():
    meter = Meter()
    room = colyseus.Board(meter)
    full = bytes.fromhex("0e8200000000ff01") + b"".join(bytes((0x80, at, tile)) for at, tile in enumerate(FULL))

    assert room.follow(full) == colyseus.SAID["left"]
    room.follow(bytes.fromhex(STATE))

    assert meter.errors == 0


def test_a_match_begins_with_a_sync_and_goes_on_with_numbered_moves():
    meter = Meter()
    row = boardgame.Row([("m", "secret")], meter)

    assert row.next_match() == b'42/board,["sync","m","0","secret",1]'
    assert row.follow(SYNC % OPENING) == (
        b'42/board,["update",{"type":"MAKE_MOVE","payload":'
        b'{"type":"move","args":["left"],"playerID":"0","credentials":"secret"}},0,"m","0"]'
    )
    assert (row.follow(UPDATE % (OPENING, 1, 1)) or b"").endswith(b',1,"m","0"]')
    assert meter.errors == 0


def test_an_update_that_skips_a_state_is_an_error():
    meter = Meter()
    row = boardgame.Row([("m", "secret")], meter)
    row.next_match()

    row.follow(SYNC % OPENING)
    row.follow(UPDATE % (OPENING, 2, 2))

    assert meter.errors == 1


def test_a_match_is_left_when_it_is_over_or_long_for_the_next_while_there_is_one():
    meter = Meter()
    row = boardgame.Row([("c", ""), ("b", ""), ("a", "")], meter)
    row.next_match()

    assert row.follow(SYNC % b",".join(b"%d" % tile for tile in FULL)) == b'42/board,["sync","b","0","",1]'
    for state in range(boardgame.PATIENCE):
        assert b'"MAKE_MOVE"' in (row.follow(UPDATE % (OPENING, state, state)) or b"")
    assert row.follow(UPDATE % (OPENING, 100, 100)) == b'42/board,["sync","c","0","",1]'
    assert meter.dry == 0
    row.follow(SYNC % OPENING)
    assert row.follow(UPDATE % (b",".join(b"%d" % tile for tile in FULL), 1, 1)) is None
    assert (meter.dry, meter.errors) == (1, 0)


def test_at_the_node_server_each_answer_is_one_move():
    meter = Meter()
    table = node.Table(meter)
    answer = b'{"cells":[%b],"score":0,"moves":%d}'

    assert table.follow(answer % (OPENING, 0)) == b'{"direction":"left"}'
    assert table.follow(answer % (OPENING, 1)) == b'{"direction":"up"}'
    table.follow(answer % (OPENING, 1))

    assert meter.errors == 1


async def test_a_colyseus_room_is_joined_when_it_says_so():
    room, wire = seats.Room(Meter()), Wire()
    room.transport = cast(asyncio.Transport, wire)

    room.hear(b"\x0a\x04name\x06schema\x00")
    room.hear(bytes.fromhex(STATE))
    asked = asyncio.ensure_future(room.ask(b"move"))
    await asyncio.sleep(0)
    room.hear(bytes.fromhex(FIRST_PATCH))

    assert (await room.state).hex() == STATE
    assert (await asked).hex() == FIRST_PATCH
    assert wire.written == [binary_frame(b"\x0a"), b"move"]


async def test_what_colyseus_says_besides_is_an_error_and_no_answer():
    meter = Meter()
    room = seats.Room(meter)

    room.hear(b"\x0b\x00\x00")

    assert meter.errors == 1
    assert not room.halted.done()


async def test_a_boardgame_namespace_is_joined_pings_are_answered_and_news_is_no_answer():
    namespace, wire = seats.Namespace(Meter()), Wire()
    namespace.transport = cast(asyncio.Transport, wire)

    namespace.hear(b'0{"sid":"x","pingInterval":10000}')
    namespace.hear(b'40/board,{"sid":"y"}')
    await namespace.joined
    asked = asyncio.ensure_future(namespace.ask(b"sync"))
    await asyncio.sleep(0)
    namespace.hear(b"2")
    namespace.hear(b'42/board,["matchData","m",[]]')
    assert not asked.done()
    namespace.hear(SYNC % OPENING)

    assert (await asked) == SYNC % OPENING
    assert wire.written == [text_frame(b"40/board,"), b"sync", text_frame(b"3")]


async def test_binary_messages_are_heard_and_pings_of_websocket_answered():
    room, wire = seats.Room(Meter()), Wire()
    room.transport = cast(asyncio.Transport, wire)
    opening = asyncio.ensure_future(room.shake_hands(1, None, "/process/room?sessionId=s"))
    await asyncio.sleep(0)
    state = bytes.fromhex(STATE)
    frame = bytes((0x82, len(state))) + state

    room.data_received(b"HTTP/1.1 101 Switching Protocols\r\n\r\n\x82\x01\x0a\x89\x00" + frame[:20])
    room.data_received(frame[20:])
    await opening

    assert await room.state == state
    assert wire.written[0].startswith(b"GET /process/room?sessionId=s HTTP/1.1\r\n")
    assert wire.written[1:] == [binary_frame(b"\x0a"), PONG]


@pytest.mark.parametrize("header", ["Content-Length", "content-length"])
async def test_a_length_is_read_however_the_server_writes_it(header):
    caller = Http(Meter())
    caller.transport = cast(asyncio.Transport, Wire())
    asked = asyncio.ensure_future(caller.ask(b"question"))
    await asyncio.sleep(0)

    caller.data_received(f"HTTP/1.1 200 OK\r\n{header}: 4\r\n\r\n{{}}".encode())
    caller.data_received(b"\r\n")

    assert await asked == b"{}\r\n"


def found(*cells: Cell) -> Results:
    """A run in which the service took 50 us a reply, and everything else 100."""
    results = Results()
    for cell in cells:
        cpu = 0.05 if cell.server == "durable" else 0.1
        results.windows[cell].append(Window(1000, 1.0, cpu, 0.1, 1.0, 2.0, 0, 0, 0))
    return results


def test_the_service_is_set_against_each_peer():
    results = found(Cell("ws", "durable", 64), *(Cell(name, name, 64) for name in peers.NAMES))

    measured = {line.title: (line.value.middle, line.goal) for line in lines(results)}

    assert measured["durable WS moves ÷ Colyseus, by CPU"] == (2.0, goals.WS_OVER_COLYSEUS)
    assert measured["durable WS moves ÷ boardgame.io, by CPU"] == (2.0, goals.WS_OVER_BOARDGAME)
    assert measured["durable WS moves ÷ node ws, by CPU"] == (2.0, None)
    assert goals.WITHOUT_PEERS not in report.as_text(results, QUICK, "a machine")


def test_without_peers_the_report_says_how_to_add_them():
    results = found(Cell("ws", "durable", 64))

    assert goals.WITHOUT_PEERS in report.as_text(results, QUICK, "a machine").splitlines()


def test_peers_are_there_only_with_node_and_their_packages(tmp_path, monkeypatch):
    monkeypatch.setattr(peers, "FOLDER", tmp_path)
    monkeypatch.setattr("shutil.which", lambda _: "node")
    assert not peers.installed()

    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / ".package-lock.json").touch()
    assert peers.installed()

    monkeypatch.setattr("shutil.which", lambda _: None)
    assert not peers.installed()
