// SPDX-License-Identifier: Apache-2.0

/// A position in the history of stores. Programs save the token of the last transaction that they have seen.
public protocol HistoryToken: Comparable, Decodable, Encodable, Hashable, Identifiable, Sendable {
    /// The content of the token.
    associatedtype TokenType: Decodable, Encodable, Hashable, Sendable

    /// The content of the token; nil for none.
    var tokenValue: TokenType? { get }
}
