"""The stored log of every game, in SQLite or PostgreSQL."""
