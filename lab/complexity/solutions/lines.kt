class TicTacToe(private val n: Int) {
    private val board = Array(n) { IntArray(n) }

    fun move(row: Int, col: Int, player: Int): Int {
        board[row][col] = player
        var across = true
        var down = true
        var falling = true
        var rising = true
        for (i in 0 until n) {
            across = across and (board[row][i] == player)
            down = down and (board[i][col] == player)
            falling = falling and (board[i][i] == player)
            rising = rising and (board[i][n - 1 - i] == player)
        }
        val won = across || down || falling || rising
        return if (won) player else 0
    }
}
