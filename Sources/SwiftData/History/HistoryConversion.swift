// SPDX-License-Identifier: Apache-2.0

import OpenCoreData
@_spi(ObservableRerootKeyPath) import Swift

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
    /// The key path of a property, which may be inherited. It is equal to a key path that a program writes.
    static func keyPath<Model: PersistentModel>(named name: String, of type: Model.Type) -> (
        PartialKeyPath<Model> & Sendable
    )? {
        guard let keyPath = ModelMetadata.of(type).property(named: name)?.keypath else { return nil }
        let own = keyPath as? PartialKeyPath<Model> ?? _rerootKeyPath(keyPath, to: type)
        // A key path of a property captures nothing.
        return unsafeBitCast(own, to: (PartialKeyPath<Model> & Sendable).self)
    }
}
