// SPDX-License-Identifier: Apache-2.0

/// The tokens of the formats that the process has parsed: programs parse few formats, with other arguments each time.
enum PredicateTokens {
    /// Longer formats are not kept.
    private static let maximumLength = 512

    private static let known = Locked(BoundedDictionary<ExactText, [PredicateToken]>(capacity: 256))

    /// The tokens of a format.
    ///
    /// - Throws: `PredicateFormatError`.
    static func tokens(of format: String) throws -> [PredicateToken] {
        let key = ExactText(format)
        if let tokens = known.withLock({ $0[key] }) { return tokens }
        var lexer = PredicateLexer(format: format)
        let tokens = try lexer.tokens()
        if format.utf8.count <= maximumLength {
            known.withLock { $0[key] = tokens }
        }
        return tokens
    }
}
