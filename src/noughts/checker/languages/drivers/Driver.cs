// Plays the solution beside it; noughts.checker.isolated describes the protocol.
using System;
using System.IO;
using System.Runtime.InteropServices;
static class NoughtsDriver {
    static readonly object[] objects = new object[64];
    static StreamWriter output;

    [DllImport("libc")] static extern int clock_gettime(int clock, long[] time);

    static double Now() {
        var time = new long[2];
        clock_gettime(3, time); // CLOCK_THREAD_CPUTIME_ID
        return time[0] + time[1] * 1e-9;
    }

    static object Make(int n) { return $make; }

    static object Move(object made, int n, int row, int col, int player, int[] marks) {
        var game = ($owner) made;
        $act
        return $answer;
    }

    static object Create(int n) {
        try { return Make(n); }
        catch (Exception error) when (!(error is OutOfMemoryException)) { return error; }
    }

    static string Attempt(object made, int n, int row, int col, int player, int[] marks) {
        try {
            if (made is Exception) throw (Exception) made;
            return Written(Move(made, n, row, col, player, marks));
        }
        catch (Exception error) when (!(error is OutOfMemoryException)) { return Line("!" + error.GetType().Name + ": " + error.Message); }
    }

    static string Written(object value) {
        if (value is int) return (int) value == 0 ? "0" : value.ToString(); // nearly every answer
        if (value is string || value is char) return Line("'" + value + "'");
        string kind = value == null ? "null" : value is bool || value is Enum ? "" : value.GetType().Name + " ";
        return Line(kind + value);
    }

    static string Line(string text) { return text.Replace('\n', ' ').Replace('\r', ' ').Replace('\t', ' '); }

    static void Serve(char verb, int[] game) {
        if (verb == 'o') objects[game[0]] = Create(game[1]);
        else if (verb == 'm') output.Write(Attempt(objects[game[0]], game[1], game[2], game[3], game[4], game) + "\n");
        else if (verb == 'p') {
            var made = Create(game[0]);
            if ($whole) output.Write(Attempt(made, game[0], 0, 0, 0, game));
            else for (int at = 1; at < game.Length; at += 3)
                output.Write((at > 1 ? "\t" : "") + Attempt(made, game[0], game[at], game[at + 1], game[at + 2], game));
            output.Write("\n");
        } else {
            double start = Now();
            var made = Make(game[0]);
            double ready = Now();
            for (int at = 1; at < game.Length; at += 3) Move(made, game[0], game[at], game[at + 1], game[at + 2], game);
            double end = Now();
            output.Write(verb == 't' ? FormattableString.Invariant($$"{ready - start:F9} {end - ready:F9}\n") : NoughtsBytes.Of(made) + "\n");
        }
    }

    static void Main() {
        var input = new StreamReader(new FileStream("/dev/fd/3", FileMode.Open, FileAccess.Read, FileShare.ReadWrite, 1));
        output = new StreamWriter(new FileStream("/dev/fd/4", FileMode.Open, FileAccess.Write));
        output.Write("[]\n");
        output.Flush();
        for (string line = input.ReadLine(); line != null; line = input.ReadLine()) {
            var game = new int[line.Length / 2]; // a blank before each number
            int count = -1;
            for (int at = 1; at < line.Length; at++)
                if (line[at] == ' ') count++; else game[count] = 10 * game[count] + line[at] - '0';
            Array.Resize(ref game, count + 1);
            if (line == "") { Console.Out.Flush(); output.Flush(); } else Serve(line[0], game);
        }
    }
}
