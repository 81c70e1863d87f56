"""The socket of the live channel: a handshake, then bytes in and frames out. It pumps, nothing more.

It is uvicorn's WebSocket protocol class for this service, so frames go from the transport to the session and back
without a task or a queue in between. Handshake, framing and close rules are those of the websockets library.
"""

import asyncio
import logging
from collections import deque
from typing import Any, cast

from uvicorn.server import ServerState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from twofold_service.api.handshake import shake_hands, speaks_another, subprotocol
from twofold_service.api.live import Connection, Shared
from twofold_service.wire import session
from twofold_service.wire.framing import Boundaries, framed, plain_messages

log = logging.getLogger("twofold.live")
OUTBOX_BYTES = 256 * 1024
CLOSE_WITHIN = 2.0


class Outgoing:
    """Sockets with something to say, all written to at the end of the loop's turn.

    A system call between every two commands makes both dearer.
    """

    def __init__(self) -> None:
        self._due: deque[LiveSocket] = deque()

    def add(self, socket: "LiveSocket") -> None:
        if not self._due:
            asyncio.get_running_loop().call_soon(self._write)
        self._due.append(socket)

    def _write(self) -> None:
        try:
            while self._due:
                self._due.popleft().write()
        finally:
            if self._due:  # one socket's fault must not leave the others without their answers
                asyncio.get_running_loop().call_soon(self._write)


