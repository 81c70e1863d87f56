"""Every knob of the service, read from the environment (`TWOFOLD_<NAME>`) or `.env`, by `app.py` alone."""

import re
from ipaddress import ip_network
from typing import Annotated, Literal

from limits import parse
from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict


def _rate(text: str) -> str:
    try:
        parse(text)
    except ValueError as error:
        raise PydanticCustomError("rate", "a rate is written like 60/second") from error
    return text


def _networks(text: str) -> str:
    try:
        for part in text.split(","):
            if part.strip():
                ip_network(part.strip(), strict=False)
    except ValueError as error:
        raise PydanticCustomError("networks", "addresses or networks are written like 10.0.0.0/8, by commas") from error
    return text


def _origins(text: str) -> str:
    if not all(
        re.fullmatch(r"[a-z][a-z0-9+.-]*://[^/\s]+/?", part.strip()) for part in text.split(",") if part.strip()
    ):
        raise PydanticCustomError("origins", "origins are written like https://example.org, by commas")
    return text


Rate = Annotated[str, AfterValidator(_rate)]
Networks = Annotated[str, AfterValidator(_networks)]
Origins = Annotated[str, AfterValidator(_origins)]


class Settings(BaseSettings):
    """Options of `twofold serve` and everything else an operator may turn; README lists them with their defaults."""

    model_config = SettingsConfigDict(env_prefix="TWOFOLD_", env_file=".env", extra="ignore", frozen=True)

    host: str = Field("127.0.0.1", description="address to listen on")
    port: int = Field(8000, ge=0, le=65535, description="port to listen on")
    database: str = Field("sqlite:///twofold.db", description="SQLAlchemy URL: sqlite:///FILE or postgresql://…")
    redis: str = Field("", description="Redis URL, for several processes on one PostgreSQL: redis://HOST:6379/0")
    workers: int = Field(1, ge=1, le=64, description="number of processes")
    worker_port: int = Field(0, ge=0, le=65535, description="first port at which each worker is reached alone; 0: none")
    secret: str = Field("", description="at least 64 hex digits; made beside an SQLite database where it is not given")
    rate_limits: Literal["on", "off"] = Field("on", description="off: no rates and counts, for load tests")
    player_rate: Rate = Field("60/second", description="requests and commands of one player")
    address_rate: Rate = Field("240/second", description="requests and commands from one address")
    new_player_rate: Rate = Field("60/minute", description="players made from one address")
    open_games: int = Field(1000, ge=1, description="open games of one player")
    player_sockets: int = Field(20, ge=1, description="sockets of one player")
    address_sockets: int = Field(100, ge=1, description="sockets from one address")
    socket_watches: int = Field(100, ge=1, description="games one socket may watch")
    body_bytes: int = Field(64 * 1024, ge=1024, description="largest request body")
    slides_bytes: int = Field(256 * 1024, ge=1024, description="largest body of /slides")
    record_bytes: int = Field(8 * 1024 * 1024, ge=1024, description="largest record")
    cached_games: int = Field(20_000, ge=1, description="games kept in memory beside those running or watched")
    storage_timeout_ms: int = Field(3000, ge=100, description="how long a locked database is waited for")
    origins: Origins = Field("", description="further origins that may open a WebSocket, separated by commas")
    trusted_proxies: Networks = Field("", description="addresses or networks whose Forwarded headers count, by commas")
    metrics_token: str = Field("", description="bearer token for /metrics, which direct loopback peers read without")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="what is logged")
    tracing: Literal["off", "otlp"] = Field(
        "off", description="spans to an OpenTelemetry collector, by OTEL_* variables"
    )
    log_format: Literal["text", "json"] = Field("text", description="lines for people, or one JSON object a line")
