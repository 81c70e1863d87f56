"""The HTTP interface: all routes together, described."""

from fastapi import FastAPI

from twofold import __version__
from twofold_service.api import (
    analyses,
    commands,
    daily,
    games,
    hints,
    leaderboards,
    ops,
    page,
    pictures,
    players,
    problems,
    records,
    rules,
)
from twofold_service.api.metrics import Metrics
from twofold_service.api.openapi import describe
from twofold_service.api.readiness import Readiness
from twofold_service.usecases.ports import Now


def create_api(now: Now, readiness: Readiness, metrics: Metrics | None, metrics_token: str) -> FastAPI:
    """The HTTP interface; its use cases come with each request, from the door."""
    api = FastAPI(
        title="Twofold",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # tracing.py follows requests
    )
    for router in (
        players.router,
        rules.router,
        games.router,
        pictures.router,
        commands.router,
        records.router,
        daily.router,
        leaderboards.router,
        hints.router,
        analyses.router,
    ):
        api.include_router(router, prefix="/v1")
    api.include_router(ops.routes(readiness, metrics, metrics_token))
    api.mount("/docs/assets", ops.docs_assets())
    api.include_router(page.routes(page.found()))
    problems.install(api, now)
    describe(api)
    return api


def undeployed_api() -> FastAPI:
    """The HTTP interface with nothing behind it, to be described."""

    async def nothing() -> None:
        return

    return create_api(lambda: 0, Readiness(nothing), None, "")
