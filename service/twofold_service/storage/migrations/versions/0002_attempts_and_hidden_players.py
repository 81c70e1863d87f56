"""attempts at a date are counted past 32767, and hidden players are found at once

SQLite's numbers have no width, so there an attempt's column stays as it is.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _alter_attempts(sa.SmallInteger(), sa.Integer())
    hidden = sa.text("hidden")
    op.create_index("ix_player_hidden", "player", ["key"], sqlite_where=hidden, postgresql_where=hidden)


def downgrade() -> None:
    op.drop_index("ix_player_hidden", "player")
    _alter_attempts(sa.Integer(), sa.SmallInteger())


def _alter_attempts(old: sa.Integer, new: sa.Integer) -> None:
    if op.get_bind().dialect.name == "sqlite":
        return
    for table in ("game", "result"):
        op.alter_column(table, "attempt", existing_type=old, type_=new, existing_nullable=True)
