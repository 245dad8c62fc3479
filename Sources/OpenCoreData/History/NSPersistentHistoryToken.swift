// SPDX-License-Identifier: Apache-2.0

/// A point in the history of stores: the newest transaction of each store that a program has seen.
///
/// A program keeps the token of the last transaction that it has processed, in an archive or in memory, and passes it
/// to ``NSPersistentHistoryChangeRequest/fetchHistory(after:)-(NSPersistentHistoryToken?)``:
///
/// ```swift
/// func newTransactions(
///     after archived: Data?, in context: NSManagedObjectContext
/// ) throws -> [NSPersistentHistoryTransaction] {
///     let token = try archived.flatMap {
///         try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: $0)
///     }
///     let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
///     let result = try context.execute(request) as? NSPersistentHistoryResult
///     return result?.result as? [NSPersistentHistoryTransaction] ?? []
/// }
/// ```
///
/// Immutable: any thread may use it.
nonisolated open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The number of the newest transaction by the UUID of its store.
    package final let transactions: [String: Int64]

    private static let key = "storeTokens"

    package init(_ transactions: [String: Int64]) {
        self.transactions = transactions
        super.init()
    }

    /// Whether two tokens name the same transactions of the same stores.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentHistoryToken)?.transactions == transactions
    }

    open override var hash: Int { transactions.hashValue }

    open override var description: String { "<NSPersistentHistoryToken - \(text)>" }

    /// Returns the token itself, which is immutable.
    ///
    /// - Parameter zone: not used.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Archiving

    open class var supportsSecureCoding: Bool { true }

    private var text: String {
        transactions.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
    }

    /// Reads a token.
    ///
    /// - Parameter coder: an unarchiver. The archive may come from another run of the program.
    /// - Returns: nil if the archive contains no token.
    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: Self.key).map({ String(describing: $0) }) else {
            return nil
        }
        var transactions: [String: Int64] = [:]
        for part in text.split(separator: " ") {
            guard let colon = part.lastIndex(of: ":"), let number = Int64(part[part.index(after: colon)...]),
                number >= 0
            else { return nil }
            transactions[String(part[..<colon])] = number
        }
        self.transactions = transactions
        super.init()
    }

    /// Writes a token.
    ///
    /// - Parameter coder: an archiver.
    open func encode(with coder: NSCoder) { coder.encode(NSString(string: text), forKey: Self.key) }
}

/// Predicates compare tokens: a token is after another one if its transactions are, in the stores that both name.
extension NSPersistentHistoryToken: OrderedInPredicates {
    package final func order(to other: Any) -> ComparisonResult? {
        guard let other = other as? NSPersistentHistoryToken else { return nil }
        var result: ComparisonResult?
        for (store, number) in transactions {
            guard let theirs = other.transactions[store] else { continue }
            let order: ComparisonResult =
                number == theirs ? .orderedSame : number < theirs ? .orderedAscending : .orderedDescending
            if result == nil || result == .orderedSame {
                result = order
            } else if order != .orderedSame && order != result {
                return nil
            }
        }
        return result
    }
}
