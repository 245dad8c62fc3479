// SPDX-License-Identifier: Apache-2.0

/// The change of one object in a transaction of the history.
///
/// Immutable: any thread may use it.
nonisolated open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
    final let record: HistoryChangeRecord
    final let transactionRecord: HistoryTransactionRecord
    /// The transaction that retains this change. Set once, before another thread can see the change.
    private weak var owner: NSPersistentHistoryTransaction?

    /// - Parameter owner: a transaction that retains the change; nil for a change by itself.
    init(
        _ record: HistoryChangeRecord, of transaction: HistoryTransactionRecord,
        owner: NSPersistentHistoryTransaction? = nil
    ) {
        self.record = record
        transactionRecord = transaction
        self.owner = owner
        super.init()
    }

    /// The number of the change in its store. Later changes have higher numbers.
    open var changeID: Int64 { record.number }
    /// The ID of the changed object. The object may have been deleted since.
    open var changedObjectID: NSManagedObjectID { record.objectID }
    /// The kind of the change: an insertion, an update or a deletion.
    open var changeType: NSPersistentHistoryChangeType { record.type }
    /// The values of a deleted object whose attributes have `preservesValueInHistoryOnDeletion`, by name; nil for
    /// other changes, and for an entity that preserves none.
    open var tombstone: [AnyHashable: Any]? { record.tombstone }
    /// The transaction that the change is a part of. A change that was fetched by itself, or that is used after its
    /// transaction was released, returns a transaction without changes.
    open var transaction: NSPersistentHistoryTransaction? {
        owner ?? NSPersistentHistoryTransaction(transactionRecord, changes: nil)
    }
    /// The properties that an update has changed; nil for other changes.
    open var updatedProperties: Set<NSPropertyDescription>? { record.updatedProperties.map { Set($0) } }

    /// Returns the change itself, which is immutable.
    ///
    /// - Parameter zone: not used.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var description: String {
        "<NSPersistentHistoryChange> (changeID: \(changeID), changeType: \(changeType), object: \(changedObjectID))"
    }

    // MARK: Fetching

    /// The entity of changes, for a fetch request of ``NSPersistentHistoryChangeRequest/fetchHistory(withFetch:)``.
    ///
    /// Its keys are `changeID`, `changeType`, `changedObjectID`, `changedEntity` and `transaction`. `changedEntity` is
    /// compared with the description or with the name of an entity; changes of a subentity have the subentity there.
    ///
    /// ```swift
    /// let fetch = NSPersistentHistoryChange.fetchRequest
    /// fetch?.predicate = NSPredicate(format: "changedEntity == %@", Song.entity())
    /// ```
    open class var entityDescription: NSEntityDescription? { HistoryModel.change }

    /// A new request for all changes, to be completed by a predicate, sort descriptors and limits.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryModel.fetchRequest(HistoryModel.change)
    }

    /// The entity of changes.
    ///
    /// - Parameter context: not used: all contexts have the same entity.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }
}

extension NSPersistentHistoryChange: KeyValueCoding {
    /// The value of one of the change's properties, for predicates and sort descriptors.
    ///
    /// - Parameter key: the name of a property. Stops the program for another key.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "self", "SELF": self
        case "changeID": NSNumber(value: changeID)
        case "changeType": NSNumber(value: changeType.rawValue)
        case "changedObjectID": changedObjectID
        case "changedEntity": changedObjectID.entity.name
        case "transaction": transaction
        case "tombstone": tombstone
        case "updatedProperties": updatedProperties
        default: HistoryModel.undefinedKey(key, of: self)
        }
    }
}
