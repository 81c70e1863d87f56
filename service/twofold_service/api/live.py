"""The socket of the live channel: bytes in and out of a session, commands to the use cases. It decides nothing.

It is uvicorn's WebSocket protocol class for this service, so frames go from the transport to the session and back
without a task or a queue in between. Handshake, framing and close rules are those of the websockets library.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from twofold.board import Direction
from twofold.clock import MS, rfc3339
from twofold.game import Event
from twofold_service.api.addresses import Addresses
from twofold_service.api.deps import Services, is_key
from twofold_service.errors import (
    Draining,
    Forbidden,
    Internal,
    Invalid,
    NotFound,
    ServiceError,
    TooMany,
    Unauthorized,
)
from twofold_service.usecases.live import Live
from twofold_service.usecases.ports import Command, Played, Player, Told
from twofold_service.wire import frames, session
from twofold_service.wire.encode import dumps
from twofold_service.wire.games import event_out, game_out, player_out
from twofold_service.wire.problems import Problem, problem

log = logging.getLogger("twofold.live")
PATH = "/v1/ws"
OUTBOX_BYTES = 256 * 1024
CLOSE_WITHIN = 2.0
TICK = 0.5
BATCHES = 5


@dataclass(slots=True)
class Hub:
    """What all connections share."""

    services: Services
    live: Live
    addresses: Addresses
    origins: frozenset[str]
    socket_watches: int
    told: "Encoder"
    draining: bool = False
    requests: "count[int]" = field(default_factory=count)

    async def tick(self) -> None:
        """Let every connection look at the time, until cancelled."""
        while True:
            await asyncio.sleep(TICK)
            for connection in self._connections():
                connection.tick()

    def protocol(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> "LiveProtocol":
        """What uvicorn makes a connection's protocol with."""
        return LiveProtocol(self, server_state)

    def tell_draining(self) -> None:
        """Take no new connection; tell each open one when to come back, not all at once."""
        self.draining = True
        for number, connection in enumerate(self._connections()):
            connection.session.draining((500 + 400 * (number % BATCHES)) * MS)
            connection.flush()

    async def close_all(self, within: float) -> None:
        """Close every connection, in batches spread over so many seconds."""
        connections = self._connections()
        for start in range(BATCHES if connections else 0):
            for connection in connections[start::BATCHES]:
                connection.session.close(session.RESTART, "the service restarts")
                connection.flush()
            await asyncio.sleep(within / BATCHES)

    def _connections(self) -> list["LiveProtocol"]:
        return [connection for connection in self.live if isinstance(connection, LiveProtocol)]


class Encoder:
    """An event's JSON, made once for the reply and for everybody who watches."""

    def __init__(self) -> None:
        self._event: Event | None = None
        self._json = b""

    def encoded(self, event: Event, *, daily: bool) -> bytes:
        if event is not self._event:
            self._json = dumps(event_out(event, daily=daily))
            self._event = event
        return self._json


