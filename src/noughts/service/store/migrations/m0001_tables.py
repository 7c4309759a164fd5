"""The first tables: databases that were created before Alembic kept the schema have them, too."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    text,
)

revision = "0001"
down_revision = None
release = "0.1"

metadata: MetaData = MetaData()

_games = Table(
    "games",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("rows", SmallInteger, nullable=False),
    Column("cols", SmallInteger, nullable=False),
    Column("k", SmallInteger, nullable=False),
    Column("opponent", String(8), nullable=False),
    Column("level", String(8)),
    Column("seat", SmallInteger, nullable=False),
    Column("name", String(32)),
    Column("listed", Boolean, nullable=False),
    Column("invite", LargeBinary(32)),
    Column("at", BigInteger, nullable=False),
    Column("gravity", Boolean, nullable=False),
    Column("variant", String(9), nullable=False),
    Column("before", String(16)),
    Column("seconds", Integer),
    Column("increment", SmallInteger),
    Column("referee", Boolean, nullable=False),
)
Index("games_made", _games.c.at, _games.c.id)
Index(
    "games_listed",
    _games.c.at,
    sqlite_where=text("listed = 1"),
    postgresql_where=_games.c.listed,
)
Table(
    "events",
    metadata,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("key", String(64), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("cell", SmallInteger),
    Column("ply", Integer),
    Column("text", String(32)),
    sqlite_with_rowid=False,
)
_seats = Table(
    "seats",
    metadata,
    Column("token", LargeBinary(32), primary_key=True),
    Column("game", String(16), ForeignKey("games.id"), nullable=False),
    Column("seats", String(2), nullable=False),
    sqlite_with_rowid=False,
)
Index("seats_game", _seats.c.game)
for _name in ("due", "clocks"):
    Table(
        _name,
        metadata,
        Column("game", String(16), ForeignKey("games.id"), primary_key=True),
        Column("at", BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def upgrade() -> None:
    """Create the tables."""
    metadata.create_all(op.get_bind())
