// Plays a solution in Java; see noughts.checker.running for what it is asked.
// It is run as: java Harness FOLDER NAME REQUESTS ANSWERS

import java.io.*;
import java.lang.management.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

public class Harness {
    static InputStream requests;
    static PrintStream answers;
    static Method method; // move, or tictactoe
    static Constructor<?> made;
    static Object outer; // of an inner class

    public static void main(String[] words) throws Throwable {
        // Read through /dev/fd: Java opens no pipe by its number.
        requests = new BufferedInputStream(new FileInputStream("/dev/fd/" + words[2]), 1 << 16);
        FileOutputStream out = new FileOutputStream("/dev/fd/" + words[3]);
        answers = new PrintStream(new BufferedOutputStream(out, 1 << 16), false, "UTF-8");
        try {
            find(Path.of(words[0]), words[1]);
            for (String verb = word(); !verb.isEmpty(); verb = word()) serve(verb);
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

    static void find(Path folder, String wanted) throws Exception {
        List<String> names;
        try (Stream<Path> files = Files.walk(folder)) {
            names = files.map(file -> folder.relativize(file).toString())
                .filter(file -> file.endsWith(".class") && !file.equals("Harness.class"))
                .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
                .sorted().collect(Collectors.toList());
        }
        List<Method> found = new ArrayList<>();
        for (String name : names) {
            Class<?> type = Class.forName(name, false, Harness.class.getClassLoader());
            if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) continue;
            if (!wanted.isEmpty() && !type.getSimpleName().equals(wanted)) continue;
            for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass())
                for (Method one : at.getDeclaredMethods())
                    if (plays(one) && make(type, one) != null) { found.add(one); owners.put(one, type); }
        }
        if (found.isEmpty()) fail("unreadable no class" + (wanted.isEmpty() ? "" : " " + wanted)
            + " has a constructor (int n) and a method move(int, int, int), and none tictactoe(int[][])");
        found.sort(Comparator.comparingInt(Harness::unlikely));
        method = found.get(0);
        if (unlikely(method) == 2 && found.size() > 1 && unlikely(found.get(1)) == 2)
            fail("unreadable several classes have a method move: " + called(found) + "; choose with --name");
        Class<?> owner = owners.get(method);
        made = make(owner, method);
        method.setAccessible(true);
        made.setAccessible(true);
        if (inner(owner)) outer = around(owner.getEnclosingClass());
        String notes = found.size() == 1 ? ""
            : "\"" + called(found.subList(1, found.size())) + " could be judged too, with --name\"";
        answers.println("{\"what\": \"class " + owner.getName().replace('$', '.') + (whole() ? ".tictactoe" : "")
            + "\", \"problem\": \"" + (whole() ? "tictactoe" : "TicTacToe") + "\", \"notes\": [" + notes + "]}");
        answers.flush();
    }

    static final Map<Method, Class<?>> owners = new LinkedHashMap<>();

