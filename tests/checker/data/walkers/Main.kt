class Node(var next: Node? = null)
class Cells(val cells: MutableList<MutableList<Int>>)

fun build(kind: String, n: Int): Any = when (kind) {
    "ints" -> IntArray(n)
    "grid" -> Array(n) { IntArray(n) }
    "twice" -> IntArray(n).let { Pair(it, it) }
    "list", "ring" -> {
        val last = Node()
        var first = last
        for (i in 1 until n) first = Node(first)
        if (kind == "ring") last.next = first
        first
    }
    "map" -> (0 until n).associateWith { it }
    "set" -> (0 until n).toMutableSet()
    "bits" -> java.util.BitSet(8 * n).also { it.set(8 * n - 1) }
    "boxed" -> MutableList(n) { 1000 + it }
    "same" -> MutableList(n) { 7 }
    "text" -> "x".repeat(n)
    "closure" -> IntArray(n).let { kept -> { kept[0]++ } }
    else -> throw IllegalArgumentException(kind)
}

fun main(kinds: Array<String>) {
    for (n in listOf(8, 64, 512)) for (kind in kinds) println("$kind $n " + NoughtsBytes.of(build(kind, n)))
    for (i in 0 until 5) {
        val board = Cells(MutableList(512) { MutableList(512) { 0 } })
        val start = System.nanoTime()
        NoughtsBytes.of(board)
        println("time 512 " + (System.nanoTime() - start) / 1000)
    }
}
