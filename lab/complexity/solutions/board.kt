class TicTacToe(private val n: Int) {
    private val board = Array(n) { IntArray(n) }

    fun move(row: Int, col: Int, player: Int): Int {
        board[row][col] = player
        var won = false
        var falling = true
        var rising = true
        for (i in 0 until n) {
            var across = true
            var down = true
            for (j in 0 until n) {
                across = across and (board[i][j] == player)
                down = down and (board[j][i] == player)
            }
            falling = falling and (board[i][i] == player)
            rising = rising and (board[i][n - 1 - i] == player)
            won = won || across || down
        }
        won = won || falling || rising
        return if (won) player else 0
    }
}
