"""What is settled to the end: exact search, the book of Connect Four, proofs, perft."""
