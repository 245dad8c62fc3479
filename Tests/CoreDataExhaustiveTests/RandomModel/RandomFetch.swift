import CoreData

/// A fetch, and which objects of the reference it should find.
struct RandomFetch: CustomStringConvertible {
    enum Condition {
        case everything
        case equal(String, ReferenceValue)
        case less(String, ReferenceValue)
        /// An object is the destination of a to-one relationship, or a member of a to-many relationship.
        case related(String, Int)
        case counted(String, Int)
        case numbers([Int])
    }

    enum Outcome: CaseIterable { case objects, ids, count, batches }

    let entity: RandomSchema.Entity
    var includesSubentities = true
    var includesPendingChanges = true
    var conditions: [Condition] = []
    var isAnyEnough = false
    /// An attribute to sort by before the number; the order is looked at only if the fetch has one.
    var order: String?
    var isSorted = false
    var limit = 0
    var outcome = Outcome.objects

    /// The conditions with the objects that they name.
    func predicate(_ object: (Int) -> NSManagedObject?) -> NSPredicate? {
        let parts: [NSPredicate] = conditions.compactMap { condition in
            switch condition {
            case .everything: return NSPredicate(value: true)
            case .equal(let key, let value):
                return NSPredicate(
                    format: "%K == %@",
                    argumentArray: [key, value.object(RandomSchema.attribute(key).type) ?? NSNull()])
            case .less(let key, let value):
                return NSPredicate(
                    format: "%K < %@", argumentArray: [key, value.object(RandomSchema.attribute(key).type) ?? NSNull()])
            case .related(let key, let number):
                guard let destination = object(number) else { return nil }
                let isToMany = RandomSchema.relationship(key).isToMany
                return NSPredicate(format: isToMany ? "ANY %K == %@" : "%K == %@", argumentArray: [key, destination])
            case .counted(let key, let count):
                return NSPredicate(format: "%K.@count == %@", argumentArray: [key, NSNumber(value: count)])
            case .numbers(let numbers):
                return NSPredicate(format: "number IN %@", argumentArray: [numbers.map { NSNumber(value: $0) }])
            }
        }
        guard !parts.isEmpty else { return nil }
        return isAnyEnough
            ? NSCompoundPredicate(orPredicateWithSubpredicates: parts)
            : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    }

    var sortDescriptors: [NSSortDescriptor] {
        guard isSorted else { return [] }
        return (order.map { [NSSortDescriptor(key: $0, ascending: false)] } ?? []) + [
            NSSortDescriptor(key: "number", ascending: true)
        ]
    }

    /// The numbers that should be found, in order.
    func expected(in graph: ReferenceGraph) -> [Int] {
        let found = graph.alive.filter { number in
            let record = graph.records[number]!
            guard includesSubentities ? record.entity.isKind(of: entity) : record.entity == entity else { return false }
            if conditions.isEmpty { return true }
            return isAnyEnough ? conditions.contains { holds($0, record) } : conditions.allSatisfy { holds($0, record) }
        }
        guard isSorted else { return found }
        func rank(_ number: Int) -> Int64 {
            guard let order, case .integer(let value) = graph.records[number]!.values[order] else { return .min }
            return value
        }
        let sorted = found.sorted { (rank($0), -$0) > (rank($1), -$1) }
        return limit > 0 ? Array(sorted.prefix(limit)) : sorted
    }

    private func holds(_ condition: Condition, _ record: ReferenceRecord) -> Bool {
        switch condition {
        case .everything: return true
        case .equal(let key, let value): return record.values[key] == value
        case .less(let key, let value):
            switch (record.values[key], value) {
            case (.integer(let own), .integer(let other)): return own < other
            case (.real(let own), .real(let other)): return own < other
            default: return false
            }
        case .related(let key, let number): return record.destinations(key).contains(number)
        case .counted(let key, let count): return record.destinations(key).count == count
        case .numbers(let numbers):
            guard case .integer(let number) = record.values["number"] else { return false }
            return numbers.contains(Int(number))
        }
    }

    var description: String {
        """
        \(outcome) of \
        \(entity.rawValue)\(includesSubentities ? "" : " alone")\(includesPendingChanges ? "" : " as stored") \
        where \(conditions) \
        \(isAnyEnough ? "any" : "all")\(isSorted ? " sorted \(order ?? "")" : "")\(limit > 0 ? " limit \(limit)" : "")
        """
    }
}
