import CoreDataModel

/// Damages texts with lines and quoted values: exchanges values, and moves, duplicates and removes lines.
struct TextMutator {
    /// The words of the format, which replace other values.
    let words: [String]

    private static let hostile = [
        "", " ", "0", "-1", "1e999", "-1e999", "nan", "99999999999999999999999", "-9223372036854775808", "2147483648",
        "0x7f",
        "YES", "NO", "%@", "%n%s", "$null", "SELF", "../../../etc/passwd", "/", ".", "..", "\u{0}", "\u{1}", "\u{FFFF}",
        "\u{1F4A9}",
        "e\u{301}", "\r\n", "&#1;", "&lt;", "]]>", "<!--", "((((((((", "self.self.self", "@count", "a.b.c.@sum.d",
        "NSObject", "class",
    ]

    func mutate(_ data: [UInt8], other: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        if random.once(in: 6) { return ByteMutator.mutate(data, other: other, &random) }
        var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        for _ in 0..<random.pick([1, 1, 2, 2, 3, 6]) { damage(&lines, other, &random) }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    private func damage(_ lines: inout [[UInt8]], _ other: [UInt8], _ random: inout SeededRandom) {
        guard !lines.isEmpty else { return }
        let line = random.number(0..<lines.count)
        switch random.number(0..<12) {
        case 0: lines.remove(at: line)
        case 1: lines.insert(lines[line], at: random.number(0...lines.count))
        case 2: lines.swapAt(line, random.number(0..<lines.count))
        case 3:
            let others = other.split(separator: UInt8(ascii: "\n"))
            if !others.isEmpty { lines.insert(Array(random.pick(others)), at: line) }
        case 4: lines.removeSubrange(random.part(of: lines.count))
        case 5: lines.insert(contentsOf: Array(repeating: lines[line], count: random.pick([2, 30, 300])), at: line)
        default: replaceToken(&lines, line, &random)
        }
    }

    /// Replaces a quoted value, or a word of a text without quotes, by another value of the text, a word of the format,
    /// or a hostile value.
    private func replaceToken(_ lines: inout [[UInt8]], _ line: Int, _ random: inout SeededRandom) {
        let tokens = Self.tokens(lines[line])
        guard !tokens.isEmpty else { return }
        let token = random.pick(tokens)
        let replacement: [UInt8]
        switch random.number(0..<4) {
        case 0: replacement = Array(random.pick(Self.hostile).utf8)
        case 1 where !words.isEmpty: replacement = Array(random.pick(words).utf8)
        case 2 where random.once(in: 8):
            replacement = Array(
                repeating: random.pick(Array("(A{\".<[-!0".utf8)), count: random.pick([300, 5_000, 40_000]))
        default:
            let from = lines[random.number(0..<lines.count)]
            let others = Self.tokens(from)
            replacement = others.isEmpty ? [] : Array(from[random.pick(others)])
        }
        lines[line].replaceSubrange(token, with: replacement)
    }

    /// The quoted values; in a line without quotes, the words.
    private static func tokens(_ line: [UInt8]) -> [Range<Int>] {
        let quote = UInt8(ascii: "\"")
        let marks = line.indices.filter { line[$0] == quote }
        if marks.count >= 2 {
            return stride(from: 0, to: marks.count - 1, by: 2).map { (marks[$0] + 1)..<marks[$0 + 1] }
        }
        func isWord(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
                || byte >= 0x80
        }
        var words: [Range<Int>] = []
        var start: Int?
        for index in line.indices {
            if isWord(line[index]) {
                start = start ?? index
            } else if let begun = start {
                words.append(begun..<index)
                start = nil
            }
        }
        if let start { words.append(start..<line.count) }
        return words
    }
}
