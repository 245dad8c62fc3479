// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// **Extension.** The execution of a fetch: the statements of the store, and the work in memory.
public struct FetchExplanation: Sendable, CustomStringConvertible {
    /// One statement of a SQLite store.
    public struct Statement: Sendable {
        /// The text. Values are bound, not part of it.
        public let sql: String
        /// The lines of SQLite's query plan: which tables are scanned, which indexes are used.
        public let plan: [String]
    }

    /// The predicate after the translation for Core Data; nil for none.
    public let predicate: String?
    /// The statements, in order; none for a store that isn't a SQLite store.
    public let statements: [Statement]
    /// The steps that are done in memory.
    public let inMemory: [String]

    /// The whole explanation as lines of text.
    public var description: String {
        let sql = statements.flatMap { ["SQL: \($0.sql)"] + $0.plan.map { "     \($0)" } }
        return ([predicate.map { "Predicate: \($0)" }].compactMap { $0 } + sql + inMemory.map { "In memory: \($0)" })
            .joined(separator: "\n")
    }
}

extension ModelContext {
    /// **Extension.** Explains a fetch, by executing it.
    ///
    /// - Parameter descriptor: the description of the fetch.
    /// - Returns: the statements with their query plans, and the work in memory.
    /// - Throws: as ``fetch(_:)``.
    public func explanation<T: PersistentModel>(of descriptor: FetchDescriptor<T>) throws -> FetchExplanation {
        let request = try ModelFetch(descriptor, in: self).request()
        var statements: [FetchExplanation.Statement] = []
        var memory: [String] = []
        let reader = ModelContext(container)
        for store in core.coordinator.persistentStores {
            request.affectedStores = [store]
            if let bridge = store as? DataStoreBridge {
                memory.append("The store \(bridge.dataStore.identifier) is the program's own: its answers are its own.")
            }
            let found = try store.collectingStatements { _ = try reader.objects(for: request) }
            statements += (found ?? []).map { FetchExplanation.Statement(sql: $0.sql, plan: $0.plan) }
        }
        if managed.hasChanges, descriptor.includePendingChanges {
            let (inserted, changed) = (managed.insertedObjects.count, managed.updatedObjects.count)
            memory.append(
                """
                \(inserted) inserted, \(changed) changed and \(managed.deletedObjects.count) deleted models are laid \
                over the result: the predicate is evaluated for them, and they are sorted in.
                """)
        }
        if core.coordinator.persistentStores.count > 1, !descriptor.sortBy.isEmpty {
            memory.append("The results of \(core.coordinator.persistentStores.count) stores are merged in order.")
        }
        return FetchExplanation(
            predicate: request.predicate.map { "\($0)" }, statements: statements, inMemory: memory)
    }
}
