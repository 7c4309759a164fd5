"""What is decided: the games, their events, and who may do what."""
