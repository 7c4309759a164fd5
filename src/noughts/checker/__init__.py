"""Is your TicTacToe right? Other people's solutions, judged and explained."""
