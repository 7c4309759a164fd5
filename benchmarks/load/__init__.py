"""What a game server carries; `script/load` runs it: real HTTP from a process of its own."""
