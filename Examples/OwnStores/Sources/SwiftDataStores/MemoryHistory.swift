import SwiftData

/// One save into a ``MemoryStore``.
public struct MemoryTransaction: HistoryTransaction {
    public let transactionIdentifier: Int
    public let timestamp: Date
    public let storeIdentifier: String
    public let author: String?
    public let changes: [HistoryChange]

    public var id: Int { transactionIdentifier }
    public var token: MemoryToken { MemoryToken(tokenValue: transactionIdentifier) }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The number of the last transaction that a program has seen.
public struct MemoryToken: HistoryToken {
    public let tokenValue: Int?

    public init(tokenValue: Int?) { self.tokenValue = tokenValue }

    public var id: Int { tokenValue ?? 0 }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.id < rhs.id }
}

/// A change of a model in a ``MemoryStore``.
public struct MemoryChange<Model: PersistentModel>: HistoryInsert, HistoryUpdate {
    public let transactionIdentifier: Int
    public let changeIdentifier: Int
    public let changedPersistentIdentifier: PersistentIdentifier
    /// Empty: the store doesn't compare values.
    public var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { [] }
}
