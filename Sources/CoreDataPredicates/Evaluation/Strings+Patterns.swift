// SPDX-License-Identifier: Apache-2.0

extension Strings {
    /// True if the complete string matches a `LIKE` pattern: `?` matches one character, `*` any number of characters,
    /// and a backslash makes the next character literal.
    package static func like(_ string: String, _ pattern: String, _ options: Options) -> Bool {
        folded(string, pattern, options) { like($0, $1, foldsCase: $2) }
    }

    /// Compares from left to right. At a mismatch the last star matches one more character. Only the last star is
    /// retried, so the cost is at most the product of the lengths.
    private static func like(
        _ string: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>, foldsCase: Bool
    ) -> Bool {
        var position = 0
        var patternPosition = 0
        var star: (pattern: Int, position: Int)?
        while position < string.count {
            if patternPosition < pattern.count {
                switch pattern[patternPosition] {
                case UInt8(ascii: "*"):
                    star = (patternPosition, position)
                    patternPosition += 1
                    continue
                case UInt8(ascii: "?"):
                    position = afterCharacter(at: position, in: string)
                    patternPosition += 1
                    continue
                case UInt8(ascii: "\\") where patternPosition + 1 < pattern.count:
                    if same(string[position], pattern[patternPosition + 1], foldsCase) {
                        position += 1
                        patternPosition += 2
                        continue
                    }
                case let byte:
                    if same(string[position], byte, foldsCase) {
                        position += 1
                        patternPosition += 1
                        continue
                    }
                }
            }
            guard let last = star else { return false }
            position = afterCharacter(at: last.position, in: string)
            star = (last.pattern, position)
            patternPosition = last.pattern + 1
        }
        while patternPosition < pattern.count, pattern[patternPosition] == UInt8(ascii: "*") { patternPosition += 1 }
        return patternPosition == pattern.count
    }

    @inline(__always)
    private static func same(_ one: UInt8, _ two: UInt8, _ foldsCase: Bool) -> Bool {
        one == two || (foldsCase && lowercase(one) == lowercase(two))
    }

    /// The position after the Unicode scalar at a position.
    private static func afterCharacter(at position: Int, in string: UnsafeBufferPointer<UInt8>) -> Int {
        var next = position + 1
        while next < string.count, string[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }

    /// True if the complete string matches a regular expression.
    ///
    /// - Throws: the error of `NSRegularExpression` for an invalid pattern.
    package static func matches(_ string: String, _ pattern: String, _ options: Options) throws -> Bool {
        let expression = try regularExpression(pattern, options)
        let diacritics = options.intersection(.diacriticInsensitive)
        let text = options.contains(.normalized) ? string : fold(string, diacritics)
        let whole = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, options: [.anchored], range: whole)?.range == whole
    }

    /// The regular expression that matches complete strings. Up to 64 of them are cached.
    ///
    /// - Throws: the error of `NSRegularExpression` for an invalid pattern.
    package static func regularExpression(_ pattern: String, _ options: Options) throws -> NSRegularExpression {
        let key = PatternKey(pattern: ExactText(pattern), options: options.rawValue)
        if let known = compiled.withLock({ $0[key] }) { return known }
        var expressionOptions: NSRegularExpression.Options = []
        var text = pattern
        if !options.contains(.normalized) {
            if options.contains(.caseInsensitive) { expressionOptions.insert(.caseInsensitive) }
            text = fold(pattern, options.intersection(.diacriticInsensitive))
        }
        // Compiled alone first, so that unbalanced parentheses can't close the group around it.
        // Foundation refuses the empty pattern alone, but accepts it inside the group.
        if !text.isEmpty { _ = try NSRegularExpression(pattern: text, options: expressionOptions) }
        let expression = try NSRegularExpression(pattern: "\\A(?:\(text))\\z", options: expressionOptions)
        compiled.withLock { $0[key] = expression }
        return expression
    }

    private struct PatternKey: Hashable {
        let pattern: ExactText
        let options: UInt
    }

    private static let compiled = Locked(BoundedDictionary<PatternKey, NSRegularExpression>(capacity: 64))
}
