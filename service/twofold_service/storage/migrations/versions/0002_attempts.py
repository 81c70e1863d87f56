"""attempts at a date are counted past 32767; SQLite's numbers have no width, so there nothing changes"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _alter(sa.SmallInteger(), sa.Integer())


def downgrade() -> None:
    _alter(sa.Integer(), sa.SmallInteger())


def _alter(old: sa.Integer, new: sa.Integer) -> None:
    if op.get_bind().dialect.name == "sqlite":
        return
    for table in ("game", "result"):
        op.alter_column(table, "attempt", existing_type=old, type_=new, existing_nullable=True)
