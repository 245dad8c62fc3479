// SPDX-License-Identifier: Apache-2.0

/// The encoding of names that are no ASCII identifiers: Swift's variant of RFC 3492 with the delimiter `_` and the
/// digits `a`–`z`, `A`–`J`.
enum Punycode {
    // The parameters of RFC 3492, section 5.
    private static let base = 36
    private static let (leastThreshold, greatestThreshold) = (1, 26)
    private static let (skew, damping) = (38, 700)
    private static let initialBias = 72
    private static let initialCode: UInt32 = 128

    /// Whether a name has characters that aren't allowed in symbols.
    static func isNeeded(_ name: String) -> Bool { name.utf8.contains { !isPlain($0) } }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte < 128 && (SwiftLexer.isNameByte(byte) || byte == UInt8(ascii: "$"))
    }

    static func encoded(_ name: String) -> String {
        // A name that needs backticks is encoded with them, and with no-break spaces. ASCII characters that aren't
        // allowed in symbols are moved into the range of surrogates.
        let isRaw = name.utf8.contains { $0 < 128 && !isPlain($0) }
        let points = (isRaw ? "`\(name.replacing(" ", with: "\u{A0}"))`" : name).unicodeScalars.map {
            $0.isASCII && !isPlain(UInt8($0.value)) ? $0.value + 0xD800 : $0.value
        }
        var output: [UInt8] = points.filter { $0 < initialCode }.map { UInt8($0) }
        var handled = output.count
        if !output.isEmpty { output.append(UInt8(ascii: "_")) }
        var next = initialCode
        var delta = 0
        var bias = initialBias
        let basic = handled
        while handled < points.count {
            guard let smallest = points.filter({ $0 >= next }).min() else { break }
            delta += Int(smallest - next) * (handled + 1)
            next = smallest
            for point in points {
                if point < next { delta += 1 }
                guard point == next else { continue }
                var rest = delta
                var position = base
                while true {
                    let threshold = min(max(position - bias, leastThreshold), greatestThreshold)
                    if rest < threshold { break }
                    output.append(digit(threshold + (rest - threshold) % (base - threshold)))
                    rest = (rest - threshold) / (base - threshold)
                    position += base
                }
                output.append(digit(rest))
                bias = adapted(delta, count: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = delta / (isFirst ? damping : 2)
        delta += delta / count
        var steps = 0
        while delta > (base - leastThreshold) * greatestThreshold / 2 {
            delta /= base - leastThreshold
            steps += base
        }
        return steps + base * delta / (delta + skew)
    }

    private static func digit(_ value: Int) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "A") + UInt8(value - 26)
    }
}
