// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// Reports values that the store has lost, on standard error: values without their external file, and values of another
/// storage class than the attribute's. They are printed as nil or as another value.
struct LostValueReport {
    let store: ReadOnlyStore
    /// The number of reported values.
    private(set) var count = 0

    var summary: String {
        "warning: The store has lost \(Wording.count(count, "value")) of the output, see above."
    }

    /// The problems of an entity's objects by primary key.
    ///
    /// - Parameter keys: the primary keys of the objects to examine.
    func problems(
        of entity: NSEntityDescription, keys: [Int64]
    ) throws -> [Int64: [StoredValueProblem]] {
        Dictionary(grouping: try store.coordinator.storedValueProblems(of: entity, keys: keys), by: \.primaryKey)
    }

    mutating func add(_ problems: [StoredValueProblem]) {
        for problem in problems {
            StandardStreams.error(
                """
                warning: The value \(problem.entityName).\(problem.keyPath) of the object with Z_PK \
                \(problem.primaryKey) \(problem.finding).
                """)
        }
        count += problems.count
    }

    /// Reports the problems of the properties in key paths.
    ///
    /// - Parameters:
    ///   - keyPaths: valid key paths.
    ///   - entity: their entity.
    ///   - predicate: selects the objects of this entity. Of other entities, all objects are reported.
    mutating func add(keyPaths: [String], of entity: NSEntityDescription, selectedBy predicate: NSPredicate?) throws {
        var keys: [NSEntityDescription: Set<String>] = [:]
        for keyPath in keyPaths {
            var current: NSEntityDescription? = entity
            for key in keyPath.split(separator: ".").map(String.init) {
                guard let owner = current else { break }
                guard let property = owner.propertiesByName[key] else { continue }
                keys[owner, default: []].insert(key)
                current = (property as? NSRelationshipDescription)?.destinationEntity
            }
        }
        for (owner, keys) in keys.sorted(by: { ($0.key.name ?? "") < ($1.key.name ?? "") }) {
            var found = try store.coordinator.storedValueProblems(of: owner).filter {
                keys.contains($0.keyPath.split(separator: ".").first.map(String.init) ?? "")
            }
            if owner === entity, let predicate, !found.isEmpty {
                let selected = try self.keys(of: entity, selectedBy: predicate)
                found = found.filter { selected.contains($0.primaryKey) }
            }
            add(found)
        }
    }

    private func keys(of entity: NSEntityDescription, selectedBy predicate: NSPredicate) throws -> Set<Int64> {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.name ?? "")
        request.resultType = .managedObjectIDResultType
        request.predicate = predicate
        return try store.context.performSynchronously { Set(try store.context.fetch(request).map(\.key)) }
    }
}
