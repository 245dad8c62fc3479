// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension ModelArchiver {
    /// Adds a fetch request.
    func add(_ description: FetchDescription, owner: String) throws -> PropertyListValue {
        let archiver = PredicateArchiver(writer: writer, owner: owner)
        let entity =
            description.entity.flatMap { $0.owningModel === model ? $0 : nil }
            ?? description.entityName.flatMap(model.entity(named:))
        var entries: [Entry] = [
            ("NSEntity", reference(to: entity)),
            ("NSPredicate", try archiver.add(description.predicate)),
            ("NSHavingPredicate", try archiver.add(description.havingPredicate)),
            (
                "NSSortDescriptors",
                try list(description.sortDescriptors) { try ArchivedSortDescriptor.add($0, to: writer, owner: owner) }
            ),
            ("NSFetchLimit", .integer(Int64(description.fetchLimit))),
            ("NSFetchOffset", .integer(Int64(description.fetchOffset))),
            ("NSBatchSize", .integer(Int64(description.fetchBatchSize))),
            ("NSResultType", .integer(Int64(bitPattern: UInt64(description.resultType.rawValue)))),
            ("NSValuesToFetch", try list(description.propertiesToFetch) { try addColumn($0, owner: owner) }),
            ("NSValuesToGroupBy", try list(description.propertiesToGroupBy) { try addColumn($0, owner: owner) }),
            (
                "NSRelationshipKeyPathsForPrefetching",
                list(description.relationshipKeyPathsForPrefetching) { writer.add(string: $0) }
            ),
            ("NSHasFetchRequestFlags", .boolean(true)),
            ("NSFetchRequestFlags", .integer(Int64(ArchivedFetchFlags.bits(of: description)))),
            ("NSAllocationType", .integer(0)),
        ]
        if entity == nil, let name = description.entityName {
            entries.append(("NSEntityName", writer.add(string: name)))
        }
        return writer.add(class: KeyedArchiveClass("NSFetchRequest", "NSPersistentStoreRequest"), entries)
    }

    private func list<Element>(
        _ elements: [Element]?, _ add: (Element) throws -> PropertyListValue
    ) rethrows -> PropertyListValue {
        guard let elements else { return KeyedArchiveWriter.null }
        return writer.add(array: try elements.map(add), class: .array)
    }

    /// Adds a column: a name, an expression, or a property of the model.
    private func addColumn(_ column: Any, owner: String) throws -> PropertyListValue {
        switch column {
        case let name as String:
            return writer.add(string: name)
        case let expression as NSExpressionDescription:
            return try add(expression, owner: owner)
        case let property as NSPropertyDescription:
            guard let entity = property.owningEntity, entity.owningModel === model else {
                return writer.add(string: property.name)
            }
            return reference(to: property, of: entity)
        default:
            throw Self.invalid("\(owner) fetches a value that is neither a name nor a property")
        }
    }
}
