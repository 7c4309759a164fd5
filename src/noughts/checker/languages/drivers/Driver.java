$package
// Plays a Java solution; noughts.checker.isolated describes the protocol.
class NoughtsDriver {
    static java.io.PrintStream out;

    static Object make(int n) throws Throwable {
        return $make;
    }

    static Object move(Object object, int n, int row, int col, int player, int[] marks) throws Throwable {
        $owner game = ($owner) object;
        $act
        return $answer;
    }

    static Object move(Object object, int[] game, int at) throws Throwable {
        return $whole ? move(object, game[0], 0, 0, 0, game) : move(object, game[0], game[at], game[at + 1], game[at + 2], game);
    }

    static int calls(int[] game) {
        return $whole ? 1 : game.length / 3;
    }

    static void play(int[][] games) {
        Object[] objects = new Object[games.length];
        String[] lines = new String[games.length];
        for (int i = 0; i < games.length; i++) try { objects[i] = make(games[i][0]); } catch (Throwable error) { objects[i] = error; }
        boolean more = true;
        for (int ply = 0; more; ply++) {
            more = false;
            for (int i = 0; i < games.length; i++) {
                if (ply < calls(games[i])) lines[i] = (ply == 0 ? "" : lines[i] + "\t") + attempt(objects[i], games[i], 1 + 3 * ply);
                more |= ply + 1 < calls(games[i]);
            }
        }
        for (String line : lines) out.println(line);
    }

    static String attempt(Object object, int[] game, int at) {
        try {
            if (object instanceof Throwable) throw (Throwable) object;
            return written(move(object, game, at)).replaceAll("\\p{Cntrl}", " ");
        } catch (OutOfMemoryError error) {
            throw error;
        } catch (Throwable error) {
            String said = error.getMessage() == null ? "" : ": " + error.getMessage();
            return ("!" + error.getClass().getSimpleName() + said).replaceAll("\\p{Cntrl}", " ");
        }
    }

    static String written(Object value) {
        if (value instanceof java.util.Optional) return written(((java.util.Optional<?>) value).orElse(null));
        if (value instanceof Enum) return ((Enum<?>) value).name();
        if (value instanceof String || value instanceof Character) return "'" + value + "'";
        boolean plain = value == null || value instanceof Integer || value instanceof Boolean;
        return plain ? String.valueOf(value) : value.getClass().getSimpleName() + " " + value;
    }

    static void time(int[] game) throws Throwable {
        java.lang.management.ThreadMXBean clock = java.lang.management.ManagementFactory.getThreadMXBean();
        long start = clock.getCurrentThreadCpuTime();
        Object object = make(game[0]);
        long ready = clock.getCurrentThreadCpuTime();
        for (int at = 1; at < game.length; at += 3) move(object, game, at);
        out.println((ready - start) * 1e-9 + " " + (clock.getCurrentThreadCpuTime() - ready) * 1e-9);
    }

    static void size(int[] game) throws Throwable {
        Object object = make(game[0]);
        for (int at = 1; at < game.length; at += 3) move(object, game, at);
        out.println(NoughtsBytes.of(object));
    }

    public static void main(String[] words) throws Throwable {
        var in = new java.io.BufferedReader(new java.io.FileReader("/dev/fd/3"));
        out = new java.io.PrintStream(new java.io.BufferedOutputStream(new java.io.FileOutputStream("/dev/fd/4"), 1 << 16), false, "UTF-8");
        out.println("[]");
        out.flush();
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) serve(line);
        } catch (OutOfMemoryError error) {
            out.println("fail memory it ran out of memory");
        }
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    static void serve(String line) throws Throwable {
        if (line.isEmpty()) { out.flush(); return; }
        int[][] games = java.util.Arrays.stream(line.substring(2).split(";")).map(one ->
            java.util.Arrays.stream(one.trim().split(" ")).mapToInt(Integer::parseInt).toArray()).toArray(int[][]::new);
        if (line.charAt(0) == 'p') play(games);
        else if (line.charAt(0) == 't') time(games[0]);
        else size(games[0]);
    }
}
