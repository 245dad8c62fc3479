// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
import OpenCoreData

/// Reads the result of a fetch in pages, so that large stores need little memory and the first rows come at once.
///
/// Without an order, or in the order of the primary key, each page continues behind the last key. For another order the
/// IDs are read first, since the store must sort all objects anyway. XML and binary stores are in memory as a whole.
struct FetchPages {
    let store: ReadOnlyStore
    let entity: NSEntityDescription
    let predicate: NSPredicate?
    let sortKeys: [SortKey]
    let offset: Int
    let limit: Int?

    /// The size of a page. The first one is the largest that is read before anything is printed.
    static let pageSize = 1_000

    /// Whether pages follow each other by key: the lowest and the greatest key of a page then have no other object of
    /// the fetch between them.
    var isOrderedByKey: Bool { !store.isInMemory && (sortKeys.first.map { $0.keyPath == "self" } ?? true) }

    /// Reads the objects. A page is forgotten before the next one is read.
    func objects(_ body: ([NSManagedObject]) throws -> Void) throws {
        func request(_ condition: NSPredicate?) -> NSFetchRequest<NSManagedObject> {
            let request = self.request(condition, NSManagedObject.self)
            request.returnsObjectsAsFaults = false
            // A server is asked once for a page. A file answers at once, and the rows of the members needn't be read.
            if !store.url.isFileURL { request.relationshipKeyPathsForPrefetching = toMany }
            return request
        }
        if isOrderedByKey { return try pagesByKey({ request(nil) }, key: { $0.objectID.key }, body) }
        try pagesOfIDs { ids in
            let found = try store.context.fetch(request(NSPredicate(format: "SELF IN %@", argumentArray: [ids])))
            let objects = Dictionary(found.map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
            // An object that another process has deleted after the IDs were read is missing.
            try body(ids.compactMap { objects[$0] })
        }
    }

    /// Reads a row of values for each object.
    func rows(of columns: [FetchColumn], _ body: ([NSDictionary]) throws -> Void) throws {
        let key = FetchColumn.unusedName(among: columns)
        let identity = NSExpressionDescription()
        identity.name = key
        identity.expression = NSExpression.expressionForEvaluatedObject()
        identity.expressionResultType = .objectIDAttributeType
        func request() -> NSFetchRequest<NSDictionary> {
            let request = self.request(nil, NSDictionary.self)
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = columns.map(\.description) + [identity]
            return request
        }
        try pagesByKey(request, key: { ($0[key] as? NSManagedObjectID)?.key }, body)
    }

    // MARK: Pages

    private var toMany: [String] {
        entity.storedRelationships.filter(\.isToMany).map(\.name)
    }

    private func request<Result>(
        _ condition: NSPredicate?, _ type: Result.Type
    ) -> NSFetchRequest<Result> {
        let request = NSFetchRequest<Result>(entityName: entity.name ?? "")
        let conditions = [predicate, condition].compactMap { $0 }
        request.predicate =
            conditions.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: conditions) : conditions.first
        return request
    }

    /// - Parameters:
    ///   - makeRequest: makes the request for all rows.
    ///   - key: the primary key of a row.
    private func pagesByKey<Row>(
        _ makeRequest: () -> NSFetchRequest<Row>, key: (Row) -> Int64?, _ body: ([Row]) throws -> Void
    ) throws {
        let order = PagedOrder(sortKeys)
        var last: PagedOrder.Position?
        var rest = limit ?? .max
        while rest > 0 {
            let wanted = min(rest, Self.pageSize)
            let page = try store.context.performSynchronously {
                defer { store.context.reset() }
                let request = makeRequest()
                (request.fetchLimit, request.fetchOffset) = (wanted, last == nil ? offset : 0)
                let rows = try order.page(request, after: last, in: store.context)
                try body(rows)
                return (count: rows.count, lastKey: rows.last.flatMap(key))
            }
            guard page.count == wanted, let key = page.lastKey else { return }
            last = PagedOrder.Position(values: [], key: key)
            rest -= page.count
        }
    }

    private func pagesOfIDs(_ body: ([NSManagedObjectID]) throws -> Void) throws {
        let request = request(nil, NSManagedObjectID.self)
        request.resultType = .managedObjectIDResultType
        request.sortDescriptors = sortKeys.map(\.descriptor)
        (request.fetchLimit, request.fetchOffset) = (limit ?? 0, offset)
        let ids = try store.context.performSynchronously { try store.context.fetch(request) }
        // In memory a search for each page would take longer than all objects at once.
        let size = store.isInMemory ? max(ids.count, 1) : Self.pageSize
        for start in stride(from: 0, to: ids.count, by: size) {
            try store.context.performSynchronously {
                defer { store.context.reset() }
                try body(Array(ids[start..<min(start + size, ids.count)]))
            }
        }
    }
}

extension FetchColumn {
    /// A name that no column has.
    static func unusedName(among columns: [FetchColumn]) -> String {
        var name = "self"
        while columns.contains(where: { $0.name == name }) { name += "_" }
        return name
    }

    /// Functions whose value depends on all rows.
    private static let aggregates: Set<String> = [
        "count:", "sum:", "average:", "min:", "max:", "median:", "mode:", "stddev:",
    ]

    /// Whether the value of each object depends on this object alone.
    func isOfEachObject(of entity: NSEntityDescription) -> Bool { Self.isOfEachObject(expression, entity) }

    private static func isOfEachObject(_ expression: NSExpression, _ entity: NSEntityDescription) -> Bool {
        switch expression.expressionType {
        case .constantValue, .evaluatedObject: return true
        case .keyPath:
            var path = ""
            for key in expression.keyPath.split(separator: ".") {
                path += path.isEmpty ? String(key) : ".\(key)"
                guard !key.hasPrefix("@"), let property = try? KeyPathCheck(entity: entity).property(at: path) else {
                    return false
                }
                if (property as? NSRelationshipDescription)?.isToMany == true { return false }
            }
            return true
        case .function:
            return !aggregates.contains(expression.function)
                && (expression.arguments ?? []).allSatisfy { isOfEachObject($0, entity) }
        default: return false
        }
    }
}
