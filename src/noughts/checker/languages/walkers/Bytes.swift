// Counts the bytes that an object reaches, each instance of a class once; -1 if it may hide
// something, as a function does. Untried: see swift.py.
//
// Sizes are those of a 64-bit process: instances and buffers of arrays with a header of 16 and 32
// bytes, numbers of at most 8, entries of a dictionary or set of twice their size. A buffer that two
// arrays share counts twice, since Mirror does not show it. Static properties are not reached.

func noughtsBytes(_ root: Any) -> Int {
    var seen = Set<ObjectIdentifier>(), todo: [Any] = [root], total = noughtsSize(root)
    while let each = todo.popLast() {
        let mirror = Mirror(reflecting: each)
        var parts = Array(mirror.children)
        switch mirror.displayStyle {
        case .class?:
            guard seen.insert(ObjectIdentifier(each as AnyObject)).inserted else { continue }
            var above = mirror.superclassMirror
            while let next = above {
                parts += Array(next.children)
                above = next.superclassMirror
            }
            total += 16 + parts.reduce(0) { $$0 + noughtsSize($$1.value) }
        case .collection?:
            total += 32 + parts.reduce(0) { $$0 + noughtsSize($$1.value) }
        case .dictionary?, .set?: // children of a dictionary are tuples
            total += 32 + 2 * parts.reduce(0) { $$0 + noughtsSize($$1.value) }
        case nil:
            if let text = each as? String {
                total += text.utf8.count > 15 ? 32 + text.utf8.count : 0 // short ones are in their place
                continue
            }
            if String(describing: type(of: each)).contains("->") { return -1 }
        default: break // structs, tuples, enums and optionals are in their place
        }
        if parts.isEmpty || parts.allSatisfy({ noughtsIsNumber($$0.value) }) { continue }
        todo += parts.map { $$0.value }
    }
    return total
}

func noughtsIsNumber(_ value: Any) -> Bool {
    return value is Int || value is Bool || value is Int8 || value is UInt8 || value is Double || value is Character
}

// Returns the bytes that a value takes in its place.
func noughtsSize(_ value: Any) -> Int {
    func size<T>(_ value: T) -> Int { return MemoryLayout<T>.stride }
    return _openExistential(value, do: size)
}
