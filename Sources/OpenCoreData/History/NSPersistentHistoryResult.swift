// SPDX-License-Identifier: Apache-2.0

/// The kinds of results of an `NSPersistentHistoryChangeRequest`.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// Whether the request was executed: an `NSNumber` with a Boolean.
    case statusOnly = 0
    /// The IDs of the changed objects, each once: an array of `NSManagedObjectID`.
    case objectIDs = 1
    /// The number of changes: an `NSNumber`. It counts transactions for a fetch request for transactions.
    case count = 2
    /// The transactions without their changes: an array of `NSPersistentHistoryTransaction`.
    case transactionsOnly = 3
    /// The changes: an array of `NSPersistentHistoryChange`.
    case changesOnly = 4
    /// The transactions with their changes: an array of `NSPersistentHistoryTransaction`.
    case transactionsAndChanges = 5
}

/// The result of an `NSPersistentHistoryChangeRequest`. Immutable: any thread may use it.
nonisolated open class NSPersistentHistoryResult: NSPersistentStoreResult, @unchecked Sendable {
    private let resultStorage: Any?
    private let typeStorage: NSPersistentHistoryResultType

    init(_ result: Any?, _ type: NSPersistentHistoryResultType) {
        resultStorage = result
        typeStorage = type
        super.init()
    }

    /// The result, in the form that ``resultType`` says.
    open var result: Any? { resultStorage }
    /// The result type of the request.
    open var resultType: NSPersistentHistoryResultType { typeStorage }
}
