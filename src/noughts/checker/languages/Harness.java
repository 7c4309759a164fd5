// Plays a Java solution; noughts.checker.isolated describes the protocol.
// Usage: java Harness FOLDER

import java.io.*;
import java.lang.management.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

public class Harness {
    static BufferedReader requests;
    static PrintStream answers;
    static final Map<String, Method> found = new LinkedHashMap<>(); // move or tictactoe, by class name
    static Method method;
    static Constructor<?> made;
    static Object outer; // the enclosing object of an inner class

    public static void main(String[] words) {
        try {
            // Read through /dev/fd, as Java cannot open a pipe by its number.
            requests = new BufferedReader(new InputStreamReader(new FileInputStream("/dev/fd/3"), "US-ASCII"), 1 << 16);
            FileOutputStream out = new FileOutputStream("/dev/fd/4");
            answers = new PrintStream(new BufferedOutputStream(out, 1 << 16), false, "UTF-8");
            find(Path.of(words[0]));
            answers.println(found.entrySet().stream()
                .map(one -> "\"" + one.getKey() + "\": \"" + (whole(one.getValue()) ? "tictactoe" : "TicTacToe") + "\"")
                .collect(Collectors.joining(", ", "{\"found\": {", "}}")));
            answers.flush();
            choose(requests.readLine());
            for (String line = requests.readLine(); line != null; line = requests.readLine()) serve(line.split(" "));
        } catch (OutOfMemoryError error) {
            fail("memory it ran out of memory");
        } catch (Throwable error) {
            fail("crashed it stopped with " + raised(error).substring(1));
        }
        Runtime.getRuntime().halt(0);
    }

    static void fail(String why) {
        answers.println("fail " + why);
        answers.flush();
        Runtime.getRuntime().halt(0);
    }

