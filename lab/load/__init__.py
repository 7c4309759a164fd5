"""Load tests of the game server over real HTTP: ``script/lab load``."""
