"""The game server and its page: play anyone, on any device, and never lose a move."""
