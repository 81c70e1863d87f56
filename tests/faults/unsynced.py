"""The `twofold` command on a database that does not wait for the disk: what the trace checker must find."""

from typing import Any

from tests.faults.patient import be_patient
from twofold_cli.__main__ import main
from twofold_service.storage import database

_pragmas = database._pragmas


def _careless(timeout_ms: int) -> Any:
    def on_connect(connection: Any, record: Any) -> None:
        _pragmas(timeout_ms)(connection, record)
        connection.execute("PRAGMA synchronous=OFF")

    return on_connect


if __name__ == "__main__":
    be_patient()
    database._pragmas = _careless
    main()
