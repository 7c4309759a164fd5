"""The game itself: its rules, the board, and how it ends.

Read the files in this order: rules, geometry, outcome, fouls, board, game. Compiled code is beside
them.
"""
