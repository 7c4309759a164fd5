$package
// Counts the bytes of everything that an object reaches, each object once.

import java.lang.reflect.*;
import java.util.*;

class NoughtsBytes {
    static final int HEADER = 12, REFERENCE = 4, ALIGNMENT = 8; // of a 64-bit JVM with compressed references

    static long of(Object root) throws Exception {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Object> todo = new ArrayDeque<>();
        long total = 0;
        for (Object each = root; each != null; each = todo.poll()) {
            if (each instanceof Class || each instanceof Enum || each instanceof ClassLoader || each instanceof Thread) continue;
            if (!seen.add(each)) continue;
            Class<?> type = each.getClass();
            long size = HEADER;
            if (type.isArray()) {
                int length = Array.getLength(each);
                size += 4 + (long) length * bytes(type.getComponentType());
                if (!type.getComponentType().isPrimitive())
                    for (Object part : (Object[]) each) if (part != null) todo.add(part);
            }
            for (; type != null; type = type.getSuperclass())
                for (Field field : type.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers())) continue;
                    size += bytes(field.getType());
                    if (field.getType().isPrimitive()) continue;
                    field.setAccessible(true);
                    Object part = field.get(each);
                    if (part != null) todo.add(part);
                }
            total += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        }
        return total;
    }

    static int bytes(Class<?> type) {
        if (type == long.class || type == double.class) return 8;
        if (type == int.class || type == float.class) return 4;
        if (type == short.class || type == char.class) return 2;
        return type.isPrimitive() ? 1 : REFERENCE;
    }
}
