"""What stands between a client and the service in tests: lost answers, nonsense, and time that does not pass."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

import httpx

from twofold_client import AsyncClient, Client, Retry

Handler = Callable[[httpx.Request], httpx.Response]


class Passing:
    """Time that passes only while somebody sleeps; chance that always falls on the longest pause."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept.append(seconds)

    async def asleep(self, seconds: float) -> None:
        self.sleep(seconds)
        await asyncio.sleep(0)

    def retry(self, **wanted: Any) -> Retry:
        return Retry(clock=lambda: self.now, chance=lambda: 1.0, **wanted)


class Losing(httpx.BaseTransport):
    """Hands requests on, and loses the answers to the next `lose` of them."""

    def __init__(self, lose: int = 1) -> None:
        self.lose = lose
        self.keys: list[str | None] = []
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._inner.handle_request(request)
        self.keys.append(request.headers.get("Idempotency-Key"))
        if self.lose:
            self.lose -= 1
            response.read()
            response.close()
            raise httpx.ReadError("lost", request=request)
        return response

    def close(self) -> None:
        self._inner.close()


@contextmanager
def faked(handler: Handler, time: Passing | None = None, **options: Any) -> Iterator[Client]:
    """A client whose service is a function."""
    time = time or Passing()
    with httpx.Client(transport=httpx.MockTransport(handler)) as http:
        yield Client("http://fake", "token", http=http, sleep=time.sleep, retry=time.retry(), **options)


@asynccontextmanager
async def faked_async(handler: Handler, time: Passing | None = None) -> AsyncIterator[AsyncClient]:
    time = time or Passing()
    async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as http:
        yield AsyncClient("http://fake", "token", http=http, sleep=time.asleep, retry=time.retry())


class Scripted:
    """Answers one after another, the last one for ever; an exception is raised."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self._answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)


def refused(code: str, status: int, retryable: bool = False, **headers: str) -> httpx.Response:
    """A problem document."""
    document = {"type": f"/docs/problems#{code}", "title": "No", "status": status, "code": code, "detail": "Not now."}
    media = {"content-type": "application/problem+json", **headers}
    return httpx.Response(status, json=document | {"retryable": retryable, "request_id": "r1"}, headers=media)


@asynccontextmanager
async def listening(speak: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]) -> AsyncIterator[str]:
    """A bare server that says what it wants; its address."""

    talks: list[asyncio.Task[Any] | None] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.append(asyncio.current_task())
        try:
            await speak(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        for task in talks:
            if task is not None:
                task.cancel()
        await asyncio.gather(*filter(None, talks), return_exceptions=True)
