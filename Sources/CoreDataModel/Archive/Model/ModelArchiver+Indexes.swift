// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension ModelArchiver {
    /// The entries for the indexes of an entity. A compiled model with indexes has the keys of both forms; the other
    /// forms of archives always have them.
    func indexEntries(of entity: NSEntityDescription) throws -> [Entry] {
        let indexes: [NSFetchIndexDescription]
        let tuples: [[String]]
        switch form {
        case .storeCache: (indexes, tuples) = (entity.convertedIndexes, entity.cachedCompoundIndexes)
        case .compiled: (indexes, tuples) = (entity.compiledIndexes, entity.compiledCompoundIndexes)
        case .coded: (indexes, tuples) = (entity.indexes, entity.compoundIndexNames)
        }
        guard form != .compiled || !indexes.isEmpty || !tuples.isEmpty else { return [] }
        return [
            ("NSFetchIndexDescriptions", writer.add(array: try indexes.map { try add($0, of: entity) })),
            ("NSCompoundIndexes", addNameLists(tuples)),
        ]
    }

    private func add(_ index: NSFetchIndexDescription, of entity: NSEntityDescription) throws -> PropertyListValue {
        let owner = "the index \"\(index.name)\" of the entity \"\(entity.name ?? "")\""
        let reference = writer.reserve()
        let name = writer.add(string: index.name)
        let elements = try index.elements.map { try add($0, of: reference, owner: owner) }
        let predicate = try PredicateArchiver(writer: writer, owner: owner).add(index.partialIndexPredicate)
        writer.fill(
            reference, class: KeyedArchiveClass("NSFetchIndexDescription"),
            [
                ("NSIndexName", name),
                ("NSEntity", self.reference(to: entity)),
                ("NSIndexElements", writer.add(array: elements)),
                ("NSPartialIndexPredicate", predicate),
            ])
        return reference
    }

    private func add(
        _ element: NSFetchIndexElementDescription, of index: PropertyListValue, owner: String
    ) throws -> PropertyListValue {
        var entries: [Entry] = [
            ("NSPropertyName", writer.add(string: element.propertyName)),
            ("NSFetchIndexElementType", .integer(Int64(element.collationType.rawValue))),
            ("NSAscending", .boolean(element.isAscending)),
            ("NSFetchIndexDescription", index),
        ]
        if let expression = element.property as? NSExpressionDescription {
            entries.append(("NSIndexedProperty", try add(expression, owner: owner)))
        }
        return writer.add(class: KeyedArchiveClass("NSFetchIndexElementDescription"), entries)
    }
}
