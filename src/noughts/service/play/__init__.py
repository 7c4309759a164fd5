"""Decisions: the games, their events, and what players may do."""
