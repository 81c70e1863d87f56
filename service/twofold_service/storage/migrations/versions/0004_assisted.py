"""games say whether a hint was given in them, and so do their results"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("game", "result"):
        op.add_column(table, sa.Column("assisted", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    for table in ("game", "result"):
        op.drop_column(table, "assisted")
