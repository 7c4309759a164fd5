using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using System.Numerics;

class Node { public int Value; public Node Next; }
class Shared { static int[] board; public Shared(int n) { board = new int[n]; } }

class Program {
    static object Build(string kind, int n) {
        switch (kind) {
            case "ints": return new int[n];
            case "grid": return new int[n, n];
            case "rows": { var rows = new int[n][]; for (int i = 0; i < n; i++) rows[i] = new int[n]; return rows; }
            case "twice": { var one = new int[n]; return Tuple.Create(one, one); }
            case "list": case "ring": {
                Node first = new Node(), last = first;
                for (int i = 1; i < n; i++) last = last.Next = new Node();
                if (kind == "ring") last.Next = first;
                return first;
            }
            case "map": { var map = new Dictionary<int, int>(); for (int i = 0; i < n; i++) map[i] = i; return map; }
            case "set": { var set = new HashSet<int>(); for (int i = 0; i < n; i++) set.Add(i); return set; }
            case "bits": return new BitArray(8 * n);
            case "boxed": { var list = new List<object>(n); for (int i = 0; i < n; i++) list.Add(i); return list; }
            case "same": { object one = 7; var list = new List<object>(n); for (int i = 0; i < n; i++) list.Add(one); return list; }
            case "queue": { var queue = new Queue<int[]>(n); for (int i = 0; i < n; i++) queue.Enqueue(new int[2]); return queue; }
            case "text": return new string('x', n);
            case "closure": { var kept = new int[n]; return new Action(() => kept[0]++); }
            case "static": return new Shared(n);
        }
        throw new ArgumentException(kind);
    }

    static void Main(string[] kinds) {
        foreach (var n in new[] {8, 64, 512})
            foreach (var kind in kinds) Console.WriteLine(kind + " " + n + " " + NoughtsBytes.Of(Build(kind, n)));
        for (int i = 0; i < 5; i++) {
            var board = Build("rows", 512);
            var watch = Stopwatch.StartNew();
            NoughtsBytes.Of(board);
            Console.WriteLine("time 512 " + (long) (watch.Elapsed.TotalMilliseconds * 1000));
        }
    }
}
