"""Programs that produce the opponent's data: the book of Connect Four, and its networks."""
