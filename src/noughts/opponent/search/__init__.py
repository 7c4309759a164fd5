"""What is searched as far as time allows: the engine, and the look-ahead for other games."""
