extension Strings {
    /// True if the whole string matches a `LIKE` pattern: `?` is one character, `*` any number, a backslash takes the
    /// next character as it is.
    package static func like(_ string: String, _ pattern: String, _ options: Options) -> Bool {
        folded(string, pattern, options) { like($0, $1, foldsCase: $2) }
    }

    /// Walks both in step; at a mismatch goes back to the last star and lets it take one character more. At most one
    /// star is retried, so the work is bounded by the product of the lengths.
    private static func like(
        _ string: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>, foldsCase: Bool
    ) -> Bool {
        var position = 0
        var place = 0
        var star: (place: Int, position: Int)?
        while position < string.count {
            if place < pattern.count {
                switch pattern[place] {
                case UInt8(ascii: "*"):
                    star = (place, position)
                    place += 1
                    continue
                case UInt8(ascii: "?"):
                    position = afterCharacter(at: position, in: string)
                    place += 1
                    continue
                case UInt8(ascii: "\\") where place + 1 < pattern.count:
                    if same(string[position], pattern[place + 1], foldsCase) {
                        position += 1
                        place += 2
                        continue
                    }
                case let byte:
                    if same(string[position], byte, foldsCase) {
                        position += 1
                        place += 1
                        continue
                    }
                }
            }
            guard let last = star else { return false }
            position = afterCharacter(at: last.position, in: string)
            star = (last.place, position)
            place = last.place + 1
        }
        while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
        return place == pattern.count
    }

    @inline(__always)
    private static func same(_ one: UInt8, _ two: UInt8, _ foldsCase: Bool) -> Bool {
        one == two || (foldsCase && lowercase(one) == lowercase(two))
    }

    /// The place after the character (Unicode scalar) at a place.
    private static func afterCharacter(at position: Int, in string: UnsafeBufferPointer<UInt8>) -> Int {
        var next = position + 1
        while next < string.count, string[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }

    /// True if the whole string matches a regular expression.
    ///
    /// - Throws: what `NSRegularExpression` says of an invalid pattern.
    package static func matches(_ string: String, _ pattern: String, _ options: Options) throws -> Bool {
        let expression = try regularExpression(pattern, options)
        let diacritics = options.intersection(.diacriticInsensitive)
        let text = options.contains(.normalized) ? string : fold(string, diacritics)
        let whole = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, options: [.anchored], range: whole)?.range == whole
    }

    /// The compiled form of a pattern that must match a whole string; the last ones are kept.
    package static func regularExpression(_ pattern: String, _ options: Options) throws -> NSRegularExpression {
        let key = PatternKey(pattern: pattern, options: options.rawValue)
        if let known = compiled.withLock({ $0[key] }) { return known }
        var expressionOptions: NSRegularExpression.Options = []
        var text = pattern
        if !options.contains(.normalized) {
            if options.contains(.caseInsensitive) { expressionOptions.insert(.caseInsensitive) }
            text = fold(pattern, options.intersection(.diacriticInsensitive))
        }
        // Compiled alone first, so that unbalanced parentheses can't close the group around it.
        // The empty pattern, which Foundation refuses alone, is right inside the group.
        if !text.isEmpty { _ = try NSRegularExpression(pattern: text, options: expressionOptions) }
        let expression = try NSRegularExpression(pattern: "\\A(?:\(text))\\z", options: expressionOptions)
        compiled.withLock {
            if $0.count >= 64 { $0.removeAll() }
            $0[key] = expression
        }
        return expression
    }

    private struct PatternKey: Hashable {
        let pattern: String
        let options: UInt
    }

    private static let compiled = Locked<[PatternKey: NSRegularExpression]>([:])
}
