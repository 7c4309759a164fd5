"""Rules as text in one column of `games`, and a table for the prefix of new ids.

Servers of this release still write the columns that `rules` replaces, as long as these exist.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
release = "0.1"
unused = {"games": {"rows", "cols", "k", "gravity", "variant"}}

# Text that `Rules.parse` reads. Unknown variants are kept, for a version that knows them.
TEXT = """
CASE
    WHEN rows = 15 AND cols = 15 AND k = 5 AND NOT gravity
        THEN CASE variant WHEN 'freestyle' THEN 'gomoku' ELSE variant END
    WHEN rows = 6 AND cols = 7 AND k = 4 AND gravity AND variant = 'freestyle'
        THEN 'connect-four'
    ELSE rows || 'x' || cols
        || CASE WHEN k = rows AND k = cols THEN '' ELSE ',k=' || k END
        || CASE WHEN gravity THEN ',gravity' ELSE '' END
        || CASE variant WHEN 'freestyle' THEN '' ELSE ',variant=' || variant END
END
"""


def upgrade() -> None:
    """Add the column and the table, and fill the column."""
    op.add_column("games", sa.Column("rules", sa.Text))
    op.execute(f"UPDATE games SET rules = {TEXT}")
    if not sa.inspect(op.get_bind()).has_table("ids"):  # several databases had it before
        op.create_table("ids", sa.Column("prefix", sa.String(3), primary_key=True))