class LiveProtocol(asyncio.Protocol):
    """One connection."""

    def __init__(self, hub: Hub, server_state: ServerState) -> None:
        self._hub = hub
        self._services = hub.services
        self._server_state = server_state
        self._ws = ServerProtocol(select_subprotocol=_subprotocol, max_size=session.LARGEST_MESSAGE, logger=_QUIET)
        self._transport: asyncio.Transport
        self._inbox: deque[bytes] = deque()
        self._fragments: list[bytes] = []
        self._fragments_text = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._busy_greeting = False
        self._reading = True
        self._open = False
        self._closed = False
        self.session = session.Session(self._services.now())
        self.player: Player | None = None
        self.address = ""

    # asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._server_state.connections.add(self)  # type: ignore[arg-type]

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed = True
        self._server_state.connections.discard(self)
        for task in self._tasks:
            task.cancel()
        if self._open:
            self._hub.live.close(self)

    def eof_received(self) -> None:
        self._ws.receive_eof()
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        self.session.heard(self._services.now())
        self._ws.receive_data(data)
        for event in self._ws.events_received():
            if isinstance(event, Request):
                self._shake_hands(event)
            elif isinstance(event, Frame):
                self._hear(event)
        self._send_protocol_data()
        self._work()

    def shutdown(self) -> None:
        """uvicorn ends: whatever is still open is closed."""
        self.session.close(session.RESTART, "the service restarts")
        self.flush()

    # what the use cases tell

    def told(self, told: Told) -> None:
        if told.by is self:
            return
        event = told.event
        encoded = self._hub.told.encoded(event, daily=told.header.date is not None)
        self.session.push_event(told.header.id, event.version, session.event_push(told.header.id, encoded))
        self.flush()

    def gone(self, game: str) -> None:
        self.session.gone(game)
        self.flush()

    def end_token(self) -> None:
        self.session.close(session.BAD_TOKEN, "this token has ended")
        self.flush()

    def tick(self) -> None:
        if self.session.tick(self._services.now()) and self._ws.state is State.OPEN:
            self._ws.send_ping(b"")
            self._send_protocol_data()
        self.flush()

    def flush(self) -> None:
        """Hand to the socket what the session has to say, and close where it says so."""
        out = self.session.out
        if self._closed or self._ws.state is not State.OPEN:
            out.clear()
            return
        if out:
            self._transport.write(b"".join([_framed(frame) for frame in out]))
            out.clear()
        if self._transport.get_write_buffer_size() > OUTBOX_BYTES:
            self.session.close(session.SLOW, "too slow a reader")
        if self.session.closing is not None:
            self._close(*self.session.closing)

    def _close(self, code: int, reason: str) -> None:
        self._ws.send_close(code, reason)
        self._send_protocol_data()
        self._inbox.clear()
        end = self._transport.abort if code == session.SLOW else self._transport.close
        asyncio.get_running_loop().call_later(CLOSE_WITHIN, end)
        if code == session.SILENT:
            self._leave()

    def _leave(self) -> None:
        """Silent connections count as gone at once, not when the socket is."""
        if self._open:
            self._open = False
            self._hub.live.close(self)

    def _send_protocol_data(self) -> None:
        for data in self._ws.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()

    # the handshake

    def _shake_hands(self, request: Request) -> None:
        headers = {
            name.lower().encode("latin-1"): value.encode("latin-1") for name, value in request.headers.raw_items()
        }
        peer = (self._transport.get_extra_info("peername") or ("",))[0]
        self.address = self._hub.addresses.of(peer, headers)
        try:
            self._check(request)
            self._hub.live.open(self)
            self._open = True
        except ServiceError as error:
            self._ws.send_response(self._rejection(error))
            return
        response = self._ws.accept(request)
        self._ws.send_response(response)
        if response.status_code != 101:
            self._leave()
        elif "Sec-WebSocket-Protocol" in request.headers and self._ws.subprotocol is None:
            self._send_protocol_data()
            self.session.close(session.OTHER_VERSION, f"this service speaks {session.PROTOCOL}")

    def _check(self, request: Request) -> None:
        if request.path.partition("?")[0] != PATH:
            raise NotFound(f"WebSockets are served at {PATH}.")
        if self._hub.draining:
            raise Draining
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self._hub.origins:
            host = request.headers.get("Host", "")
            if origin not in (f"http://{host}", f"https://{host}"):
                raise Forbidden("This origin may not open a WebSocket here.")

    def _rejection(self, error: ServiceError) -> Response:
        response = self._ws.reject(error.status, dumps(self._problem(error)).decode())
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = "application/problem+json"
        return response

    # frames in

    def _hear(self, frame: Frame) -> None:
        match frame.opcode:
            case Opcode.TEXT | Opcode.BINARY:
                self._fragments_text = frame.opcode is Opcode.TEXT
                self._fragments = [bytes(frame.data)]
            case Opcode.CONT:
                self._fragments.append(bytes(frame.data))
            case _:
                return
        if not frame.fin:
            return
        message = b"".join(self._fragments)
        self._fragments = []
        if not self._fragments_text:
            self._refuse_unread(frames.Unread("Frames are text, not binary."))
        elif not message.isascii() and not _is_utf8(message):
            self._ws.fail(CloseCode.INVALID_DATA, "text is UTF-8")
        else:
            self._inbox.append(message)

    def _work(self) -> None:
        """Take commands from the inbox as long as their answers are not too many; read on when it is empty."""
        while self._inbox and not self.session.full and not self._busy_greeting and self.session.closing is None:
            self._take(self._inbox.popleft())
        self.flush()
        wanted = not self._inbox
        if wanted != self._reading and not self._transport.is_closing():
            self._reading = wanted
            if wanted:
                self._transport.resume_reading()
            else:
                self._transport.pause_reading()

    def _take(self, message: bytes) -> None:
        arrived = self._services.now()
        try:
            frame = self.session.hear(message)
        except (frames.Unread, frames.Misread) as error:
            self._refuse_unread(error)
            return
        try:
            self._count()
            if isinstance(frame, frames.Move | frames.GameCommand):
                self._play(frame, arrived)
            elif isinstance(frame, frames.Ping):
                self.session.answer(frame.id, {"server_now": rfc3339(arrived)})
            elif isinstance(frame, frames.Hello):
                self._busy_greeting = True
                self._spawn(self._greet(frame))
            elif isinstance(frame, frames.Watch):
                self._watch(frame)
            else:
                self._hub.live.unwatch(self, frame.game)
                self.session.end_watch(frame.game)
                self.session.answer(frame.id, {})
        except ServiceError as error:
            self.session.refuse(frame.id, self._problem(error))

    def _refuse_unread(self, error: frames.Unread | frames.Misread) -> None:
        self.session.refuse_unread(error.id, self._problem(error))

    def _count(self) -> None:
        if self.player is None:
            self._services.rates.count_address(self.address)
        else:
            self._services.rates.count_player(self.player.key)

    def _play(self, frame: frames.Move | frames.GameCommand, arrived: int) -> None:
        if self.player is None:
            raise Unauthorized("Commands need a token in hello.")
        if frame.key is not None and not is_key(frame.key):
            raise Invalid(errors=[(("key",), "a key has 1 to 64 printable ASCII characters")])
        direction = Direction(frame.direction) if isinstance(frame, frames.Move) else None
        command = Command(frame.op, frame.game, arrived, self.player, direction, frame.version, frame.key, self)
        self._services.play.play(command, partial(self._played, frame))

    def _played(self, frame: frames.Move | frames.GameCommand, outcome: Played | Exception) -> None:
        if self._closed:
            return
        if isinstance(outcome, Exception):
            self.session.refuse(frame.id, self._problem(outcome))
        else:
            self._answer_played(frame, outcome)
        self._work()

    def _answer_played(self, frame: frames.Move | frames.GameCommand, played: Played) -> None:
        event = played.event
        moved = b'"moved":%b,' % (b"true" if event else b"false") if frame.op == "move" else b""
        replayed = b',"replayed":true' if played.replayed else b""
        if event is None:
            self.session.answer_encoded(frame.id, b'{%b"event":null%b}' % (moved, replayed))
            return
        self._hub.live.attend(self, frame.game)
        encoded = self._hub.told.encoded(event, daily=played.view.header.date is not None)
        ok = b'{%b"event":%b%b}' % (moved, encoded, replayed)
        if played.replayed:
            self.session.answer_encoded(frame.id, ok)
        else:
            self.session.answer_event(frame.id, frame.game, event.version, ok)

    # commands that wait for storage

    async def _greet(self, hello: frames.Hello) -> None:
        try:
            if hello.token is not None:
                players = self._services.players
                player = players.known(hello.token) or await players.by_token(hello.token)
                self._hub.live.greet(self, player)
        except Unauthorized as error:
            self.session.refuse(hello.id, self._problem(error))
            self.session.close(session.BAD_TOKEN, "this token is not known")
        except ServiceError as error:
            self.session.refuse(hello.id, self._problem(error))
        else:
            self.session.greeted = True
            self.session.answer(hello.id, self._welcome())
        finally:
            self._busy_greeting = False

    def _welcome(self) -> frames.HelloOk:
        return {
            "player": None if self.player is None else player_out(self.player),
            "protocol": session.PROTOCOL,
            "server_now": rfc3339(self._services.now()),
            "ping_ms": session.PING_EVERY // MS,
            "limits": {
                "frame_bytes": session.LARGEST_FRAME,
                "unanswered": session.MOST_UNANSWERED,
                "watches": self._hub.socket_watches,
            },
        }

    def _watch(self, frame: frames.Watch) -> None:
        if not self.session.may_watch(frame.game, self._hub.socket_watches):
            raise TooMany(f"One socket watches at most {self._hub.socket_watches} games.")
        self.session.begin_watch(frame.game)
        self._spawn(self._begin_watching(frame))

    async def _begin_watching(self, frame: frames.Watch) -> None:
        try:
            watched = await self._hub.live.watch(self, frame.game, frame.since)
        except Exception as error:
            self.session.end_watch(frame.game)
            self.session.refuse(frame.id, self._problem(error))
            return
        daily = watched.view.header.date is not None
        ok: dict[str, Any] = {"recovered": watched.missed is not None, "role": watched.role}
        if watched.missed is None:
            ok["game"] = game_out(watched.view, self._services.now())
        missed = [
            session.event_push(frame.game, dumps(event_out(event, daily=daily))) for event in watched.missed or ()
        ]
        self.session.watched(frame.id, frame.game, ok, watched.view.game.version, missed)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        async def then_work() -> None:
            await work
            self._work()

        task = asyncio.create_task(then_work())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _problem(self, error: Exception) -> Problem:
        if not isinstance(error, ServiceError):
            log.error("a live command failed", exc_info=error)
            error = Internal()
        return problem(error, f"ws{next(self._hub.requests):x}", self._services.now())


def _subprotocol(_: ServerProtocol, offered: Any) -> Any:
    return session.PROTOCOL if session.PROTOCOL in offered else None


def _is_utf8(message: bytes) -> bool:
    try:
        message.decode()
    except UnicodeDecodeError:
        return False
    return True


def _framed(payload: bytes) -> bytes:
    """A whole unmasked text message as one frame (RFC 6455, section 5.2)."""
    length = len(payload)
    if length < 126:
        return b"\x81" + bytes((length,)) + payload
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big") + payload
    return b"\x81\x7f" + length.to_bytes(8, "big") + payload


_QUIET = logging.getLogger("twofold.live.protocol")
_QUIET.setLevel(logging.CRITICAL)
