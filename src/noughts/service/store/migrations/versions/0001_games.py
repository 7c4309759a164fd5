"""Games, their events, seats, and computers' turns."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("rows", sa.SmallInteger, nullable=False),
        sa.Column("cols", sa.SmallInteger, nullable=False),
        sa.Column("k", sa.SmallInteger, nullable=False),
        sa.Column("opponent", sa.String(8), nullable=False),
        sa.Column("level", sa.String(8)),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("name", sa.String(32)),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("invite", sa.LargeBinary(32)),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("games_made", "games", ["at", "id"])
    op.create_index(
        "games_listed",
        "games",
        ["at"],
        sqlite_where=sa.text("listed = 1"),
        postgresql_where=sa.text("listed"),
    )
    game = sa.ForeignKey("games.id")
    op.create_table(
        "events",
        sa.Column("game", sa.String(16), game, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("cell", sa.SmallInteger),
        sa.Column("ply", sa.Integer),
        sa.Column("text", sa.String(32)),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seats",
        sa.Column("token", sa.LargeBinary(32), primary_key=True),
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("seats", sa.String(2), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "due",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("due", "seats", "events", "games"):
        op.drop_table(table)
