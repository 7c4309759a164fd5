"""Programs that make what the opponent knows: the book of Connect Four, and its networks."""
