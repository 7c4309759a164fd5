"""Who plays against you, and why it cannot lose."""
