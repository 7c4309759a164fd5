"""The tables of the database, the same on SQLite and PostgreSQL.

A game is its row in `games`, which never changes, and its `events`, which are only ever added: the
event `seq` of a game is written once or not at all. `noughts.service.play.state` derives its state
from them. `seats` says who may move, `due` where a computer has to, and `clocks` where time may run
out. If a server has several databases, `ids` holds the prefix of the ids of games created in this
one.

Columns are read and written by name. See `migrations` before you change a table.
"""

import sqlalchemy as sa

metadata: sa.MetaData = sa.MetaData()

_GAME = sa.String(16)

PREFIX = 3  # characters; the last is `MARK`

ids: sa.Table = sa.Table(
    "ids", sa.MetaData(), sa.Column("prefix", sa.String(PREFIX), primary_key=True)
)

games: sa.Table = sa.Table(
    "games",
    metadata,
    sa.Column("id", _GAME, primary_key=True),
    sa.Column("rules", sa.Text),  # as str(Rules) gives them
    sa.Column("opponent", sa.String(8), nullable=False),  # friend, computer or self
    sa.Column("level", sa.String(8)),  # the computer's
    sa.Column("seat", sa.SmallInteger, nullable=False),  # of the player who created the game
    sa.Column("name", sa.String(32)),  # of that player
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("invite", sa.LargeBinary(32)),  # SHA-256 of the secret
    sa.Column("at", sa.BigInteger, nullable=False),  # milliseconds since 1970
    sa.Column("before", _GAME),  # the game of which this is the rematch
    sa.Column("seconds", sa.Integer),  # per player
    sa.Column("increment", sa.SmallInteger),  # in seconds; null if `seconds` are per move
    sa.Column("referee", sa.Boolean, nullable=False),  # friends have agreed that both see its view
    # `rules` in the form of older servers. The next release drops these five columns, so they are
    # written only while they exist, and read only where there are no `rules`.
    sa.Column("rows", sa.SmallInteger, nullable=False),
    sa.Column("cols", sa.SmallInteger, nullable=False),
    sa.Column("k", sa.SmallInteger, nullable=False),
    sa.Column("gravity", sa.Boolean, nullable=False),
    sa.Column("variant", sa.String(9), nullable=False),
)
OLD_RULES = "rows", "cols", "k", "gravity", "variant"

sa.Index("games_made", games.c.at, games.c.id)
sa.Index(
    "games_listed",
    games.c.at,
    sqlite_where=sa.text("listed = 1"),  # in the words of the queries, or SQLite does not use it
    postgresql_where=games.c.listed,
)

events: sa.Table = sa.Table(
    "events",
    metadata,
    sa.Column("game", _GAME, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),  # 1, 2, 3, …
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("key", sa.String(64), nullable=False),  # chosen by the client
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("cell", sa.SmallInteger),  # of a move, row by row
    sa.Column("ply", sa.Integer),  # that a takeback goes back to
    sa.Column("text", sa.String(32)),  # who joined; the rematch's id; a reaction
    sqlite_with_rowid=False,
)

seats: sa.Table = sa.Table(
    "seats",
    metadata,
    sa.Column("token", sa.LargeBinary(32), primary_key=True),  # its SHA-256
    sa.Column("game", _GAME, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("seats", sa.String(2), nullable=False),  # "1", "2", or "12" for both
    sqlite_with_rowid=False,
)

sa.Index("seats_game", seats.c.game)  # for deleting a game

due, clocks = (
    sa.Table(
        name,
        metadata,
        sa.Column("game", _GAME, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),  # in clocks, no time is up before
        sqlite_with_rowid=False,
    )
    for name in ("due", "clocks")
)
