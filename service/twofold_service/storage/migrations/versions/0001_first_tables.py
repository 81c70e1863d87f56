"""players, games and their logs"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "day",
        sa.Column("date", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=False),
        sa.Column("revealed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("date", name=op.f("pk_day")),
    )
    op.create_table(
        "player",
        sa.Column("key", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("kept", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("gone_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_player")),
        sa.UniqueConstraint("id", name=op.f("uq_player_id")),
    )
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.create_index(
            "ix_player_gone",
            ["gone_at"],
            unique=False,
            sqlite_where=sa.text("gone_at IS NOT NULL"),
            postgresql_where=sa.text("gone_at IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_player_unkept",
            ["created_at"],
            unique=False,
            sqlite_where=sa.text("NOT kept"),
            postgresql_where=sa.text("NOT kept"),
        )

    op.create_table(
        "process",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("heartbeat", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_process")),
    )
    op.create_table(
        "best",
        sa.Column("player", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("max_tile", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["player.key"], name=op.f("fk_best_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", "category", name=op.f("pk_best")),
    )
    op.create_table(
        "game",
        sa.Column("key", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("player", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("size", sa.SmallInteger(), nullable=False),
        sa.Column("undo_limit", sa.SmallInteger(), nullable=True),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("date", sa.Text(), nullable=True),
        sa.Column("attempt", sa.SmallInteger(), nullable=True),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("given", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("keeper", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("cells", sa.LargeBinary(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("moves", sa.BigInteger(), nullable=False),
        sa.Column("goal_moves", sa.BigInteger(), nullable=True),
        sa.Column("goal_active", sa.BigInteger(), nullable=True),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("given_up", sa.Boolean(), nullable=False),
        sa.Column("undos", sa.BigInteger(), nullable=False),
        sa.Column("pauses", sa.BigInteger(), nullable=False),
        sa.Column("banked", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("peak_score", sa.BigInteger(), nullable=False),
        sa.Column("peak_tile", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["player.key"], name=op.f("fk_game_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_game")),
        sa.UniqueConstraint("id", name=op.f("uq_game_id")),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index(
            "ix_game_attempt",
            ["player", "date", "attempt"],
            unique=True,
            sqlite_where=sa.text("date IS NOT NULL"),
            postgresql_where=sa.text("date IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_game_date",
            ["date", "attempt", "key"],
            unique=False,
            sqlite_where=sa.text("date IS NOT NULL"),
            postgresql_where=sa.text("date IS NOT NULL"),
        )
        batch_op.create_index("ix_game_mode", ["player", "mode", "key"], unique=False)
        batch_op.create_index(
            "ix_game_open",
            ["player", "key"],
            unique=False,
            sqlite_where=sa.text("status <> 'over'"),
            postgresql_where=sa.text("status <> 'over'"),
        )
        batch_op.create_index("ix_game_player", ["player", "key"], unique=False)
        batch_op.create_index(
            "ix_game_running",
            ["keeper"],
            unique=False,
            sqlite_where=sa.text("status = 'running'"),
            postgresql_where=sa.text("status = 'running'"),
        )

    op.create_table(
        "link",
        sa.Column("player", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["player.key"], name=op.f("fk_link_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_link")),
        sa.UniqueConstraint("hash", name=op.f("uq_link_hash")),
    )
    op.create_table(
        "token",
        sa.Column("key", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("player", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("replaces", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["player"], ["player.key"], name=op.f("fk_token_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_token")),
        sa.UniqueConstraint("hash", name=op.f("uq_token_hash")),
    )
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_token_player"), ["player"], unique=False)

    op.create_table(
        "command_key",
        sa.Column("game", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("op", sa.Text(), nullable=False),
        sa.Column("direction", sa.Text(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=True),
        sa.Column("made", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.key"], name=op.f("fk_command_key_game"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "name", name=op.f("pk_command_key")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("command_key", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_command_key_at"), ["at"], unique=False)

    op.create_table(
        "create_key",
        sa.Column("player", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("game", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.key"], name=op.f("fk_create_key_game"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player"], ["player.key"], name=op.f("fk_create_key_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", "name", name=op.f("pk_create_key")),
    )
    with op.batch_alter_table("create_key", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_create_key_at"), ["at"], unique=False)
        batch_op.create_index(batch_op.f("ix_create_key_game"), ["game"], unique=False)

    op.create_table(
        "event",
        sa.Column("game", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.SmallInteger(), nullable=False),
        sa.Column("direction", sa.SmallInteger(), nullable=True),
        sa.Column("cause", sa.SmallInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("active", sa.BigInteger(), nullable=False),
        sa.Column("cell", sa.SmallInteger(), nullable=True),
        sa.Column("tile", sa.SmallInteger(), nullable=True),
        sa.Column("frame", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.key"], name=op.f("fk_event_game"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "version", name=op.f("pk_event")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "result",
        sa.Column("game", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("player", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("date", sa.Text(), nullable=True),
        sa.Column("attempt", sa.SmallInteger(), nullable=True),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("max_tile", sa.BigInteger(), nullable=False),
        sa.Column("moves", sa.BigInteger(), nullable=False),
        sa.Column("active_ms", sa.BigInteger(), nullable=False),
        sa.Column("goal_moves", sa.BigInteger(), nullable=True),
        sa.Column("goal_active_ms", sa.BigInteger(), nullable=True),
        sa.Column("pauses", sa.BigInteger(), nullable=False),
        sa.Column("elapsed_ms", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reached_goal", sa.Boolean(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.key"], name=op.f("fk_result_game"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player"], ["player.key"], name=op.f("fk_result_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_result")),
    )
    with op.batch_alter_table("result", schema=None) as batch_op:
        batch_op.create_index("ix_result_best", ["player", "category", sa.text("score DESC")], unique=False)
        batch_op.create_index("ix_result_date", ["player", "date"], unique=False)

    op.create_table(
        "standing",
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("player", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("second", sa.BigInteger(), nullable=False),
        sa.Column("minus_score", sa.BigInteger(), nullable=False),
        sa.Column("moves", sa.BigInteger(), nullable=False),
        sa.Column("active_ms", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.key"], name=op.f("fk_standing_game"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player"], ["player.key"], name=op.f("fk_standing_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("board", "player", name=op.f("pk_standing")),
        sqlite_with_rowid=False,
    )
    rank = ["board", "first", "second", "minus_score", "moves", "active_ms", "ended_at", "id"]
    with op.batch_alter_table("standing", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_standing_game"), ["game"], unique=False)
        batch_op.create_index(batch_op.f("ix_standing_player"), ["player"], unique=False)
        batch_op.create_index("ix_standing_rank", rank, unique=False)


def downgrade() -> None:
    op.drop_table("standing")
    with op.batch_alter_table("result", schema=None) as batch_op:
        batch_op.drop_index("ix_result_date")
        batch_op.drop_index("ix_result_best")

    op.drop_table("result")
    op.drop_table("event")
    with op.batch_alter_table("create_key", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_create_key_game"))
        batch_op.drop_index(batch_op.f("ix_create_key_at"))

    op.drop_table("create_key")
    with op.batch_alter_table("command_key", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_command_key_at"))

    op.drop_table("command_key")
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_token_player"))

    op.drop_table("token")
    op.drop_table("link")
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_game_running",
            sqlite_where=sa.text("status = 'running'"),
            postgresql_where=sa.text("status = 'running'"),
        )
        batch_op.drop_index("ix_game_player")
        batch_op.drop_index(
            "ix_game_open",
            sqlite_where=sa.text("status <> 'over'"),
            postgresql_where=sa.text("status <> 'over'"),
        )
        batch_op.drop_index("ix_game_mode")
        batch_op.drop_index(
            "ix_game_date",
            sqlite_where=sa.text("date IS NOT NULL"),
            postgresql_where=sa.text("date IS NOT NULL"),
        )
        batch_op.drop_index(
            "ix_game_attempt",
            sqlite_where=sa.text("date IS NOT NULL"),
            postgresql_where=sa.text("date IS NOT NULL"),
        )

    op.drop_table("game")
    op.drop_table("best")
    op.drop_table("process")
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.drop_index("ix_player_unkept", sqlite_where=sa.text("NOT kept"), postgresql_where=sa.text("NOT kept"))
        batch_op.drop_index(
            "ix_player_gone",
            sqlite_where=sa.text("gone_at IS NOT NULL"),
            postgresql_where=sa.text("gone_at IS NOT NULL"),
        )

    op.drop_table("player")
    op.drop_table("day")
