// Counts the bytes that an object reaches, each object once.
//
// Sizes are those of a 64-bit process: headers of 16 bytes, references of 8, and objects that end
// at multiples of 8. What classes of the solution keep in static fields is reached as well, and so
// is what a delegate has captured. Objects of the library are entered if their namespace is in Data;
// others, such as streams and threads, are counted alone. Unmanaged memory is not reached.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;

static class NoughtsBytes {
    const int Header = 16, Length = 8, Reference = 8, Alignment = 8;
    const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
    static readonly string[] Data = { "System.Collections", "System.Linq", "System.Numerics", "System.Text", "System.Runtime" };
    static readonly Dictionary<Type, FieldInfo[]> parts = new Dictionary<Type, FieldInfo[]>();
    static readonly Dictionary<Type, long> sizes = new Dictionary<Type, long>();

    sealed class ByReference : IEqualityComparer<object> {
        bool IEqualityComparer<object>.Equals(object one, object other) { return ReferenceEquals(one, other); }
        int IEqualityComparer<object>.GetHashCode(object one) { return RuntimeHelpers.GetHashCode(one); }
    }

    public static long Of(object root) {
        var seen = new HashSet<object>(new ByReference());
        var types = new HashSet<Type>();
        var todo = new Stack<object>();
        long total = 0;
        todo.Push(root);
        while (todo.Count > 0) {
            var each = todo.Pop();
            if (each == null || each is MemberInfo || !seen.Add(each)) continue;
            var type = each.GetType();
            var text = each as string;
            var array = each as Array;
            var function = each as Delegate;
            if (text != null) total += Aligned(Header + 4 + 2 * ((long) text.Length + 1));
            else if (function != null) {
                total += 64; // about, in any runtime
                foreach (var one in function.GetInvocationList()) todo.Push(one.Target);
            } else if (array != null) {
                var element = type.GetElementType();
                total += Aligned(Header + Length + (array.Rank > 1 ? 8 * array.Rank : 0) + array.LongLength * Size(element));
                if (HasParts(element)) foreach (var part in array) Add(part, element, todo);
            } else {
                total += Aligned(Header + Contents(type));
                Enter(each, type, todo);
            }
            for (; type != null && types.Add(type); type = type.BaseType)
                for (var outer = type; outer != null && Own(outer) && !outer.ContainsGenericParameters; outer = outer.DeclaringType)
                    foreach (var field in outer.GetFields(Declared | BindingFlags.Static))
                        if (!field.IsLiteral && HasParts(field.FieldType)) Add(field.GetValue(null), field.FieldType, todo);
        }
        return total;
    }

    static void Add(object value, Type type, Stack<object> todo) {
        if (value == null) return;
        if (type.IsValueType) Enter(value, type, todo); else todo.Push(value);
    }

    static void Enter(object value, Type type, Stack<object> todo) {
        FieldInfo[] found;
        if (!parts.TryGetValue(type, out found))
            parts[type] = found = Fields(type).Where(field => Entered(field.DeclaringType) && HasParts(field.FieldType)).ToArray();
        foreach (var field in found) Add(field.GetValue(value), field.FieldType, todo);
    }

    static bool Own(Type type) { return type.Assembly == typeof(NoughtsBytes).Assembly; }

    static bool Entered(Type type) {
        var name = type.Namespace ?? "";
        return Own(type) || name == "System" || Data.Any(each => name == each || name.StartsWith(each + ".", StringComparison.Ordinal));
    }

    static IEnumerable<FieldInfo> Fields(Type type) {
        for (; type != null; type = type.BaseType) foreach (var field in type.GetFields(Declared | BindingFlags.Instance)) yield return field;
    }

    static bool HasParts(Type type) {
        if (type.IsPrimitive || type.IsEnum || type.IsPointer) return false;
        return !type.IsValueType || Fields(type).Any(field => field.FieldType != type && HasParts(field.FieldType));
    }

    static long Aligned(long bytes) { return (bytes + Alignment - 1) / Alignment * Alignment; }

    static long Size(Type type) { return type.IsValueType ? Contents(type) : Reference; }

    static long Contents(Type type) {
        if (type.IsEnum) type = Enum.GetUnderlyingType(type);
        if (type == typeof(bool) || type == typeof(byte) || type == typeof(sbyte)) return 1;
        if (type == typeof(char) || type == typeof(short) || type == typeof(ushort)) return 2;
        if (type == typeof(int) || type == typeof(uint) || type == typeof(float)) return 4;
        if (type.IsPrimitive) return 8;
        long total;
        if (!sizes.TryGetValue(type, out total)) sizes[type] = total = Fields(type).Sum(field => Size(field.FieldType));
        return total;
    }
}