class LiveSocket(asyncio.Protocol):
    """One socket, from the transport to a connection and back."""

    def __init__(
        self, shared: Shared, sockets: "set[LiveSocket]", outgoing: Outgoing, server_state: ServerState
    ) -> None:
        self._shared = shared
        self._now = shared.services.now
        self._outgoing = outgoing
        self._is_due = False
        self._server_state = server_state
        self._sockets = sockets
        self._ws = ServerProtocol(select_subprotocol=subprotocol, max_size=session.LARGEST_MESSAGE, logger=_QUIET)
        self._transport: asyncio.Transport
        self._message = bytearray()
        self._message_is_text = False
        self._is_fragment = False
        self._boundaries: Boundaries | None = None
        self._takes_plain = False
        self._is_open = False
        self._is_broken = False
        self._is_held_back = False
        self._hurries = False
        self._patience: asyncio.TimerHandle | None = None
        self._lost = False
        self._reading = True
        self._writable: asyncio.Event | None = None
        self.connection = Connection(shared, self.flush, self._until_writable)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._sockets.add(self)
        self._server_state.connections.add(cast(Any, self))

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        self._is_held_back = False
        self._look_at_library()
        if self._patience is not None:
            self._patience.cancel()
        self._sockets.discard(self)
        self._server_state.connections.discard(cast(Any, self))
        self.connection.close()

    def eof_received(self) -> None:
        self._ws.receive_eof()
        self._end()

    def pause_writing(self) -> None:
        self._writable = asyncio.Event()

    def resume_writing(self) -> None:
        if self._writable is not None:
            self._writable.set()
            self._writable = None

    def data_received(self, data: bytes) -> None:
        now = self._now()
        connection = self.connection
        connection.session.heard_at = now
        messages = plain_messages(data) if self._takes_plain else None
        if messages is None:
            self._read_by_library(data, now)
            return
        for message in messages:
            self._hear_text(message, now)
        connection.work()
        if self._is_broken:
            self._send_protocol_data()

    def _read_by_library(self, data: bytes, now: int) -> None:
        if self._boundaries is not None:
            self._boundaries.follow(data)
        self._ws.receive_data(data)
        for event in self._ws.events_received():
            if isinstance(event, Request):
                self._shake_hands(event)
                self._boundaries = Boundaries() if data.endswith(b"\r\n\r\n") else None
            elif isinstance(event, Frame):
                self._hear(event, now)
        self._look_at_library()
        self.connection.work()  # what came before a close is taken before the connection counts as gone
        self._send_protocol_data()

    @property
    def unsent(self) -> int:
        return 0 if self._lost else self._transport.get_write_buffer_size()

    def tick(self) -> None:
        if self.connection.session.tick(self._shared.services.now()) and self._is_open:
            self._ws.send_ping(b"")
            self._send_protocol_data()
        self.flush()

    def shutdown(self) -> None:
        """The service ends: tell the other side to come back."""
        self.connection.session.close(session.RESTART, "the service restarts")
        self.flush()

    def flush(self) -> None:
        """Have `write` called at the end of this turn of the loop."""
        if not self._is_due:
            self._is_due = True
            self._outgoing.add(self)

    def write(self) -> None:
        """Hand to the transport what the session has to say; close where it says so; read on where it may."""
        self._is_due = False
        talk = self.connection.session
        out = talk.out
        if not self._is_open:
            out.clear()
            return
        if out:
            self._transport.write(framed(out[0]) if len(out) == 1 else b"".join([framed(frame) for frame in out]))
            out.clear()
        if self._transport.get_write_buffer_size() > OUTBOX_BYTES:  # pongs wait there too
            talk.close(session.SLOW, "too slow a reader")
        if talk.closing is not None or self._is_held_back:
            self._end_in_turn(talk.closing)
        elif self._reading is bool(self.connection.inbox):
            self._read(not self._reading)

    async def _until_writable(self) -> None:
        await asyncio.sleep(0)  # what was flushed is with the transport by then
        if self._writable is not None:
            await self._writable.wait()

    def _read(self, wanted: bool) -> None:
        self._reading = wanted
        if wanted:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()

    def _end_in_turn(self, closing: session.Close | None) -> None:
        """Close, once what was taken is answered."""
        if closing is not None and closing.code == session.SLOW:
            self._hurries = True
        if self._is_held_back:
            self._send_protocol_data()
        elif closing is not None and not self._waits_for_answers():
            self._close(*closing)

    def _waits_for_answers(self) -> bool:
        """Whether commands that were taken are still to be answered before the end, which can wait a little."""
        if self._hurries or self._lost or not self.connection.session.unanswered:
            return False
        if self._patience is None:
            self._patience = asyncio.get_running_loop().call_later(CLOSE_WITHIN, self._hurry)
        return True

    def _hurry(self) -> None:
        self._hurries = True
        self.flush()

    def _close(self, code: int, reason: str) -> None:
        self._hurries = True
        self._shared.closed[code] += 1
        log.debug("a socket is closed: %d %s", code, reason, extra=self.connection.about)
        self._ws.send_close(code, reason)
        self._send_protocol_data()
        if not self._reading:
            self._read(True)  # the other side's close frame is still to come
        asyncio.get_running_loop().call_later(CLOSE_WITHIN, self._transport.abort)
        if code == session.SILENT:
            self.connection.close()  # counts as gone at once, not when the socket is

    def _look_at_library(self) -> None:
        """Whether it is open, and holds no part of a frame or message, so that it need not see the next whole ones."""
        between_frames = self._boundaries is not None and self._boundaries.between_frames
        is_open = self._ws.state is State.OPEN and not self._lost
        self._takes_plain = is_open and between_frames and not self._is_fragment
        self._is_open = is_open or self._is_held_back

    def _end(self) -> None:
        """Nothing more is said or heard: close once all is written, or soon where the other side does not read."""
        self._is_held_back = False
        self._look_at_library()
        self._transport.close()
        asyncio.get_running_loop().call_later(CLOSE_WITHIN, self._transport.abort)
        self.connection.close()

    def _send_protocol_data(self) -> None:
        """Hand on what the library has to say; its farewell comes after the answers to what was taken."""
        ends = self._ws.state in (State.CLOSING, State.CLOSED)
        self._is_held_back = ends and self._waits_for_answers()
        self._look_at_library()
        if self._is_held_back:
            return
        for data in self._ws.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._end()

    def _shake_hands(self, request: Request) -> None:
        peer = (self._transport.get_extra_info("peername") or ("",))[0]
        response = shake_hands(self._ws, request, peer, self.connection, self._shared)
        log.debug("a socket was asked for: %d", response.status_code)
        self._ws.send_response(response)
        if response.status_code == 101 and speaks_another(self._ws, request):
            self._send_protocol_data()
            self.connection.session.close(session.OTHER_VERSION, f"this service speaks {session.PROTOCOL}")

    def _hear(self, frame: Frame, now: int) -> None:
        match frame.opcode:
            case Opcode.TEXT | Opcode.BINARY:
                self._message_is_text = frame.opcode is Opcode.TEXT
                self._message += frame.data
            case Opcode.CONT:
                self._message += frame.data
            case _:
                return
        self._is_fragment = not frame.fin
        if self._is_fragment:
            return
        message = bytes(self._message)
        self._message.clear()
        if self._message_is_text:
            self._hear_text(message, now)
        elif not self._is_broken:
            self.connection.hear_binary()

    def _hear_text(self, message: bytes, now: int) -> None:
        if self._is_broken:
            return
        if message.isascii() or _is_utf8(message):
            self.connection.inbox.append((message, now))
        else:
            self._is_broken = True
            self._ws.fail(CloseCode.INVALID_DATA, "text is UTF-8")


def _is_utf8(message: bytes) -> bool:
    try:
        message.decode()
    except UnicodeDecodeError:
        return False
    return True


_QUIET = logging.getLogger("twofold.live.protocol")
_QUIET.setLevel(logging.CRITICAL)
