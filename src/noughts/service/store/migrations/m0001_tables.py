"""The first tables, which databases from before Alembic already have."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
release = "0.1"

metadata: sa.MetaData = sa.MetaData()

_games = sa.Table(
    "games",
    metadata,
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
    sa.Column("gravity", sa.Boolean, nullable=False),
    sa.Column("variant", sa.String(9), nullable=False),
    sa.Column("before", sa.String(16)),
    sa.Column("seconds", sa.Integer),
    sa.Column("increment", sa.SmallInteger),
    sa.Column("referee", sa.Boolean, nullable=False),
)
sa.Index("games_made", _games.c.at, _games.c.id)
sa.Index(
    "games_listed",
    _games.c.at,
    sqlite_where=sa.text("listed = 1"),
    postgresql_where=_games.c.listed,
)
sa.Table(
    "events",
    metadata,
    sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
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
_seats = sa.Table(
    "seats",
    metadata,
    sa.Column("token", sa.LargeBinary(32), primary_key=True),
    sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), nullable=False),
    sa.Column("seats", sa.String(2), nullable=False),
    sqlite_with_rowid=False,
)
sa.Index("seats_game", _seats.c.game)
for _name in ("due", "clocks"):
    sa.Table(
        _name,
        metadata,
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def upgrade() -> None:
    """Create the tables."""
    metadata.create_all(op.get_bind())
