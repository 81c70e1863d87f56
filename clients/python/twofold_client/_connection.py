"""The socket of a live connection, opened again as often as it is lost, while that makes sense. It pumps, no more."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from twofold_client._conversation import PROTOCOL, Conversation
from twofold_client._hanging_up import meaning, not_opened
from twofold_client._retry import Retry
from twofold_client._wire import Wire
from twofold_client.errors import LiveClosed, TwofoldError, Unauthorized, WrongVersion

LARGEST_FRAME = 2**20
HEARTBEAT = 5.0


class Connection:
    """Carries a conversation. `lost` is why it was lost last, `over` why it will not be opened again."""

    def __init__(
        self, talk: Conversation, wire: Wire, retry: Retry, sleep: Callable[[float], Awaitable[object]]
    ) -> None:
        self._talk, self._wire, self._retry, self._sleep = talk, wire, retry, sleep
        self._more = asyncio.Event()
        self._opened = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.over: TwofoldError | None = None
        self.lost: TwofoldError | None = None

    def send(self) -> None:
        """The conversation has something to say."""
        self._more.set()

    async def open(self) -> None:
        """Come back once there is a connection; raise why there will be none."""
        self._task = asyncio.create_task(self._run(), name="twofold live")
        try:
            await self._opened.wait()
            if self.over is not None:
                raise self.over
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.wait({self._task})
        if not self._task.cancelled():
            self._task.result()

    async def _run(self) -> None:
        try:
            await self._stay_connected()
        finally:
            self.over = self.over or LiveClosed("the live connection was closed here")
            self._talk.fail(self.over)
            self._opened.set()

    async def _stay_connected(self) -> None:
        """Be connected, and connected again, until that makes no sense any more."""
        failures, lost_at = 0, self._retry.clock()
        while True:
            token = self._wire.token
            lost = await self._until_lost()
            if self._talk.greeted or self._talk.come_back_after:
                failures, lost_at = 0, self._retry.clock()
            self._talk.greeted, self.lost = False, lost
            changed = isinstance(lost, Unauthorized) and self._wire.token != token
            if not changed and not self._worth_while(lost, lost_at):
                self.over = lost
                return
            pause = max(self._talk.come_back_after, lost.retry_after or 0.0)
            await self._sleep(pause + self._retry.pause(failures))
            failures += 1

    def _worth_while(self, lost: TwofoldError, lost_at: float) -> bool:
        patience = self._retry.patience if self._opened.is_set() else self._retry.deadline
        return lost.retryable and (patience is None or self._retry.clock() - lost_at < patience)

    async def _until_lost(self) -> TwofoldError:
        """One connection, from the handshake to its end: why it ended."""
        try:
            socket = await connect(
                self._wire.live_url,
                subprotocols=[Subprotocol(PROTOCOL)],
                open_timeout=self._wire.timeout,
                ping_interval=HEARTBEAT,
                ping_timeout=HEARTBEAT,
                close_timeout=1,
                max_size=LARGEST_FRAME,
            )
        except Exception as error:
            return not_opened(error, reopening=self._opened.is_set())
        try:
            async with socket:
                if socket.subprotocol != PROTOCOL:
                    return WrongVersion(f"the service does not speak {PROTOCOL}")
                await self._converse(socket)
        except ConnectionClosed as closed:
            return meaning(closed)
        except TwofoldError as error:
            return error
        raise AssertionError("a conversation ends by an error")

    async def _converse(self, socket: ClientConnection) -> None:
        self._talk.connected(self._wire.token)
        self._more.set()
        writing = asyncio.create_task(self._write(socket), name="twofold live writer")
        try:
            while True:
                self._talk.hear(await socket.recv())
                if self._talk.greeted:
                    self._opened.set()
                if self._talk.out:
                    self._more.set()
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)

    async def _write(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):  # the reader hears of it too
            while True:
                while self._talk.out:
                    await socket.send(self._talk.out.popleft())
                self._more.clear()
                await self._more.wait()
