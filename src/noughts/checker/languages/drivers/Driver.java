$package
// Plays a Java solution; noughts.checker.isolated describes the protocol.
class NoughtsDriver {
    static final Object[] objects = new Object[64];
    static java.io.PrintStream out;

    static Object make(int n) throws Throwable {
        return $make;
    }

    static Object move(Object object, int n, int row, int col, int player, int[] marks) throws Throwable {
        $owner game = ($owner) object;
        $act
        return $answer;
    }

    static void create(int slot, int n) {
        try {
            objects[slot] = make(n);
        } catch (OutOfMemoryError error) {
            throw error;
        } catch (Throwable error) {
            objects[slot] = error;
        }
    }

    static String attempt(int slot, int n, int row, int col, int player, int[] marks) {
        try {
            if (objects[slot] instanceof Throwable) throw (Throwable) objects[slot];
            return line(written(move(objects[slot], n, row, col, player, marks)));
        } catch (OutOfMemoryError error) {
            throw error;
        } catch (Throwable error) {
            String said = error.getMessage() == null ? "" : ": " + error.getMessage();
            return line("!" + error.getClass().getSimpleName() + said);
        }
    }

    static String written(Object value) {
        if (value instanceof java.util.Optional) return written(((java.util.Optional<?>) value).orElse(null));
        if (value instanceof Enum) return ((Enum<?>) value).name();
        if (value instanceof String || value instanceof Character) return "'" + value + "'";
        boolean plain = value == null || value instanceof Integer || value instanceof Boolean;
        return plain ? String.valueOf(value) : value.getClass().getSimpleName() + " " + value;
    }

    static String line(String text) {
        for (int i = 0; i < text.length(); i++) if (text.charAt(i) < ' ') text = text.replace(text.charAt(i), ' ');
        return text;
    }

    static void moves(Object object, int[] game) throws Throwable {
        for (int at = 1; at < game.length; at += 3) move(object, game[0], game[at], game[at + 1], game[at + 2], game);
    }

    static void serve(char verb, int[] game) throws Throwable {
        java.lang.management.ThreadMXBean clock = java.lang.management.ManagementFactory.getThreadMXBean();
        if (verb == 'o') create(game[0], game[1]);
        else if (verb == 'm') out.println(attempt(game[0], game[1], game[2], game[3], game[4], game));
        else if (verb == 'p') {
            create(0, game[0]);
            if ($whole) out.print(attempt(0, game[0], 0, 0, 0, game));
            else for (int at = 1; at < game.length; at += 3)
                out.print((at > 1 ? "\t" : "") + attempt(0, game[0], game[at], game[at + 1], game[at + 2], game));
            out.println();
        } else {
            long start = clock.getCurrentThreadCpuTime();
            Object object = make(game[0]);
            long ready = clock.getCurrentThreadCpuTime();
            moves(object, game);
            long end = clock.getCurrentThreadCpuTime();
            out.println(verb == 't' ? (ready - start) * 1e-9 + " " + (end - ready) * 1e-9 : NoughtsBytes.of(object));
        }
    }

    public static void main(String[] words) throws Throwable {
        var in = new java.io.BufferedReader(new java.io.FileReader("/dev/fd/3"));
        out = new java.io.PrintStream(new java.io.BufferedOutputStream(new java.io.FileOutputStream("/dev/fd/4")), false, "UTF-8");
        out.println("[]");
        out.flush();
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                var numbers = new java.util.StringTokenizer(line.isEmpty() ? "" : line.substring(1));
                int[] game = new int[numbers.countTokens()];
                for (int i = 0; i < game.length; i++) game[i] = Integer.parseInt(numbers.nextToken());
                if (line.isEmpty()) out.flush(); else serve(line.charAt(0), game);
            }
        } catch (OutOfMemoryError error) {
            out.println("fail memory it ran out of memory");
        }
        out.flush();
        Runtime.getRuntime().halt(0);
    }
}
