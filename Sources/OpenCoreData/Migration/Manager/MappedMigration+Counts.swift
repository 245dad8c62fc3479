// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Checks that the migration reads all objects of the old store, and, if it runs no code of the program, that all of
/// them are in the new store.
extension MappedMigration {
    /// Checks that each object of the old store has an entity whose objects the migration reads.
    func checkSource() throws {
        func count(_ entity: NSEntityDescription, includesSubentities: Bool) throws -> Int {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = includesSubentities
            return try source.context.count(for: request)
        }
        func own(_ entity: NSEntityDescription) throws -> Int {
            try entity.subentities.reduce(count(entity, includesSubentities: false)) { try $0 + own($1) }
        }
        for root in source.coordinator.managedObjectModel.entities
        where root.superentity == nil && !root.subentities.isEmpty {
            let unknown = try count(root, includesSubentities: true) - own(root)
            if unknown != 0 { throw MigrationErrors.unknownObjects(root.name ?? "", unknown) }
        }
    }

    /// Checks that a new store has an object for each one of the old store.
    func checkCounts() throws {
        for (name, expected) in expectedCounts.sortedBytewise(by: \.key) {
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.includesSubentities = false
            let actual = try destination.context.count(for: request)
            if actual != expected {
                throw MigrationErrors.missingObjects(of: name, expected: expected, actual: actual)
            }
        }
    }
}

extension MigrationErrors {
    /// `NSMigrationError` (134110) for rows whose entity the model doesn't have.
    static func unknownObjects(_ root: String, _ count: Int) -> NSError {
        CoreDataErrors.error(
            NSMigrationError, "The store can\u{2019}t be migrated.",
            reason: """
                The hierarchy of \(root) has \(Wording.count(count, "row")) whose entity is not one of the\
                 store\u{2019}s model.
                """,
            suggestion: "Correct the rows, or delete them: \u{201c}coredata store doctor\u{201d} lists them.",
            userInfo: ["entity": root])
    }

    /// `NSMigrationError` (134110) for a new store that lacks objects.
    static func missingObjects(of entity: String, expected: Int, actual: Int) -> NSError {
        CoreDataErrors.error(
            NSMigrationError, "The store can\u{2019}t be migrated.",
            reason: "\(Wording.count(expected, "object")) of \(entity) were made, and the new store has \(actual).",
            suggestion: "The old store is as before. Report this as a mistake.", userInfo: ["entity": entity])
    }
}
