"""Exact results: search to the end, the book of Connect Four, proofs and perft."""
