"""Failures as HTTP answers: the one place where an exception becomes a problem document."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import iter_route_contexts
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from twofold_service.errors import Internal, Invalid, MethodNotAllowed, NotFound, ServiceError
from twofold_service.usecases.ports import Now
from twofold_service.wire.encode import dumps
from twofold_service.wire.games import ONE, SEVERAL
from twofold_service.wire.problems import MEDIA_TYPE, problem

Headers = list[tuple[bytes, bytes]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


def problem_response(error: ServiceError, request_id: str, now: int) -> tuple[int, Headers, bytes]:
    """Status, headers and body of a failure."""
    headers = [(b"content-type", MEDIA_TYPE.encode())]
    if error.retry_after is not None:
        headers.append((b"retry-after", str(error.retry_after).encode()))
    if error.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    return error.status, headers, dumps(problem(error, request_id, now))


async def respond(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """Send a whole answer."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


def invalid(faults: ValidationError | RequestValidationError, where: str | None = None) -> Invalid:
    """The fields at fault, each with its place; `where` is put before it."""
    prefix = () if where is None else (where,)
    errors = [((*prefix, *_place(fault["loc"])), str(fault["msg"])) for fault in faults.errors()]
    return Invalid(errors=errors)


def _place(loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Where in the request; which of two shapes was read is no place in it."""
    return tuple(part for part in loc if part not in (ONE, SEVERAL))


def install(app: FastAPI, now: Now) -> None:
    """Make every failure inside the app a problem document."""

    def answer(request: Request, error: ServiceError) -> Response:
        status, headers, body = problem_response(error, request.state.call.id, now())
        plain = {name.decode(): value.decode() for name, value in headers}
        return Response(body, status, plain)

    def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 405:
            refused = answer(request, MethodNotAllowed())
            refused.headers["Allow"] = ", ".join(_methods(app, request.url.path))
            return refused
        if error.status_code == 404:
            return answer(request, NotFound("There is nothing at this path."))
        return answer(request, Invalid("The body cannot be read as JSON."))

    def validation(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return answer(request, invalid(error))

    def service(request: Request, error: Exception) -> Response:
        assert isinstance(error, ServiceError)
        return answer(request, error)

    def internal(request: Request, error: Exception) -> Response:
        return answer(request, Internal())

    app.add_exception_handler(Exception, internal)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, validation)
    app.add_exception_handler(ServiceError, service)


def _methods(app: FastAPI, path: str) -> list[str]:
    """The methods of all routes that have this path."""
    methods: set[str] = set()
    for route in iter_route_contexts(app.routes):
        pattern = getattr(route, "path_regex", None)
        if pattern is not None and pattern.match(path):
            methods |= route.methods or set()
    return sorted(methods)
