"""what the solver makes of final games"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "analysis",
        sa.Column("game", NUMBER, nullable=False),
        sa.Column("depth", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("edition", sa.SmallInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.key"], name=op.f("fk_analysis_game"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "depth", name=op.f("pk_analysis")),
    )


def downgrade() -> None:
    op.drop_table("analysis")
