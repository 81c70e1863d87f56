"""The OpenAPI document: what FastAPI makes of the routes, and what follows from them that it cannot know."""

from collections.abc import Callable, Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import TypeAdapter

from twofold_service.api.about import ABOUT, FORMS, HEADERS, LINKS, PARAMETERS, TAGS
from twofold_service.api.deps import current_player, maybe_player, no_key, services
from twofold_service.api.documented import Failure, problem_response, refusals
from twofold_service.api.door import UNCOUNTED
from twofold_service.api.examples import NDJSON, Shown, problems, shown
from twofold_service.api.lean import LeanRoute
from twofold_service.errors import (
    Internal,
    Invalid,
    RateLimited,
    StorageFull,
    StorageUnavailable,
    TooLarge,
    Unauthorized,
    UnsupportedMedia,
)
from twofold_service.wire.problems import MEDIA_TYPE, Problem
from twofold_service.wire.schemas import ROOT, failures, pointed, published, untitled

Json = dict[str, Any]

SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A player's token, from `POST /v1/players`."},
    "metricsToken": {"type": "http", "scheme": "bearer", "description": "`TWOFOLD_METRICS_TOKEN` of the service."},
}
LINES = {
    "type": "string",
    "description": 'an Event a line; the last line, `{"eof":true,"count":n}`, says that nothing is missing',
}
IMAGES = {"image/png", "image/gif"}
PICTURES = ("drawBoardSvg", "drawBoardPng", "drawReplay")
WRITING = ("post", "patch", "delete")
WAITING = ("202", "429", "503", "507")


def describe(app: FastAPI) -> None:
    """Let the app answer with the finished document."""

    def openapi() -> Json:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _document(app: FastAPI) -> Json:
    made = get_openapi(
        title=app.title,
        version=app.version,
        summary="An open game service for 2048",
        description=ABOUT + _table_of_codes(),
        routes=app.routes,
        tags=[{"name": name, "description": about} for name, about in TAGS.items()],
        servers=[{"url": "/"}],
        license_info={"name": "MIT", "identifier": "MIT"},
    )
    examples = shown()
    for path, method, route in _routes(app):
        operation = made["paths"][path][method]
        _finish(operation, path, method, route, examples.get(operation["operationId"]))
    made["paths"] = pointed(made["paths"])
    made["components"] = {
        "schemas": _schemas(made["components"]["schemas"]),
        "headers": {name: _valued(*told) for name, told in HEADERS.items()},
        "examples": problems(),
        "securitySchemes": SECURITY,
    }
    return made


def _table_of_codes() -> str:
    return "".join(f"| `{code}` | {failure.status} | {failure.detail} |\n" for code, failure in failures().items())


def _routes(app: FastAPI) -> Iterator[tuple[str, str, APIRoute]]:
    """Path, method and route of every operation."""
    for context in iter_route_contexts(app.routes):
        route = context.original_route
        if isinstance(route, APIRoute) and route.include_in_schema:
            for method in sorted(route.methods or ()):
                yield context.path_format or "", method.lower(), route


def _schemas(schemas: Json) -> Json:
    problem = TypeAdapter(Problem).json_schema(mode="serialization", ref_template=ROOT + "{model}")
    shapes = schemas | problem.pop("$defs") | {"Problem": problem}
    return published({name: shapes[name] for name in shapes if name not in ("HTTPValidationError", "ValidationError")})


def _finish(operation: Json, path: str, method: str, route: APIRoute, example: Shown | None) -> None:
    """What the route's signature, its path and its example say of one operation."""
    asks, responses = _asks(route), operation["responses"]
    operation["security"] = _security(path, asks)
    for parameter in operation.get("parameters", ()):
        _finish_parameter(parameter)
    if "requestBody" in operation:
        _finish_body(operation["requestBody"], route, example)
    if example is not None:
        _finish_success(responses[str(route.status_code or 200)], operation["operationId"], example)
    if "422" in responses and MEDIA_TYPE not in responses["422"]["content"]:
        del responses["422"]  # FastAPI's own, which this service never sends
    checks = (
        "requestBody" in operation or no_key in asks or any(p["in"] != "path" for p in operation.get("parameters", ()))
    )
    for failure in _failures(path, method, asks, checks=checks):
        _merge(responses, refusals(failure))
    if isinstance(route, LeanRoute):
        responses["412"] = problem_response("stale_version", "stale_if_match")
    for status, response in responses.items():
        _finish_response(status, response, operation["operationId"], lean=isinstance(route, LeanRoute))
    operation["responses"] = dict(sorted(responses.items()))


