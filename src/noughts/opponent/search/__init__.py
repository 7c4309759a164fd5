"""Search within a time limit: the engine, and a look-ahead for all other games."""
