"""The game server and its page."""