    static boolean plays(Method of) {
        Class<?>[] takes = of.getParameterTypes();
        return of.getName().equals("move") ? Arrays.equals(takes, new Class<?>[] {int.class, int.class, int.class})
            : of.getName().equals("tictactoe") && Arrays.equals(takes, new Class<?>[] {int[][].class});
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

    static int unlikely(Method of) {
        String name = owners.get(of).getSimpleName();
        return name.equals("TicTacToe") ? 0 : of.getName().equals("tictactoe")
            || name.toLowerCase().contains("tictactoe") ? 1 : 2;
    }

    static String called(List<Method> of) {
        return of.stream().map(one -> owners.get(one).getName().replace('$', '.')).collect(Collectors.joining(", "));
    }

    static boolean whole() {
        return method.getName().equals("tictactoe");
    }

    static void serve(String verb) throws Throwable {
        if (verb.equals("play")) {
            int count = number();
            boolean states = number() == 1;
            for (int i = 0; i < count; i++) play(script(), states);
        } else if (verb.equals("time")) {
            int repeats = number();
            time(script(), repeats);
        } else size(script());
        answers.flush();
    }

    static void play(int[] script, boolean states) {
        StringBuilder line = new StringBuilder(states ? "-" : "");
        int sides = script[0], at = sides + 1;
        Object[] objects = new Object[sides];
        for (int i = 0; i < sides && !whole(); i++) {
            try {
                objects[i] = made(script[i + 1]);
            } catch (Throwable error) {
                objects[i] = error;
            }
        }
        if (whole()) {
            line.append(line.length() > 0 ? "\t" : "").append(game(script));
        } else while (at < script.length) {
            Object object = objects[sides == 1 ? 0 : script[at++]];
            line.append(line.length() > 0 ? "\t" : "").append(move(object, script[at++], script[at++], script[at++]));
        }
        answers.append(line).append('\n');
    }

    static Object made(int n) throws Throwable {
        try {
            return outer == null ? made.newInstance(n) : made.newInstance(outer, n);
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }

    static String move(Object object, int row, int col, int player) {
        if (object instanceof Throwable) return raised((Throwable) object);
        try {
            return written(method.invoke(object, row, col, player));
        } catch (InvocationTargetException error) {
            return raised(error.getCause());
        } catch (Throwable error) {
            return raised(error);
        }
    }

    static String game(int[] script) {
        int[][] moves = new int[(script.length - 2) / 3][];
        for (int i = 0; i < moves.length; i++) moves[i] = new int[] {script[2 + 3 * i], script[3 + 3 * i]};
        try {
            return written(method.invoke(outer == null ? made.newInstance() : made.newInstance(outer), (Object) moves));
        } catch (InvocationTargetException error) {
            return raised(error.getCause());
        } catch (Throwable error) {
            return raised(error);
        }
    }

    static void time(int[] script, int repeats) throws Throwable {
        ThreadMXBean processor = ManagementFactory.getThreadMXBean();
        long make = Long.MAX_VALUE, move = Long.MAX_VALUE;
        for (int i = 0; i < repeats; i++) {
            // The processor's clock leaves out what else a busy machine does, but is slow to read.
            long begun = processor.getCurrentThreadCpuTime(), start = System.nanoTime();
            Object object = whole() ? null : made(script[1]);
            long ready = System.nanoTime(), half = processor.getCurrentThreadCpuTime(), again = System.nanoTime();
            if (whole()) game(script);
            else for (int at = 2; at < script.length; at += 3)
                method.invoke(object, script[at], script[at + 1], script[at + 2]);
            long end = System.nanoTime(), ended = processor.getCurrentThreadCpuTime();
            make = Math.min(make, Math.min(ready - start, half - begun));
            move = Math.min(move, Math.min(end - again, ended - half));
        }
        answers.println(make * 1e-9 + " " + move * 1e-9);
    }

    static void size(int[] script) throws Throwable {
        if (whole()) {
            answers.println("None");
            return;
        }
        // So many that what else happens is little, and few enough for boards of n × n, and many moves.
        long few = Math.min(2000000L / ((long) script[1] * script[1]), 3000000L / script.length);
        int half = (int) Math.max(1, Math.min(5000, few));
        asked = script;
        copies = new Object[2 * half];
        long before = used(); // again with the first half: the first collection frees more than objects
        for (int i = 0; i < copies.length; i++) {
            if (i == half) before = used();
            copies[i] = made(script[1]);
            for (int at = 2; at < script.length; at += 3)
                method.invoke(copies[i], script[at], script[at + 1], script[at + 2]);
        }
        long after = used();
        answers.println(Math.max(0, (after - before) / half));
    }

    static int[] asked; // local variables would be collected early
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

    static String word() throws IOException {
        StringBuilder word = new StringBuilder();
        int c = requests.read();
        while (c == ' ' || c == '\n') c = requests.read();
        for (; c > ' '; c = requests.read()) word.append((char) c);
        return word.toString();
    }

    static int number() throws IOException {
        return Integer.parseInt(word());
    }

    static int[] line = new int[64];

    static int[] script() throws IOException {
        int count = 0, c;
        do {
            int number = 0;
            for (c = requests.read(); c > ' '; c = requests.read()) number = 10 * number + c - '0';
            if (count == line.length) line = Arrays.copyOf(line, 2 * count);
            line[count++] = number;
        } while (c == ' ');
        return Arrays.copyOf(line, count);
    }
}
