"""The tables of the database, the same on SQLite and PostgreSQL.

A game is its row in `games`, which never changes, and its `events`, which are only ever added: the
event `seq` of a game is written once or not at all. `noughts.service.play.state` derives its state
from them. `seats` says who may move, `due` where a computer has to, and `clocks` where time may run
out. If a server has several databases, `ids` holds the prefix of the ids of games created in this
one.

Columns are read and written by name. To change a table, add a revision to `migrations` and set
`HEAD` there.
"""

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
    Text,
    text,
)

metadata: MetaData = MetaData()

_GAME = String(16)

PREFIX = 3  # characters; the last is `MARK`

ids: Table = Table("ids", MetaData(), Column("prefix", String(PREFIX), primary_key=True))

games: Table = Table(
    "games",
    metadata,
    Column("id", _GAME, primary_key=True),
    Column("rules", Text),  # as str(Rules) gives them
    Column("opponent", String(8), nullable=False),  # friend, computer or self
    Column("level", String(8)),  # the computer's
    Column("seat", SmallInteger, nullable=False),  # of the player who created the game
    Column("name", String(32)),  # of that player
    Column("listed", Boolean, nullable=False),
    Column("invite", LargeBinary(32)),  # SHA-256 of the secret
    Column("at", BigInteger, nullable=False),  # milliseconds since 1970
    Column("before", _GAME),  # the game of which this is the rematch
    Column("seconds", Integer),  # per player
    Column("increment", SmallInteger),  # in seconds; null if `seconds` are per move
    Column("referee", Boolean, nullable=False),  # friends have agreed that both see its view
    # `rules` in the form of older servers. The next release drops these five columns, so they are
    # written only while they exist, and read only where there are no `rules`.
    Column("rows", SmallInteger, nullable=False),
    Column("cols", SmallInteger, nullable=False),
    Column("k", SmallInteger, nullable=False),
    Column("gravity", Boolean, nullable=False),
    Column("variant", String(9), nullable=False),
)
OLD_RULES = "rows", "cols", "k", "gravity", "variant"

Index("games_made", games.c.at, games.c.id)
Index(
    "games_listed",
    games.c.at,
    sqlite_where=text("listed = 1"),  # in the words of the queries, or SQLite does not use it
    postgresql_where=games.c.listed,
)

events: Table = Table(
    "events",
    metadata,
    Column("game", _GAME, ForeignKey("games.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),  # 1, 2, 3, …
    Column("kind", String(8), nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("key", String(64), nullable=False),  # chosen by the client
    Column("at", BigInteger, nullable=False),
    Column("cell", SmallInteger),  # of a move, row by row
    Column("ply", Integer),  # that a takeback goes back to
    Column("text", String(32)),  # who joined; the rematch's id; a reaction
    sqlite_with_rowid=False,
)

seats: Table = Table(
    "seats",
    metadata,
    Column("token", LargeBinary(32), primary_key=True),  # its SHA-256
    Column("game", _GAME, ForeignKey("games.id"), nullable=False),
    Column("seats", String(2), nullable=False),  # "1", "2", or "12" for both
    sqlite_with_rowid=False,
)

Index("seats_game", seats.c.game)  # for deleting a game

due: Table = Table(
    "due",
    metadata,
    Column("game", _GAME, ForeignKey("games.id"), primary_key=True),
    Column("at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

clocks: Table = Table(
    "clocks",
    metadata,
    Column("game", _GAME, ForeignKey("games.id"), primary_key=True),
    Column("at", BigInteger, nullable=False),  # no player's time is up before
    sqlite_with_rowid=False,
)
