$package
// Counts the bytes that an object reaches, each object once; for Java and Kotlin.
//
// Sizes are those of HotSpot below 32 GB: headers of 12 bytes, 16 for arrays, references of 4, and
// objects that end at multiples of 8. What classes of the solution keep in static fields is reached
// as well. Objects of the JDK are entered if their package is in DATA; others, such as streams and
// loggers, are counted alone. From Java 9 on, each package of DATA has to be opened with
// --add-opens java.base/PACKAGE=ALL-UNNAMED, which java.py does; otherwise counting throws.

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.*;

final class NoughtsBytes {
    static final int HEADER = 12, LENGTH = 4, REFERENCE = 4, ALIGNMENT = 8;
    static final Set<String> DATA = new HashSet<>(Arrays.asList("java.lang", "java.math", "java.nio", "java.util",
        "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks"));
    static final Map<Class<?>, Shape> shapes = new HashMap<>();

    // The size of an object that is not an array, and its fields that refer to others.
    static final class Shape {
        long bytes = HEADER;
        final List<Field> fields = new ArrayList<>(), shared = new ArrayList<>();

        Shape(Class<?> type) {
            for (Class<?> each = type; each != null; each = each.getSuperclass()) {
                for (Field field : each.getDeclaredFields()) {
                    boolean shares = Modifier.isStatic(field.getModifiers());
                    if (!shares) bytes += size(field.getType());
                    if (!shares && !field.getType().isPrimitive() && entered(each)) fields.add(field);
                }
                for (Class<?> outer = each; outer != null && own(outer); outer = outer.getEnclosingClass())
                    for (Field field : outer.getDeclaredFields())
                        if (Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) shared.add(field);
            }
            for (Field field : fields) field.setAccessible(true);
            for (Field field : shared) field.setAccessible(true);
        }
    }

    static long of(Object root) throws IllegalAccessException {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Shape> shared = new HashSet<>();
        ArrayDeque<Object> todo = new ArrayDeque<>();
        long total = 0;
        for (Object each = root; each != null; each = todo.poll()) {
            if (each instanceof Class || each instanceof Enum || each instanceof ClassLoader || each instanceof Thread) continue;
            if (!seen.add(each)) continue;
            Class<?> part = each.getClass().getComponentType();
            if (part == null) {
                Shape shape = shapes.computeIfAbsent(each.getClass(), Shape::new);
                total += aligned(shape.bytes);
                for (Field field : shape.fields) add(field.get(each), todo);
                if (shared.add(shape))
                    for (Field field : shape.shared) add(field.get(null), todo);
            } else {
                total += aligned(HEADER + LENGTH + (long) Array.getLength(each) * size(part));
                if (!part.isPrimitive())
                    for (Object one : (Object[]) each) add(one, todo);
            }
        }
        return total;
    }

    static void add(Object part, ArrayDeque<Object> todo) {
        if (part != null) todo.add(part);
    }

    static boolean own(Class<?> type) {
        return type.getClassLoader() == NoughtsBytes.class.getClassLoader();
    }

    static boolean entered(Class<?> type) {
        return own(type) || DATA.contains(type.getPackage().getName());
    }

    static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    static int size(Class<?> type) {
        if (type == long.class || type == double.class) return 8;
        if (type == int.class || type == float.class) return 4;
        if (type == short.class || type == char.class) return 2;
        return type.isPrimitive() ? 1 : REFERENCE;
    }
}
