// SPDX-License-Identifier: Apache-2.0

/// A token of the format language and its position.
///
/// Sendable: nothing changes its number.
struct PredicateToken: @unchecked Sendable {
    enum Kind {
        /// A key, keyword or function name. A function name may contain colons (`modulus:by:`), and a key may begin
        /// with `@`.
        case word(String)
        case number(NSNumber)
        case string(String)
        case variable(String)
        /// `%K`
        case keyPlaceholder
        /// `%@`, `%d` and other placeholders, by their letter.
        case placeholder(Unicode.Scalar)
        case symbol(String)
        case end
    }

    let kind: Kind
    let position: Int
    /// A word in upper case.
    let keyword: String?

    init(kind: Kind, position: Int) {
        self.kind = kind
        self.position = position
        if case .word(let word) = kind { keyword = word.uppercased() } else { keyword = nil }
    }
}

/// Splits a format string into tokens.
struct PredicateLexer {
    let format: String
    let scalars: [Unicode.Scalar]
    var position = 0

    init(format: String) {
        self.format = format
        scalars = Array(format.unicodeScalars)
    }

    mutating func tokens() throws -> [PredicateToken] {
        var tokens: [PredicateToken] = []
        while true {
            let token = try next()
            tokens.append(token)
            if case .end = token.kind { return tokens }
        }
    }

    private mutating func next() throws -> PredicateToken {
        while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
        let start = position
        guard let scalar = peek() else { return PredicateToken(kind: .end, position: start) }
        let kind: PredicateToken.Kind
        if Self.startsWord(scalar) {
            kind = .word(functionName(word()))
        } else if scalar == "@", let following = peek(1), Self.startsWord(following) {
            position += 1
            kind = .word("@" + word())
        } else if Self.isDigit(scalar) || (scalar == "." && peek(1).map(Self.isDigit) == true && !followsOperand) {
            kind = .number(try number())
        } else if scalar == "\"" || scalar == "'" {
            kind = .string(try string(quote: scalar))
        } else if scalar == "$" {
            position += 1
            guard let first = peek(), Self.startsWord(first) || Self.isDigit(first) else {
                throw error(at: start, "expected the name of a variable after $")
            }
            kind = .variable(word())
        } else if scalar == "%" {
            kind = try placeholder()
        } else {
            kind = .symbol(try symbol())
        }
        return PredicateToken(kind: kind, position: start)
    }

    /// True directly after an operand: the `.5` of `a.5` is no number.
    private var followsOperand: Bool {
        guard position > 0 else { return false }
        let before = scalars[position - 1]
        return Self.startsWord(before) || Self.isDigit(before) || before == ")" || before == "]" || before == "}"
    }

    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        let index = position + distance
        return index < scalars.count ? scalars[index] : nil
    }

    func error(at position: Int, _ expected: String) -> PredicateFormatError {
        PredicateFormatError(format: format, position: position, expected: expected)
    }

    static func startsWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == "_" || (scalar.value | 0x20) &- 0x61 < 26 }
        return scalar.properties.isAlphabetic
    }

    /// True if a key can be written in the language, possibly after `@` or `#`.
    static func isKey(_ key: String) -> Bool {
        var scalars = key.unicodeScalars[...]
        if scalars.first == "@" { scalars.removeFirst() }
        guard let first = scalars.first, startsWord(first) else { return false }
        return scalars.allSatisfy(continuesWord)
    }

    private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
        if startsWord(scalar) || isDigit(scalar) { return true }
        return !scalar.isASCII
            && (scalar.properties.isDiacritic || scalar.properties.generalCategory == .nonspacingMark)
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x30 && scalar.value <= 0x39
    }

    private mutating func word() -> String {
        var result = String.UnicodeScalarView()
        while let scalar = peek(), Self.continuesWord(scalar) {
            result.append(scalar)
            position += 1
        }
        return String(result)
    }

    /// The complete name of a function (`modulus:by:`) that begins with a word; the word itself if no such name
    /// followed by a parenthesis is there.
    private mutating func functionName(_ first: String) -> String {
        guard peek() == ":" else { return first }
        let start = position
        var name = first
        while peek() == ":" {
            position += 1
            name += ":"
            name += word()
        }
        if name.hasSuffix(":"), peek() == "(" { return name }
        position = start
        return first
    }

    /// The symbols of two characters, by the first.
    private static let pairs: [Unicode.Scalar: [(second: Unicode.Scalar, symbol: String)]] = [
        "=": [("=", "=="), (">", "=>"), ("<", "=<")], "!": [("=", "!=")], "<": [(">", "<>"), ("=", "<="), ("<", "<<")],
        ">": [("=", ">="), (">", ">>")], "&": [("&", "&&")], "|": [("|", "||")], "*": [("*", "**")],
    ]
    private static let singles: [Unicode.Scalar: String] = Dictionary(
        uniqueKeysWithValues: "=!<>&|^~*/+-(){}[],.#".unicodeScalars.map { ($0, String($0)) })

    private mutating func symbol() throws -> String {
        guard let first = peek(), let single = Self.singles[first] else {
            throw error(at: position, "the character isn't allowed here")
        }
        if let second = peek(1), let pair = Self.pairs[first]?.first(where: { $0.second == second }) {
            position += 2
            return pair.symbol
        }
        position += 1
        return single
    }

    private mutating func placeholder() throws -> PredicateToken.Kind {
        let start = position
        position += 1
        if peek() == "%" {
            position += 1
            return .symbol("%")
        }
        // The flags, width and length of printf are ignored: the arguments have types.
        while let scalar = peek(), "-+ #0123456789.hlqzjtL".unicodeScalars.contains(scalar) { position += 1 }
        guard let letter = peek() else { throw error(at: start, "expected @, K or a number's letter after %") }
        position += 1
        switch letter {
        case "K": return .keyPlaceholder
        case "@", "d", "D", "i", "u", "U", "o", "O", "x", "X", "f", "F", "e", "E", "g", "G", "a", "A", "c", "C", "s":
            return .placeholder(letter)
        default: throw error(at: start, "%\(letter) is no placeholder. Use %@, %K, %d, %ld, %lld, %u, %x or %f")
        }
    }
}
