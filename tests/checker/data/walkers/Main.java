import java.math.BigInteger;
import java.util.*;

class Node { int value; Node next; }
class Shared { static int[] board; }

public class Main {
    static Object build(String kind, int n) {
        switch (kind) {
            case "ints": return new int[n];
            case "grid": return new int[n][n];
            case "twice": { int[] one = new int[n]; return new Object[] {one, one}; }
            case "list": case "ring": {
                Node first = new Node(), last = first;
                for (int i = 1; i < n; i++) last = last.next = new Node();
                if (kind.equals("ring")) last.next = first;
                return first;
            }
            case "map": { Map<Integer, Integer> map = new HashMap<>(); for (int i = 0; i < n; i++) map.put(i, i); return map; }
            case "set": { Set<Integer> set = new HashSet<>(); for (int i = 0; i < n; i++) set.add(i); return set; }
            case "bits": { BitSet bits = new BitSet(8 * n); bits.set(8 * n - 1); return bits; }
            case "boxed": { List<Integer> list = new ArrayList<>(n); for (int i = 0; i < n; i++) list.add(1000 + i); return list; }
            case "same": { List<Integer> list = new ArrayList<>(n); for (int i = 0; i < n; i++) list.add(7); return list; }
            case "queue": { Deque<int[]> queue = new ArrayDeque<>(); for (int i = 0; i < n; i++) queue.add(new int[2]); return queue; }
            case "big": return BigInteger.ONE.shiftLeft(32 * n - 1);
            case "text": { StringBuilder text = new StringBuilder(); for (int i = 0; i < n; i++) text.append("x"); return text.toString(); }
            case "closure": { int[] kept = new int[n]; return (Runnable) () -> kept[0]++; }
            case "static": Shared.board = new int[n]; return new Shared();
            default: throw new IllegalArgumentException(kind);
        }
    }

    public static void main(String[] kinds) throws Exception {
        for (int n : new int[] {8, 64, 512})
            for (String kind : kinds) System.out.println(kind + " " + n + " " + NoughtsBytes.of(build(kind, n)));
        for (int i = 0; i < 5; i++) {
            Object board = build("grid", 512);
            long start = System.nanoTime();
            NoughtsBytes.of(board);
            System.out.println("time 512 " + (System.nanoTime() - start) / 1000);
        }
    }
}
