"""Runs migrations on the connection that database.py hands over."""

from alembic import context
from sqlmodel import SQLModel

from twofold_service.storage import tables  # noqa: F401  (fills the metadata)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
