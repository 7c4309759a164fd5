$package // Plays the solution beside it; noughts.checker.isolated describes the protocol.

object NoughtsDriver {
    private val objects = arrayOfNulls<Any?>(64)
    private val out = java.io.PrintWriter(java.io.FileOutputStream("/dev/fd/4"), false, Charsets.UTF_8)

    private fun make(n: Int): Any? = $make

    private fun move(made: Any?, n: Int, row: Int, col: Int, player: Int, marks: IntArray): Any? {
        val game = made as $owner
        $act
        return $answer
    }

    private fun create(n: Int): Any? = try {
        make(n)
    } catch (error: OutOfMemoryError) {
        throw error
    } catch (error: Throwable) {
        error
    }

    private fun attempt(made: Any?, n: Int, row: Int, col: Int, player: Int, marks: IntArray): String = try {
        if (made is Throwable) throw made
        line(written(move(made, n, row, col, player, marks)))
    } catch (error: OutOfMemoryError) {
        throw error
    } catch (error: Throwable) {
        line("!" + error.javaClass.simpleName + (if (error.message == null) "" else ": " + error.message))
    }

    private fun written(value: Any?): String = when (value) {
        is Enum<*> -> value.name
        is String, is Char -> "'$$value'"
        null, is Int, is Boolean -> value.toString()
        is Unit -> "nothing"
        else -> value.javaClass.simpleName + " " + value
    }

    private fun line(text: String) = text.replace('\n', ' ').replace('\r', ' ').replace('\t', ' ')

    private fun serve(verb: Char, game: IntArray) {
        val n = game[0]
        if (verb == 'o') objects[n] = create(game[1])
        else if (verb == 'm') out.println(attempt(objects[n], game[1], game[2], game[3], game[4], game))
        else if (verb == 'p') {
            val made = create(n)
            if ($whole) out.print(attempt(made, n, 0, 0, 0, game))
            else for (at in 1 until game.size step 3)
                out.print((if (at > 1) "\t" else "") + attempt(made, n, game[at], game[at + 1], game[at + 2], game))
            out.println()
        } else {
            val clock = java.lang.management.ManagementFactory.getThreadMXBean()
            val start = clock.currentThreadCpuTime
            val made = make(n)
            val ready = clock.currentThreadCpuTime
            for (at in 1 until game.size step 3) move(made, n, game[at], game[at + 1], game[at + 2], game)
            val end = clock.currentThreadCpuTime
            if (verb == 't') out.println("$${(ready - start) * 1e-9} $${(end - ready) * 1e-9}")
            else out.println(NoughtsBytes.of(made))
        }
    }

    @JvmStatic fun main(words: Array<String>) {
        out.println("[]")
        out.flush()
        try {
            for (line in java.io.FileReader("/dev/fd/3").buffered().lineSequence()) {
                val game = IntArray(line.count { it == ' ' })
                var at = -1
                for (letter in line.drop(1)) if (letter == ' ') at++ else game[at] = 10 * game[at] + (letter - '0')
                if (line.isEmpty()) out.flush() else serve(line[0], game)
            }
        } catch (error: OutOfMemoryError) {
            out.println("fail memory it ran out of memory")
        }
        out.flush()
        Runtime.getRuntime().halt(0)
    }
}
