"""The two bare servers: a FastAPI POST with pydantic in and out, and a raw ASGI WebSocket echo; `bare post|echo PORT`.

Loop, HTTP parser and options are those of the service.
"""

import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Literal

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

Message = MutableMapping[str, Any]
post = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)


class MoveIn(BaseModel):
    direction: Literal["up", "down", "left", "right"]
    version: int | None = None


class MoveOut(BaseModel):
    moved: bool
    direction: str
    version: int


@post.post("/moves")
async def move(body: MoveIn) -> MoveOut:
    return MoveOut(moved=True, direction=body.direction, version=(body.version or 0) + 1)


async def echo(
    scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    if scope["type"] != "websocket":
        await receive()
        await send({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


if __name__ == "__main__":
    uvicorn.run(
        post if sys.argv[1] == "post" else echo,
        port=int(sys.argv[2]),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        lifespan="off",
        access_log=False,
        log_config=None,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        date_header=False,
    )
