"""The OpenAPI document: what FastAPI makes of the routes, and what it cannot know."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi


def describe(app: FastAPI) -> None:
    """Let the app answer with the finished document."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _document(app: FastAPI) -> dict[str, Any]:
    return get_openapi(title=app.title, version=app.version, routes=app.routes)
