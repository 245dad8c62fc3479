// SPDX-License-Identifier: Apache-2.0

/// A source with its tokens.
package final class LexedSource {
    package let source: SwiftSource
    package let bytes: [UInt8]
    package let tokens: [SwiftToken]
    private lazy var lineStarts: [Int] = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }

    /// The index after the closing bracket for each opening bracket. The kinds of both may differ in an invalid source.
    private lazy var bracketEnds: [Int: Int] = {
        var ends: [Int: Int] = [:]
        var open: [Int] = []
        for (index, token) in tokens.enumerated() where token.kind == .punctuation {
            switch bytes[token.start] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open.append(index)
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let start = open.popLast() { ends[start] = index + 1 }
            default: break
            }
        }
        return ends
    }()

    /// The index of the opening bracket for each closing bracket.
    package private(set) lazy var bracketStarts = Dictionary(
        uniqueKeysWithValues: bracketEnds.map { ($0.value - 1, $0.key) })

    package init(_ source: SwiftSource) {
        self.source = source
        bytes = Array(source.text.utf8)
        tokens = SwiftLexer.tokens(of: bytes)
    }

    package func text(_ token: SwiftToken) -> String { text(token.start..<token.end) }

    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// A name without backticks.
    package func name(_ token: SwiftToken) -> String {
        token.kind == .quotedIdentifier ? text(token.start + 1..<token.end - 1) : text(token)
    }

    /// Whether the token has the given text.
    package func isWritten(_ token: SwiftToken, _ text: StaticString) -> Bool {
        guard token.end - token.start == text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[token.start + index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    /// The index after the closing bracket for the bracket at `start`; the end of the text if there is none.
    package func endOfBalanced(from start: Int) -> Int { bracketEnds[start] ?? tokens.count }

    /// Line and column, both from 1. Columns are counted in bytes, as by the compiler.
    package func position(of offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - lineStarts[low] + 1)
    }

    package func diagnostic(
        at offset: Int, _ message: String, severity: SourceDiagnostic.Severity = .error
    ) -> SourceDiagnostic {
        let (line, column) = position(of: offset)
        return SourceDiagnostic(severity, path: source.path, line: line, column: column, message: message)
    }
}
