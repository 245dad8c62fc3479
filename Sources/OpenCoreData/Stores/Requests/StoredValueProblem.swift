/// A stored value that reads as nil or as another value, because it doesn't fit the model or its file is missing.
package struct StoredValueProblem: Sendable {
    /// The name of the object's entity.
    package let entityName: String
    /// The key of the attribute; for an element of a composite attribute the key path.
    package let keyPath: String
    /// The object's primary key.
    package let primaryKey: Int64
    /// The problem as the end of a sentence whose subject is the value.
    package let finding: String
}

/// A store that can compare its stored values with the model.
package protocol StoredValueChecking: NSPersistentStore {
    /// The problems of all objects of an entity and its subentities, in no order.
    ///
    /// - Throws: what reading the store throws.
    func valueProblems(_ layout: EntityLayout) throws -> [StoredValueProblem]
}

extension NSPersistentStoreCoordinator {
    /// The values of an entity and its subentities that can't be read as the model says. Reading objects doesn't look
    /// for them, since that would cost time in each row.
    ///
    /// - Throws: what a store throws.
    package final func storedValueProblems(of entity: NSEntityDescription) throws -> [StoredValueProblem] {
        try stores(for: entity.entityLayout, among: nil).compactMap { $0 as? any StoredValueChecking }.flatMap {
            store in
            try access.share { try store.valueProblems(entity.entityLayout) }
        }
    }
}
