"""Games, their events, and the decisions on what players may do."""
