"""The head of a request: only so large, and only so long on its way. All else of HTTP is uvicorn's.

Neither is limited by uvicorn, so anybody could make the process gather what is never to be a request.
"""

import asyncio
from http import HTTPStatus

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 64 * 1024
HEAD_WITHIN = 10.0


class HttpSocket(HttpToolsProtocol):
    """One connection, until it is closed or becomes a WebSocket's."""

    _waiting: asyncio.TimerHandle | None = None
    _in_head = False
    _gathered = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        self._gathered += len(data) if self._in_head else 0
        super().data_received(data)
        if not self._in_head:
            return
        if self._gathered > LARGEST_HEAD:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._waiting is None:
            self._wait()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._gathered = True, 0

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._wait_no_longer()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_longer()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_WITHIN, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _wait_no_longer(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _refuse(self, status: HTTPStatus) -> None:
        """Tell, where something had come, and close."""
        self._wait_no_longer()
        if self._in_head and not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 %d %b\r\nConnection: close\r\n" % (status, status.phrase.encode()))
            self.transport.write(b"Content-Length: 0\r\n\r\n")
        self._in_head = False
        self.transport.close()
