// SPDX-License-Identifier: Apache-2.0

/// A position in the history of a container's stores: the number of a transaction of each store.
///
/// A comparison considers the stores that both tokens name. If the tokens have no common store, neither is less than
/// the other.
public struct DefaultHistoryToken: HistoryToken, Codable {
    /// The numbers of transactions by the identifiers of stores.
    public typealias TokenType = [String: Int64]
    /// The identity of a token, in this process.
    public typealias ID = Int

    /// The numbers of transactions by the identifiers of stores.
    public let tokenValue: TokenType?

    init(_ value: TokenType) { tokenValue = value }

    /// The identity of the token, in this process.
    public var id: Int { hashValue }

    /// Whether a token is before another one, in the stores that both name.
    public static func < (lhs: DefaultHistoryToken, rhs: DefaultHistoryToken) -> Bool {
        var isLess = false
        for (store, number) in lhs.tokenValue ?? [:] {
            guard let other = rhs.tokenValue?[store] else { continue }
            if number > other { return false }
            if number < other { isLess = true }
        }
        return isLess
    }

    /// Whether a token is equal to another one, or before it.
    public static func <= (lhs: DefaultHistoryToken, rhs: DefaultHistoryToken) -> Bool { lhs < rhs || lhs.isAt(rhs) }

    /// Whether a token is equal to another one, or after it.
    public static func >= (lhs: DefaultHistoryToken, rhs: DefaultHistoryToken) -> Bool { rhs < lhs || lhs.isAt(rhs) }

    /// Whether the numbers of the common stores are equal.
    private func isAt(_ other: DefaultHistoryToken) -> Bool {
        let common = (tokenValue ?? [:]).filter { other.tokenValue?[$0.key] != nil }
        return !common.isEmpty && common.allSatisfy { other.tokenValue?[$0.key] == $0.value }
    }
}
