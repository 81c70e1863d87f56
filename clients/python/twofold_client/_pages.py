"""Lists that fetch their pages as they are read."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Generic, TypeVar

from twofold_client._call import Call
from twofold_client.standings import Page

Item = TypeVar("Item")


class Pages(Generic[Item]):
    """A list, page after page, asked for as far as it is read; reading it again asks again."""

    def __init__(self, do: Callable[[Call[Page[Item]]], Page[Item]], first: Call[Page[Item]]) -> None:
        self._do, self._first = do, first

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.items

    def pages(self) -> Iterator[Page[Item]]:
        call: Call[Page[Item]] | None = self._first
        while call is not None:
            page = self._do(call)
            yield page
            call = page.next

    def first(self) -> Page[Item]:
        """The first page alone; of a ranking it tells where you stand."""
        return self._do(self._first)


class AsyncPages(Generic[Item]):
    """The same, awaited."""

    def __init__(self, do: Callable[[Call[Page[Item]]], Awaitable[Page[Item]]], first: Call[Page[Item]]) -> None:
        self._do, self._first = do, first

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.items:
                yield item

    async def pages(self) -> AsyncIterator[Page[Item]]:
        call: Call[Page[Item]] | None = self._first
        while call is not None:
            page = await self._do(call)
            yield page
            call = page.next

    async def first(self) -> Page[Item]:
        """The first page alone; of a ranking it tells where you stand."""
        return await self._do(self._first)
