"""Routes for those who run the service, and the documentation, which works offline."""

import secrets
from html import escape
from pathlib import Path

import fastapi_offline
from fastapi import APIRouter, FastAPI, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from twofold_service.api.addresses import is_direct_loopback
from twofold_service.api.deps import CallOf, Json
from twofold_service.api.documented import told
from twofold_service.api.metrics import Metrics
from twofold_service.api.readiness import Readiness
from twofold_service.errors import Busy, Draining, MethodNotAllowed, NotFound, StorageUnavailable
from twofold_service.wire.ops import HealthOut, ReadinessOut
from twofold_service.wire.schemas import failures

DOCS = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Twofold API</title><link rel="stylesheet" href="/docs/assets/swagger-ui.css"></head>
<body><main id="docs"></main><script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script></body></html>
"""
PROBLEMS = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Twofold problems</title></head><body><main><h1>Problems</h1>
<p>Every failure is a problem document (RFC 9457); its <code>code</code> is one of these.</p>
<table><thead><tr><th scope="col">code</th><th scope="col">status</th><th scope="col">meaning</th></tr></thead>
<tbody>{rows}</tbody></table></main></body></html>
"""
START = """SwaggerUIBundle({url: "/v1/openapi.json", dom_id: "#docs", deepLinking: true, layout: "BaseLayout"});
"""
DOCS_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def routes(readiness: Readiness, metrics: Metrics | None, metrics_token: str) -> APIRouter:
    """Health, readiness, metrics and documentation."""
    router = APIRouter(tags=["operation"])

    @router.get("/healthz", response_model=HealthOut, **told("getHealth", "Alive", MethodNotAllowed))
    async def healthz() -> Response:
        """The process is alive, and every part of it works."""
        readiness.check_life()
        return Json({"status": "ok"})

    @router.get(
        "/readyz",
        response_model=ReadinessOut,
        **told("getReadiness", "Ready for requests", MethodNotAllowed, Draining, StorageUnavailable, Busy),
    )
    async def readyz() -> Response:
        """Storage answers, takes writes and has this release's schema, and the process does not drain; else 503."""
        await readiness.check()
        return Json({"status": "ready"})

    @router.get(
        "/metrics", response_class=PlainTextResponse, **told("getMetrics", "Metrics", MethodNotAllowed, NotFound)
    )
    async def metric_page(call: CallOf) -> Response:
        """Prometheus metrics, for the holder of the metrics token or a process on this machine."""
        offered = call.headers.get(b"authorization", b"")
        holds_token = metrics_token and secrets.compare_digest(offered, b"Bearer " + metrics_token.encode())
        if metrics is None or not (holds_token or is_direct_loopback(call.peer, call.headers)):
            raise NotFound("There is nothing at this path.")
        return Response(metrics.page(), headers={"Content-Type": metrics.content_type})

    @router.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return HTMLResponse(DOCS, headers={"Content-Security-Policy": DOCS_POLICY})

    @router.get("/docs/problems", include_in_schema=False)
    async def docs_problems() -> Response:
        return HTMLResponse(problems_page(), headers={"Content-Security-Policy": DOCS_POLICY})

    @router.get("/docs/start.js", include_in_schema=False)
    async def docs_start() -> Response:
        return Response(START, media_type="text/javascript")

    @router.get("/v1/openapi.json", include_in_schema=False)
    async def openapi(request: Request) -> Response:
        app: FastAPI = request.app
        return Json(app.openapi())

    return router


def docs_assets() -> StaticFiles:
    """Swagger UI as it comes in an installed package."""
    return StaticFiles(directory=Path(fastapi_offline.__file__).parent / "static")


def problems_page() -> str:
    """Where a problem's `type` points to: every code, its status and what it means."""
    row = '<tr id="{code}"><th scope="row"><code>{code}</code></th><td>{status}</td><td>{detail}</td></tr>'
    rows = [
        row.format(code=code, status=known.status, detail=escape(known.detail)) for code, known in failures().items()
    ]
    return PROBLEMS.format(rows="\n".join(rows))
