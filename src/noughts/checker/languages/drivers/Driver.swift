// Plays the solution above; noughts.checker.isolated describes the protocol. Untried: see swift.py.
import Foundation

var noughtsPlaces: [$object?] = Array(repeating: nil, count: 64)

func noughtsMake(_ n: Int) -> $object { return $make }

func noughtsMove(_ object: inout $object, _ marks: [Int], _ at: Int) -> Any? {
    let n = marks[0], row = $whole ? 0 : marks[at], col = $whole ? 0 : marks[at + 1], player = $whole ? 0 : marks[at + 2]
    _ = (n, row, col, player)
    let made = { (game: inout $object) -> Any? in
        $act
        return $answer
    }
    return made(&object)
}

func noughtsWritten(_ value: Any?) -> String {
    guard let value = value else { return "nil" }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return noughtsWritten(mirror.children.first?.value) }
    return value is String || value is Character ? "'\(value)'" : "\(value)"
}

func noughtsNow() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

func noughtsServe(_ verb: Character, _ game: [Int]) -> String {
    switch verb {
    case "o":
        noughtsPlaces[game[0]] = noughtsMake(game[1])
        return ""
    case "m":
        return noughtsWritten(noughtsMove(&noughtsPlaces[game[0]]!, Array(game[1...]), 1)) + "\n"
    case "p":
        var object = noughtsMake(game[0])
        let ends = $whole ? [1] : Array(stride(from: 1, to: game.count, by: 3))
        return ends.map { noughtsWritten(noughtsMove(&object, game, $$0)) }.joined(separator: "\t") + "\n"
    default:
        let start = noughtsNow()
        var object = noughtsMake(game[0])
        let ready = noughtsNow()
        for at in stride(from: 1, to: game.count, by: 3) { _ = noughtsMove(&object, game, at) }
        let end = noughtsNow()
        return verb == "t" ? "\(ready - start) \(end - ready)\n" : "\(noughtsBytes(object))\n"
    }
}

let noughtsOut = FileHandle(fileDescriptor: 4)
let noughtsIn = fdopen(3, "r")!
noughtsOut.write("[]\n".data(using: .utf8)!)
var noughtsText = "", noughtsLine: UnsafeMutablePointer<CChar>? = nil, noughtsRoom = 0
while getline(&noughtsLine, &noughtsRoom, noughtsIn) > 0 {
    let words = String(cString: noughtsLine!).split(whereSeparator: { $$0 == " " || $$0 == "\n" })
    if let verb = words.first {
        noughtsText += noughtsServe(verb.first!, words.dropFirst().map { Int($$0)! })
    } else {
        noughtsOut.write(noughtsText.data(using: .utf8)!)
        noughtsText = ""
    }
}
