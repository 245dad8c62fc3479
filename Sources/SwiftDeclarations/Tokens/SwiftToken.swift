// SPDX-License-Identifier: Apache-2.0

/// A token of a Swift source, as a range of bytes.
package struct SwiftToken: Equatable {
    package enum Kind: UInt8 {
        /// A name or keyword. A name in backticks is a `quotedIdentifier`, backticks included.
        case identifier, quotedIdentifier
        case number
        /// The part of a string literal between interpolations, quotes included.
        case string
        case interpolationStart, interpolationEnd
        case regex
        /// A name after `#`: `#if`, `#keyPath`.
        case pound
        /// One of `( ) [ ] { } , : ; @ .`, or another character.
        case punctuation
        /// One character of an operator.
        case operatorCharacter
    }

    package let kind: Kind
    package let start: Int
    package let end: Int
    /// Whether the token is the first one of its line.
    package let startsLine: Bool
    /// Whether white space or a comment is before the token.
    package let followsSpace: Bool
}
