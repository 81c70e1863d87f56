"""The `twofold` command with small caches, which are full at once: what grows besides is a leak."""

from functools import lru_cache
from typing import Any

from tests.faults.patient import be_patient
from twofold import spawn
from twofold.memo import Memo
from twofold_cli.__main__ import main
from twofold_service.storage import database
from twofold_service.wire import games

SMALL = 128
_pragmas = database._pragmas


def _frugal(timeout_ms: int) -> Any:
    def on_connect(connection: Any, record: Any) -> None:
        _pragmas(timeout_ms)(connection, record)
        connection.execute("PRAGMA cache_size=-64")

    return on_connect


if __name__ == "__main__":
    be_patient()
    database._pragmas = _frugal
    Memo.LIMIT = SMALL
    spawn._padded = lru_cache(SMALL)(spawn._padded.__wrapped__)
    games._slide_out = lru_cache(SMALL)(games._slide_out.__wrapped__)
    main()
