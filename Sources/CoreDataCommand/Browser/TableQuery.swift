// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import CoreDataPredicates
import OpenCoreData

/// The query of a table: the objects of an entity, filtered and sorted by the values of the URL.
struct TableQuery {
    let entity: NSEntityDescription
    let reader: StoreReader
    /// The text of the predicate box.
    let predicateText: String?
    let predicate: NSPredicate?
    /// Only the members of this relationship of an object.
    let related: RelatedObjects?
    let order: PagedOrder

    init(_ name: String, _ query: FormValues, reader: StoreReader) throws {
        self.reader = reader
        entity = try reader.entity(named: name)
        predicateText = query["p"]?.trimmingCharacters(in: .whitespacesAndNewlines)
        predicate = try Self.predicate(predicateText, entity)
        do {
            related = try query["of"].map { try RelatedObjects($0, in: reader.store) }
            order = PagedOrder(try query["sort"].map(SortKey.parse) ?? [])
            for key in order.keys {
                try KeyPathCheck(entity: entity).checkSortKey(key.keyPath)
            }
        } catch let error as ValidationError {
            throw WebFault(400, error.message)
        } catch let error as CommandError {
            throw WebFault(400, error.localizedDescription)
        }
    }

    /// The predicate of a text, whose key paths have been checked.
    static func predicate(_ text: String?, _ entity: NSEntityDescription) throws -> NSPredicate? {
        guard let text, !text.isEmpty else { return nil }
        do {
            let predicate = try NSPredicate.parse(text, arguments: [])
            try KeyPathCheck(entity: entity).check(predicate)
            if text.contains("$"), let name = predicate.freeVariables.first {
                throw WebFault(400, "The variable $\(name) has no value.")
            }
            return try DateConstants(entity: entity).read(predicate)
        } catch let error as CommandError {
            throw WebFault(400, error.localizedDescription)
        } catch let error as PredicateFormatError {
            throw WebFault(400, "\(error)")
        }
    }

    private var request: NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        let all = [related?.predicate, predicate].compactMap { $0 }
        request.predicate = all.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: all) : all.first
        return request
    }

    func count() throws -> Int { try reader.context.count(for: request) }

    /// The objects after, or before, one of them, in the order of the table.
    ///
    /// - Parameters:
    ///   - id: the object next to the first one; nil for the first objects.
    ///   - isBackward: whether the objects before it are wanted.
    func objects(
        after id: NSManagedObjectID?, isBackward: Bool = false, limit: Int, prefetching: [String] = []
    ) throws -> [NSManagedObject] {
        let position = try id.map { id in
            guard let object = try reader.find(id, of: id.entity.name ?? "") else {
                throw WebFault(
                    404, "The object at which this page begins has been deleted. Begin with the first page.")
            }
            return order.position(of: object)
        }
        let request = request
        request.fetchLimit = limit
        request.relationshipKeyPathsForPrefetching = prefetching
        return try order.page(request, after: position, isBackward: isBackward, in: reader.context)
    }

    // MARK: Long sorts

    /// How many objects are sorted without an index before the page asks whether to.
    static let sortLimit = 300_000

    /// The sort key without an index by which the store would have to sort very many objects; nil if the order takes
    /// little time.
    func longSortKey(limit: Int = sortLimit) throws -> String? {
        guard let key = order.keys.first?.keyPath, !isIndexed(key) else { return nil }
        let request = request
        request.fetchLimit = limit + 1
        return try reader.context.count(for: request) > limit ? key : nil
    }

    /// Whether an index of the entity begins with the attribute.
    func isIndexed(_ key: String) -> Bool {
        sequence(first: entity, next: \.superentity).contains { entity in
            entity.convertedIndexes.contains { $0.elements.first?.propertyName == key }
                || entity.uniquenessConstraints.contains { constraint in
                    (constraint.first as? String ?? (constraint.first as? NSPropertyDescription)?.name) == key
                }
        }
    }

    func commandLine(_ store: BrowserStore, columns: String? = nil, limit: Int? = nil) -> FetchCommandLine {
        var keys = order.keys
        if !order.isAscendingByID { keys.append(SortKey(keyPath: "self", isAscending: false)) }
        let sort = keys.map { $0.isAscending ? $0.keyPath : "\($0.keyPath):desc" }.joined(separator: ",")
        let relation = related.map { "\(ObjectIDText($0.owner).short)/\($0.relationship.name)" }
        return FetchCommandLine(
            store: store, entity: entity.name ?? "", predicate: predicateText, sort: sort.isEmpty ? nil : sort,
            columns: columns, relatedTo: relation, limit: limit)
    }
}