def _asks(route: APIRoute) -> set[Callable[..., Any] | None]:
    """What the route depends on; a lean one asks for its player and the services by itself."""
    found: set[Callable[..., Any] | None] = {current_player, services} if isinstance(route, LeanRoute) else set()
    waiting: list[Dependant] = [route.dependant]
    while waiting:
        dependant = waiting.pop()
        found.add(dependant.call)
        waiting += dependant.dependencies
    return found


def _security(path: str, asks: set[Callable[..., Any] | None]) -> list[Json]:
    if path == "/metrics":
        return [{}, {"metricsToken": []}]
    if current_player in asks:
        return [{"bearer": []}]
    return [{}, {"bearer": []}] if maybe_player in asks else []


def _failures(path: str, method: str, asks: set[Callable[..., Any] | None], *, checks: bool) -> Iterator[Failure]:
    """How an operation can fail by what it is, whatever it does."""
    yield Internal
    knows_players = bool(asks & {current_player, maybe_player})
    if path not in UNCOUNTED:
        yield RateLimited
    if method in WRITING:
        yield TooLarge
        yield UnsupportedMedia
    if checks:
        yield Invalid
    if knows_players:
        yield Unauthorized
    if knows_players or services in asks:
        yield StorageUnavailable
        yield StorageFull


def _merge(responses: Json, more: dict[int | str, Json]) -> None:
    for status, response in more.items():
        known = responses.setdefault(str(status), response)
        known["content"][MEDIA_TYPE]["examples"] |= response["content"][MEDIA_TYPE]["examples"]


def _finish_parameter(parameter: Json) -> None:
    description, example = PARAMETERS.get(parameter["name"], ("", None))
    schema = _present(parameter["schema"])
    untitled(schema)
    parameter["schema"] = schema | FORMS.get(parameter["name"], {})
    parameter["description"] = description
    if example is not None:
        parameter["example"] = example


def _finish_body(body: Json, route: APIRoute, example: Shown | None) -> None:
    content = body["content"]["application/json"]
    untitled(content["schema"])
    if isinstance(route, LeanRoute) and not any(field.is_required() for field in route.model.model_fields.values()):
        body.pop("required")
    if example is not None and example.request:
        content["examples"] = _examples(example.request)


def _finish_success(response: Json, operation_id: str, example: Shown) -> None:
    response["description"] = example.answers
    if "content" in response:
        content = next(iter(response["content"].values()))
        untitled(content["schema"])
        content["examples"] = _examples({name: value for name, value in example.response.items() if name != NDJSON})
    for kind in IMAGES & response.get("content", {}).keys():
        response["content"][kind] = {"schema": {"type": "string", "contentMediaType": kind}}
    if NDJSON in example.response:
        lines = {"schema": LINES, "examples": _examples({"lines": example.response[NDJSON]})}
        response["content"][NDJSON] = lines
    if operation_id in LINKS:
        response["links"] = {name: {"operationId": name, **link} for name, link in LINKS[operation_id].items()}


def _finish_response(status: str, response: Json, operation_id: str, *, lean: bool) -> None:
    """The headers of an answer, and for a problem what its codes mean."""
    headers = ["X-Request-Id"]
    if status == "401":
        headers.append("WWW-Authenticate")
    if status in WAITING:
        headers.append("Retry-After")
    if status in ("200", "201") and (lean or operation_id in ("getGame", "createGame")):
        headers.append("ETag")
    if status in ("200", "304") and operation_id in PICTURES:
        headers += ["Cache-Control", "ETag"]
    if status == "201" and operation_id == "createGame":
        headers.append("Location")
    response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in sorted(headers)}
    if MEDIA_TYPE in response.get("content", {}):
        codes = sorted(response["content"][MEDIA_TYPE]["examples"])
        response["description"] = "; ".join(f"`{code}`: {failures()[code].detail.rstrip('.')}" for code in codes) + "."


def _present(schema: Json) -> Json:
    """The schema of what is sent, where it is sent at all: without null."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) != 1:
        return schema
    present: Json = {name: value for name, value in schema.items() if name != "anyOf"} | kinds[0]
    return present


def _examples(values: Json) -> Json:
    return {name: {"summary": name.replace("_", " "), "value": value} for name, value in values.items()}


def _valued(description: str, example: Any) -> Json:
    kind = "integer" if isinstance(example, int) else "string"
    return {"description": description, "schema": {"type": kind}, "example": example}
