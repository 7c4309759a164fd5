// Counts the bytes of everything that an object reaches, each object once.
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;

static class NoughtsBytes {
    const int Header = 16, Reference = 8; // of a 64-bit process

    sealed class ByReference : IEqualityComparer<object> {
        bool IEqualityComparer<object>.Equals(object one, object other) { return ReferenceEquals(one, other); }
        int IEqualityComparer<object>.GetHashCode(object one) { return RuntimeHelpers.GetHashCode(one); }
    }

    public static long Of(object root) {
        var seen = new HashSet<object>(new ByReference());
        var todo = new Stack<object>();
        long total = 0;
        todo.Push(root);
        while (todo.Count > 0) {
            var each = todo.Pop();
            if (each == null || each is Type || each is Delegate || each is MemberInfo || !seen.Add(each)) continue;
            var type = each.GetType();
            var text = each as string;
            var array = each as Array;
            if (text != null) total += Header + 4 + 2 * (long) text.Length;
            else if (array != null) {
                var element = type.GetElementType();
                total += Header + 8 + array.LongLength * Size(element);
                if (HasParts(element)) foreach (var part in array) Parts(part, element, todo);
            } else {
                total += Header + Size(type, true);
                Fields(each, type, todo);
            }
        }
        return total;
    }

    static void Parts(object value, Type type, Stack<object> todo) {
        if (value == null) return;
        if (type.IsValueType) Fields(value, type, todo); else todo.Push(value);
    }

    static void Fields(object value, Type type, Stack<object> todo) {
        foreach (var field in All(type)) if (HasParts(field.FieldType)) Parts(field.GetValue(value), field.FieldType, todo);
    }

    static IEnumerable<FieldInfo> All(Type type) {
        for (; type != null; type = type.BaseType)
            foreach (var field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
                yield return field;
    }

    static bool HasParts(Type type) {
        if (type.IsPrimitive || type.IsEnum || type.IsPointer) return false;
        if (!type.IsValueType) return true;
        foreach (var field in All(type)) if (field.FieldType != type && HasParts(field.FieldType)) return true;
        return false;
    }

    static long Size(Type type, bool contents = false) {
        if (type.IsEnum) type = Enum.GetUnderlyingType(type);
        if (!contents && !type.IsValueType || type.IsPointer) return Reference;
        if (type == typeof(bool) || type == typeof(byte) || type == typeof(sbyte)) return 1;
        if (type == typeof(char) || type == typeof(short) || type == typeof(ushort)) return 2;
        if (type == typeof(int) || type == typeof(uint) || type == typeof(float)) return 4;
        if (type.IsPrimitive) return 8;
        long total = 0;
        foreach (var field in All(type)) total += Size(field.FieldType);
        return total;
    }
}
