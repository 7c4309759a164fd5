$package
// Plays a Java solution; noughts.checker.isolated describes the protocol.
class NoughtsDriver {
    static final Object[] objects = new Object[64];
    static java.io.PrintWriter out;

    static Object make(int n) throws Throwable {
        return $make;
    }

    static Object move(Object object, int n, int row, int col, int player, int[] marks) throws Throwable {
        $owner game = ($owner) object;
        $act
        return $answer;
    }

    static Object create(int n) {
        try {
            return make(n);
        } catch (Exception | StackOverflowError | AssertionError error) {
            return error;
        } catch (Throwable error) {
            throw new RuntimeException(error);
        }
    }

    static String attempt(Object object, int n, int row, int col, int player, int[] marks) {
        try {
            if (object instanceof Throwable) throw (Throwable) object;
            Object value = move(object, n, row, col, player, marks);
            return value instanceof Integer ? value.toString() : written(value).replaceAll("\\p{Cntrl}", " ");
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
        return value == null || value instanceof Boolean ? "" + value : value.getClass().getSimpleName() + " " + value;
    }

    static void serve(char verb, int[] game) throws Throwable {
        if (verb == 'o') objects[game[0]] = create(game[1]);
        else if (verb == 'm') out.println(attempt(objects[game[0]], game[1], game[2], game[3], game[4], game));
        else if (verb == 'p') {
            Object object = create(game[0]);
            if ($whole) out.print(attempt(object, game[0], 0, 0, 0, game));
            else for (int at = 1; at < game.length; at += 3)
                out.print((at > 1 ? "\t" : "") + attempt(object, game[0], game[at], game[at + 1], game[at + 2], game));
            out.println();
        } else {
            var clock = java.lang.management.ManagementFactory.getThreadMXBean();
            long start = clock.getCurrentThreadCpuTime();
            Object object = make(game[0]);
            long ready = clock.getCurrentThreadCpuTime();
            for (int at = 1; at < game.length; at += 3) move(object, game[0], game[at], game[at + 1], game[at + 2], game);
            long end = clock.getCurrentThreadCpuTime();
            out.println(verb == 't' ? (ready - start) * 1e-9 + " " + (end - ready) * 1e-9 : NoughtsBytes.of(object));
        }
    }

    public static void main(String[] words) throws Throwable {
        var in = new java.io.BufferedReader(new java.io.FileReader("/dev/fd/3"));
        out = new java.io.PrintWriter(new java.io.FileOutputStream("/dev/fd/4"), false, java.nio.charset.StandardCharsets.UTF_8);
        out.println("[]");
        out.flush();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            int[] game = new int[line.length() / 2]; // a blank before each number
            int count = -1;
            for (int at = 1; at < line.length(); at++)
                if (line.charAt(at) == ' ') count++; else game[count] = 10 * game[count] + line.charAt(at) - '0';
            if (line.isEmpty()) out.flush(); else serve(line.charAt(0), java.util.Arrays.copyOf(game, count + 1));
        }
    }
}