    static void find(Path folder) throws Exception {
        List<String> names;
        try (Stream<Path> files = Files.walk(folder)) {
            names = files.map(file -> folder.relativize(file).toString())
                .filter(file -> file.endsWith(".class") && !file.equals("Harness.class"))
                .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
                .sorted().collect(Collectors.toList());
        }
        for (String name : names) {
            Class<?> type = Class.forName(name, false, Harness.class.getClassLoader());
            if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) continue;
            for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass())
                for (Method one : at.getDeclaredMethods())
                    if (plays(one) && make(type, one) != null) {
                        found.putIfAbsent(name.replace('$', '.'), one);
                        owners.putIfAbsent(name.replace('$', '.'), type);
                    }
        }
    }

    static final Map<String, Class<?>> owners = new HashMap<>();

    static void choose(String name) throws Exception {
        Class<?> owner = owners.get(name);
        method = found.get(name);
        made = make(owner, method);
        method.setAccessible(true);
        made.setAccessible(true);
        if (inner(owner)) outer = around(owner.getEnclosingClass());
    }

    static boolean whole(Method of) {
        return of.getName().equals("tictactoe");
    }

    static boolean plays(Method of) {
        Class<?>[] takes = of.getParameterTypes();
        return whole(of) ? Arrays.equals(takes, new Class<?>[] {int[][].class})
            : of.getName().equals("move") && Arrays.equals(takes, new Class<?>[] {int.class, int.class, int.class});
    }

    static Constructor<?> make(Class<?> type, Method of) {
        List<Class<?>> takes = new ArrayList<>();
        if (inner(type)) takes.add(type.getEnclosingClass());
        if (of.getName().equals("move")) takes.add(int.class);
        try {
            return type.getDeclaredConstructor(takes.toArray(new Class<?>[0]));
        } catch (NoSuchMethodException error) {
            return null;
        }
    }

    static Object around(Class<?> type) throws Exception {
        Constructor<?> made = type.getDeclaredConstructor(inner(type) ? new Class<?>[] {type.getEnclosingClass()} : new Class<?>[0]);
        made.setAccessible(true);
        return inner(type) ? made.newInstance(around(type.getEnclosingClass())) : made.newInstance();
    }

    static boolean inner(Class<?> type) {
        return type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers());
    }

    static void serve(String[] asked) throws Throwable {
        int count = Integer.parseInt(asked[1]);
        if (asked[0].equals("time")) time(game(), count);
        else if (asked[0].equals("size")) size(game());
        else if (asked[0].equals("play")) for (int i = 0; i < count; i++) play(new int[][] {game()});
        else {
            int[][] games = new int[count][];
            for (int i = 0; i < count; i++) games[i] = game();
            play(games);
        }
        answers.flush();
    }

    static void play(int[][] games) {
        Object[] objects = new Object[games.length];
        StringBuilder[] lines = new StringBuilder[games.length];
        int longest = 0;
        for (int i = 0; i < games.length; i++) {
            lines[i] = new StringBuilder();
            longest = Math.max(longest, games[i].length);
            try {
                objects[i] = whole(method) ? null : made(games[i][0]);
            } catch (Throwable error) {
                objects[i] = error;
            }
        }
        if (whole(method)) for (int i = 0; i < games.length; i++) lines[i].append(judged(games[i]));
        else for (int at = 1; at < longest; at += 3)
            for (int i = 0; i < games.length; i++)
                if (at < games[i].length) lines[i].append(at > 1 ? "\t" : "").append(move(objects[i], games[i], at));
        for (StringBuilder line : lines) answers.append(line).append('\n');
    }

    static Object made(int n) throws Throwable {
        try {
            return outer == null ? made.newInstance(n) : made.newInstance(outer, n);
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }

    static String move(Object object, int[] game, int at) {
        if (object instanceof Throwable) return raised((Throwable) object);
        try {
            return written(method.invoke(object, game[at], game[at + 1], game[at + 2]));
        } catch (InvocationTargetException error) {
            return raised(error.getCause());
        } catch (Throwable error) {
            return raised(error);
        }
    }

    static String judged(int[] game) {
        int[][] moves = new int[game.length / 3][];
        for (int i = 0; i < moves.length; i++) moves[i] = new int[] {game[1 + 3 * i], game[2 + 3 * i]};
        try {
            return written(method.invoke(outer == null ? made.newInstance() : made.newInstance(outer), (Object) moves));
        } catch (InvocationTargetException error) {
            return raised(error.getCause());
        } catch (Throwable error) {
            return raised(error);
        }
    }

    static void time(int[] game, int repeats) throws Throwable {
        ThreadMXBean processor = ManagementFactory.getThreadMXBean();
        long make = Long.MAX_VALUE, move = Long.MAX_VALUE;
        for (int i = 0; i < repeats; i++) {
            // The processor's clock excludes other work on the machine but is slow to read.
            long begun = processor.getCurrentThreadCpuTime(), start = System.nanoTime();
            Object object = made(game[0]);
            long ready = System.nanoTime(), half = processor.getCurrentThreadCpuTime(), again = System.nanoTime();
            for (int at = 1; at < game.length; at += 3) method.invoke(object, game[at], game[at + 1], game[at + 2]);
            long end = System.nanoTime(), ended = processor.getCurrentThreadCpuTime();
            make = Math.min(make, Math.min(ready - start, half - begun));
            move = Math.min(move, Math.min(end - again, ended - half));
        }
        answers.println(make * 1e-9 + " " + move * 1e-9);
    }

    static void size(int[] game) throws Throwable {
        // Enough copies to outweigh other allocations, few enough for n × n boards and many moves.
        long few = Math.min(2000000L / ((long) game[0] * game[0]), 3000000L / game.length);
        int half = (int) Math.max(1, Math.min(5000, few));
        copies = new Object[2 * half];
        long before = used(); // measured again after the first half: the first collection frees more
        for (int i = 0; i < copies.length; i++) {
            if (i == half) before = used();
            copies[i] = made(game[0]);
            for (int at = 1; at < game.length; at += 3) move(copies[i], game, at);
        }
        long after = used();
        answers.println(Math.max(0, (after - before) / half));
    }

    static int[] asked; // fields, because local variables would be collected early
    static Object[] copies;

    static long used() {
        for (int i = 0; i < 2; i++) System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    static String written(Object value) {
        if (value instanceof String || value instanceof Character) return line("'" + value + "'");
        if (value instanceof Number && !(value instanceof Integer)) return line(value.getClass().getSimpleName() + " " + value);
        return line(String.valueOf(value));
    }

    static String raised(Throwable error) {
        if (error instanceof OutOfMemoryError) fail("memory it ran out of memory");
        String said = error.getMessage() == null ? "" : ": " + error.getMessage();
        return line("!" + error.getClass().getSimpleName() + said);
    }

    static String line(String text) {
        return (text.length() > 200 ? text.substring(0, 200) + "…" : text).replaceAll("\\p{Cntrl}", " ");
    }

    static int[] game() throws IOException {
        return Arrays.stream(requests.readLine().split(" ")).mapToInt(Integer::parseInt).toArray();
    }
}
