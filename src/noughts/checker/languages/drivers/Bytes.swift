// Counts the bytes of everything that an object reaches, each object once. Untried: see swift.py.
func noughtsBytes(_ root: Any) -> Int {
    var seen = Set<ObjectIdentifier>(), todo: [Any] = [root], total = 0
    while let each = todo.popLast() {
        let mirror = Mirror(reflecting: each)
        if mirror.displayStyle == .class {
            guard seen.insert(ObjectIdentifier(each as AnyObject)).inserted else { continue }
            total += 16
        }
        if let text = each as? String { total += 16 + text.utf8.count }
        if mirror.displayStyle == .collection || mirror.displayStyle == .dictionary || mirror.displayStyle == .set { total += 32 }
        total += 8 * mirror.children.count
        todo += mirror.children.map { $$0.value }
    }
    return total
}
