"""Callers who go before they are answered: what they have waited for is cancelled."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request

from twofold_service.errors import Busy

T = TypeVar("T")


async def while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What comes of the work, which is cancelled where its caller goes before; then nobody reads the refusal."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Busy("The caller has gone.")
        return working.result()
    finally:
        leaving.cancel()
        working.cancel()


async def _left(request: Request) -> None:
    """Return once the caller has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
