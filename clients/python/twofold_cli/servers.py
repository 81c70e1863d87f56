"""Which service is spoken to and as whom: options, TWOFOLD_SERVER and TWOFOLD_TOKEN, the file of tokens."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from twofold_cli import tokens
from twofold_cli.failing import UNHEARD, USAGE, extra, fail
from twofold_cli.looks.printed import safe

if TYPE_CHECKING:
    from twofold_client import Client, TwofoldError

SERVER, TOKEN = "TWOFOLD_SERVER", "TWOFOLD_TOKEN"
DEFAULT = "http://127.0.0.1:8000"
WITHIN = 10.0
"""Seconds in which a service has to answer, all attempts together."""

Server = Annotated[
    str | None, typer.Option(help=f"Address of a service [{SERVER}, {DEFAULT}].", show_default=False, metavar="URL")
]


def address(given: str | None) -> str | None:
    """The service that was asked for; None where none was."""
    url = given or _setting(SERVER)
    return url and url.rstrip("/")


def token_for(url: str, account: str = "") -> str | None:
    return _setting(TOKEN) or tokens.kept(url + account)


@contextmanager
def opened(server: str | None, account: str = "") -> Iterator["Client"]:
    """A client of the service asked for, or of this machine's; what goes wrong is one line.

    `account` is another player there than the one who is kept without."""
    url = address(server) or DEFAULT
    client = extra("twofold_client", "client")
    retry, waiting, token = client.Retry(deadline=WITHIN), Waiting(url), token_for(url, account)
    try:
        made = client.Client(url, token, retry=retry, sleep=waiting)
    except (ImportError, OSError) as error:  # what a proxy or certificates of the environment need is not there
        fail(f"no connection can be made with this environment's proxy or certificates: {error}", USAGE)
    except ValueError as error:
        fail(safe(str(error)), USAGE)
    try:
        with made as open_client:
            yield open_client
    except client.TwofoldError as error:
        fail(told(url, error), UNHEARD if isinstance(error, client.errors.NoAnswer) else 1)
    except ValueError as error:
        fail(safe(str(error)), USAGE)


class Waiting:
    """Waits for a service, and says so once to whoever sits there."""

    def __init__(self, url: str) -> None:
        self._line: str | None = f"{url} does not answer, trying again for {WITHIN:.0f} seconds …"

    def __call__(self, seconds: float) -> None:
        if self._line is not None and sys.stderr.isatty():
            typer.echo(self._line, err=True)
        self._line = None
        time.sleep(seconds)


def told(url: str, error: "TwofoldError") -> str:
    """A failure in one line; a service's own words are not to be trusted with the terminal."""
    line = f"{url}: {safe(str(error))}"
    if getattr(error, "code", None) == "unauthorized":
        line += f" (the token comes from {TOKEN if _setting(TOKEN) else tokens.path()})"
    return line


def _setting(name: str) -> str | None:
    """From the environment, else from .env in this folder."""
    if (value := os.environ.get(name)) is None:
        from dotenv import dotenv_values

        try:
            value = dotenv_values(".env").get(name)
        except (OSError, UnicodeDecodeError) as error:
            fail(f".env: cannot be read: {error}", USAGE)
    return value or None
