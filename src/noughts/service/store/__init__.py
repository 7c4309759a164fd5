"""What is kept: the log of every game, in SQLite or PostgreSQL."""
