"""moves committed together stand in one row until they are folded into their games' own"""

import sqlalchemy as sa
from alembic import op
from alembic.util import CommandError

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "batch",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("moves", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_batch")),
    )


def downgrade() -> None:
    if op.get_bind().execute(sa.text("SELECT count(*) FROM batch")).scalar_one():
        raise CommandError("moves wait in it to be written to their games' rows; serve it with this release once")
    op.drop_table("batch")
