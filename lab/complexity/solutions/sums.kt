class TicTacToe(private val n: Int) {
    private val rows = IntArray(n)
    private val cols = IntArray(n)
    private var diagonal = 0
    private var anti = 0

    fun move(row: Int, col: Int, player: Int): Int {
        val value = if (player == 1) 1 else -1
        val won = n * value
        rows[row] += value
        cols[col] += value
        if (row == col) diagonal += value
        if (row + col == n - 1) anti += value
        return if (rows[row] == won || cols[col] == won || diagonal == won || anti == won) player else 0
    }
}
