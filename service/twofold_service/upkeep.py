"""Looking after a service that is installed: copies of its database."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from twofold_service.settings import Settings
from twofold_service.storage import copies
from twofold_service.storage.database import Database, DatabaseRefused


def backup(settings: Settings, file: Path, progress: copies.Progress, *, overwrite: bool) -> None:
    """Write a copy of the database, beside a running service or without one; DatabaseRefused."""
    with _database(settings) as database:
        copies.back_up(database, file, progress, overwrite=overwrite)


def restore(settings: Settings, file: Path, progress: copies.Progress, *, overwrite: bool) -> None:
    """Make the database what a copy is, where no service uses it; DatabaseRefused."""
    with _database(settings) as database:
        copies.restore(database, file, progress, overwrite=overwrite)


def secret_beside(settings: Settings) -> Path | None:
    """The file of the service's own secret, which belongs to a copy; None where there is none."""
    with _database(settings) as database:
        if settings.secret or not database.is_sqlite:
            return None
        file = Path(f"{database.url.database}.secret")
        return file if file.exists() else None


@contextmanager
def _database(settings: Settings) -> Iterator[Database]:
    """The database of the settings; what cannot be done with it is told in one line."""
    with closing(Database(settings.database, settings.storage_timeout_ms)) as database:
        try:
            yield database
        except SQLAlchemyError as error:
            raise DatabaseRefused(f"database: {str(error).splitlines()[0]}") from error
