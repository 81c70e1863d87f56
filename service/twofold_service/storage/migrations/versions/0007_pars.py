"""what the solver makes of the tiles of a date that is revealed"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "par",
        sa.Column("date", sa.Text(), nullable=False),
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("claimed_at", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=True),
        sa.Column("document", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("date", name=op.f("pk_par")),
    )


def downgrade() -> None:
    op.drop_table("par")
