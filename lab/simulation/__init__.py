"""A cluster of servers simulated from a seed: databases, network, clocks and players."""
