// SPDX-License-Identifier: Apache-2.0

/// A store that can compare its stored values with the model.
protocol StoredValueChecking: NSPersistentStore {
    /// The problems of all objects of an entity and its subentities, in no order.
    ///
    /// - Parameter keys: the primary keys of the objects to examine; nil for all.
    /// - Throws: the errors of reading the store.
    func valueProblems(_ layout: EntityLayout, keys: [Int64]?) throws -> [StoredValueProblem]
}

extension NSPersistentStoreCoordinator {
    /// The values of an entity and its subentities that can't be read as the model says. Fetches don't check for such
    /// values, because that would cost time in each row.
    ///
    /// - Parameter keys: the primary keys of the objects to examine; nil for all.
    /// - Throws: the errors of the stores.
    package final func storedValueProblems(
        of entity: NSEntityDescription, keys: [Int64]? = nil
    ) throws -> [StoredValueProblem] {
        try stores(for: entity.entityLayout, among: nil).compactMap { $0 as? any StoredValueChecking }.flatMap {
            store in
            try access.share { try store.valueProblems(entity.entityLayout, keys: keys) }
        }
    }
}
