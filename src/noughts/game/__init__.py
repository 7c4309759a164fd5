"""The game itself: what is played, on which board, and how it ends.

Read it in this order: rules, geometry, outcome, fouls, board, game. Their compiled code is beside
them.
"""
