"""Bytes on a raw socket that no client would send, malformed and oversized: refused, and nobody else notices."""

import json
import random
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.frames import Frame, Opcode

from tests.callers import DIRECTIONS, Bare, Caller, Json, Live, player
from tests.faults.serving import Serving
from tests.faults.table import form, seeds
from tests.live.house import greet, masked

pytestmark = pytest.mark.slow
MIB = 1 << 20
GROWTH = 5 * MIB
ENDED = 1006
INTERNAL = {1011, 4003}
"""Closes that tell of a fault of the service; with all others it has understood what was wrong, or echoes a close."""
NESTED = 1800


@pytest.fixture(scope="module")
def serving(migrated, tmp_path_factory):
    served = Serving(migrated_copy(migrated, tmp_path_factory.mktemp("raw")))
    served.start()
    yield served
    served.kill()


def migrated_copy(migrated: Path, folder: Path) -> Path:
    (folder / "twofold.db").write_bytes(migrated.read_bytes())
    return folder


@pytest.fixture(scope="module")
def neighbour(serving):
    """Somebody who plays now and then, on a socket that stays open all the while; how many moves it were."""
    with player(serving.url) as caller, Live(serving.url, caller.token) as live:

        def play() -> int:
            game = caller.new("practice", size=8)["id"]
            return sum(live.ok("move", game=game, direction=direction)["moved"] for direction in DIRECTIONS)

        yield play


def mutated(chance: random.Random) -> bytes:
    """Some good frames, and some that are cut, changed, doubled or made up."""
    pieces = []
    for _ in range(chance.randint(1, 8)):
        frame = masked(json.dumps(command(chance)).encode())
        fate = chance.randrange(6)
        if fate == 0:
            frame = frame[: chance.randrange(len(frame))]
        elif fate == 1:
            place = chance.randrange(len(frame))
            frame = frame[:place] + bytes([chance.randrange(256)]) + frame[place + 1 :]
        elif fate == 2:
            frame = chance.randbytes(chance.randint(1, 40))
        elif fate == 3:
            opcode, fin = chance.choice(list(Opcode)), chance.random() < 0.5
            if opcode < 8 or fin:
                frame = Frame(opcode, chance.randbytes(chance.randrange(126)), fin).serialize(
                    mask=chance.random() < 0.8
                )
        elif fate == 4:
            frame = masked(nonsense(chance))
        pieces.append(frame)
    return b"".join(pieces)


def command(chance: random.Random) -> Json:
    op = chance.choice(["hello", "watch", "unwatch", "move", "undo", "ping", "dance", "", None, 7])
    made: Json = {"id": chance.choice([1, "x", None, -1, 1.5, [], {}, "y" * 200]), "op": op}
    for field in chance.sample(["game", "direction", "version", "key", "since", "token", "more"], 3):
        made[field] = chance.choice([None, True, 0, -1, 1 << 70, "", "left", "\0", "\ud800", [], {"a": 1}, "g" * 300])
    return made


