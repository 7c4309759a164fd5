"""What a game server carries; `script/lab load` runs it: real HTTP from a process of its own."""
