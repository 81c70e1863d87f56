"""players say whether they are programs, and so do the results of their games"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("player", "result"):
        op.add_column(table, sa.Column("bot", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    for table in ("player", "result"):
        op.drop_column(table, "bot")
