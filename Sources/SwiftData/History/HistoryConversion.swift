// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension DefaultHistoryTransaction {
    /// A transaction of Core Data, with the classes of a schema. Changes of entities without a class are left out.
    init(_ transaction: NSPersistentHistoryTransaction, schema: Schema) {
        transactionIdentifier = transaction.transactionNumber
        timestamp = transaction.timestamp
        storeIdentifier = transaction.storeID
        author = transaction.author
        bundleIdentifier = transaction.bundleID
        processIdentifier = transaction.processID
        token = DefaultHistoryToken([transaction.storeID: transaction.transactionNumber])
        changes = (transaction.changes ?? []).compactMap { change in
            guard let name = change.changedObjectID.entity.name, let type = schema.entitiesByName[name]?.modelType
            else { return nil }
            return HistoryChange(change, of: type, transaction.transactionNumber)
        }
    }
}

extension HistoryChange {
    fileprivate init<Model: PersistentModel>(
        _ change: NSPersistentHistoryChange, of type: Model.Type, _ transaction: Int64
    ) {
        let identifier = PersistentIdentifier(change.changedObjectID)
        switch change.changeType {
        case .insert:
            self = .insert(
                DefaultHistoryInsert<Model>(
                    transactionIdentifier: transaction, changeIdentifier: change.changeID,
                    changedPersistentIdentifier: identifier))
        case .update:
            let names = (change.updatedProperties ?? []).map(\.name).sorted()
            self = .update(
                DefaultHistoryUpdate<Model>(
                    transactionIdentifier: transaction, changeIdentifier: change.changeID,
                    changedPersistentIdentifier: identifier,
                    updatedAttributes: names.compactMap { ModelKeyPaths.keyPath(named: $0, of: Model.self) },
                    updatedPropertyNames: names))
        case .delete:
            var values: [String: Any] = [:]
            for (name, value) in change.tombstone ?? [:] {
                if let name = name as? String { values[name] = value }
            }
            self = .delete(
                DefaultHistoryDelete<Model>(
                    transactionIdentifier: transaction, changeIdentifier: change.changeID,
                    changedPersistentIdentifier: identifier, tombstone: HistoryTombstone(values)))
        }
    }
}

extension ModelKeyPaths {
    /// The key path of a property; for one that is inherited, a key path that reads it.
    static func keyPath<Model: PersistentModel>(named name: String, of type: Model.Type) -> (
        PartialKeyPath<Model> & Sendable
    )? {
        guard let keyPath = ModelMetadata.of(type).property(named: name)?.keypath else { return nil }
        if let own = keyPath as? PartialKeyPath<Model> { return sendable(own) }
        guard let root = Swift.type(of: keyPath).rootType as? any PersistentModel.Type else { return nil }
        return inherited(keyPath, root, by: type)
    }

    private static func inherited<Root: PersistentModel, Model: PersistentModel>(
        _ keyPath: AnyKeyPath, _ root: Root.Type, by type: Model.Type
    ) -> (PartialKeyPath<Model> & Sendable)? {
        (keyPath as? PartialKeyPath<Root>).map { sendable(\Model.[inherited: $0]) }
    }

    /// A key path that captures nothing but a key path of a model.
    private static func sendable<Model>(_ keyPath: PartialKeyPath<Model>) -> PartialKeyPath<Model> & Sendable {
        unsafeBitCast(keyPath, to: (PartialKeyPath<Model> & Sendable).self)
    }
}

extension PersistentModel {
    /// The value of a property that the class inherits.
    fileprivate subscript<Root: PersistentModel>(inherited keyPath: PartialKeyPath<Root>) -> Any {
        // The class inherits from the root of the key path, whose properties it has.
        (self as! Root)[keyPath: keyPath]
    }
}