def nonsense(chance: random.Random) -> bytes:
    return chance.choice(
        [
            b"",
            b"{",
            b"[" * NESTED,
            b'{"a":' * (NESTED // 3),
            b'{"id":1,"id":2,"op":"ping"}',
            b'{"id":1,"op":"ping","x":NaN}',
            b'{"id":1,"op":"ping","x":1e999}',
            b'{"id":1' + b"0" * 3000 + b',"op":"ping"}',
            b'"\\ud800"',
            b"\xff\xfe",
            b"\0" * 100,
        ]
    )


def heard(bare: Bare) -> int:
    """Read until the other side closes; how it did."""
    try:
        return bare.closed()
    except (EOFError, OSError):
        return ENDED


@pytest.mark.fault("11 malformed frames on a raw socket")
def test_whatever_bytes_come_only_their_own_socket_ends(serving, neighbour, line):
    for seed in seeds(150, 3000):
        chance = random.Random(seed)
        with Bare(serving.port) as bare:
            if chance.random() < 0.8:
                greet(bare)
            with suppress(OSError):  # closed while this was sent
                bare.socket.sendall(mutated(chance))
                bare.send((1000).to_bytes(2, "big"), Opcode.CLOSE)
                bare.socket.shutdown(socket.SHUT_WR)
            code = heard(bare)
        assert code not in INTERNAL, f"TWOFOLD_FAULTS_SEED={seed} sends this again"
        line.ran(seed=seed)
        if seed % 10 == 0:
            neighbour()
    assert neighbour() > 0
    assert "Traceback" not in serving.log, serving.log[-3000:]


def huge_frame(serving: Serving) -> None:
    """20 MB in one frame: closed at its head."""
    with Bare(serving.port) as bare:
        greet(bare)
        with suppress(OSError):
            bare.send(b"x" * (20 * MIB))
        assert heard(bare) in (1009, ENDED)


def endless_fragments(serving: Serving) -> None:
    with Bare(serving.port) as bare:
        greet(bare)
        with suppress(OSError):
            bare.send(b"x" * 1000, fin=False)
            for _ in range(2000):
                bare.send(b"x" * 1000, Opcode.CONT, fin=False)
        assert heard(bare) in (1009, ENDED)


def large_body(serving: Serving) -> None:
    with Caller(serving.url) as caller, suppress(OSError):
        response = caller.post("/players", content=b" " * (20 * MIB), headers={"Content-Type": "application/json"})
        assert (response.status_code, response.json()["code"]) == (413, "too_large")


def endless_body(serving: Serving) -> None:
    """In chunks, without a length, until nobody takes more."""
    with socket.create_connection(("127.0.0.1", serving.port), timeout=10) as raw:
        raw.sendall(b"POST /v1/players HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n")
        with suppress(OSError):
            for _ in range(2000):
                raw.sendall(b"2710\r\n" + b" " * 10_000 + b"\r\n")
        with suppress(OSError):
            assert status(raw) in (413, 0)


def status(raw: socket.socket) -> int:
    """The status of the answer, 0 where there was none."""
    head = raw.recv(64)
    return int(head.split(b" ")[1]) if head else 0


def long_address(serving: Serving) -> None:
    send_head(serving, [b"GET /v1/", *[b"x" * 10_000] * 400, b" HTTP/1.1\r\nHost: here\r\n\r\n"])


def long_header(serving: Serving) -> None:
    send_head(serving, [b"GET /v1/ws HTTP/1.1\r\nHost: here\r\nX-Long: ", *[b"x" * 10_000] * 400, b"\r\n\r\n"])


def endless_headers(serving: Serving) -> None:
    send_head(serving, [b"GET /v1/modes HTTP/1.1\r\nHost: here\r\n", *[b"X-Long: %s\r\n" % (b"y" * 1000)] * 4000])


def send_head(serving: Serving, pieces: list[bytes]) -> None:
    """Somebody who goes on sending; what it was answered may be lost in the reset that follows."""
    with socket.create_connection(("127.0.0.1", serving.port), timeout=10) as raw, suppress(OSError):
        for piece in pieces:
            raw.sendall(piece)
        assert status(raw) in (0, 431)


@pytest.mark.fault("12 oversized frames, bodies, heads")
@pytest.mark.parametrize(
    "send",
    [huge_frame, endless_fragments, large_body, endless_body, long_address, long_header, endless_headers],
    ids=lambda send: send.__name__,
)
def test_what_is_too_large_is_refused_and_takes_no_memory(serving, neighbour, line, send: Callable[[Serving], None]):
    neighbour()
    send(serving)
    before = memory(serving)
    for _ in range(form(2, 20)):
        send(serving)
    grown = memory(serving) - before
    line.ran(form(3, 21), **{send.__name__: f"{grown / MIB:+.1f} MiB"})
    assert grown < GROWTH
    assert neighbour() > 0
    assert "Traceback" not in serving.log, serving.log[-3000:]


def memory(serving: Serving) -> int:
    """Bytes that the process holds."""
    return int(Path(f"/proc/{serving.process.pid}/statm").read_text().split()[1]) * 4096
