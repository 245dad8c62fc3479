import CoreData

/// Comparing what is with what should be.
extension RandomRun {
    // MARK: Pending changes

    /// The lists of changes, exact but for objects that were worked on and are what they were.
    func comparePending(_ level: RandomLevel) throws {
        let context = level.context
        let reference = level.reference
        func numbers(_ objects: Set<NSManagedObject>) throws -> Set<Int> { Set(try objects.map(level.number)) }
        let inserted = try numbers(context.insertedObjects)
        let deleted = try numbers(context.deletedObjects)
        let updated = try numbers(context.updatedObjects)
        try equal(inserted, reference.inserted, "insertedObjects")
        try equal(deleted, reference.deleted, "deletedObjects")
        let least = reference.changed
        let most = reference.touched
        if !least.isSubset(of: updated) {
            throw TestFailure("updatedObjects lack \(least.subtracting(updated).sorted())")
        }
        if !updated.isSubset(of: most) {
            throw TestFailure("updatedObjects have \(updated.subtracting(most).sorted()) in addition")
        }
        if context.hasChanges != !(inserted.isEmpty && deleted.isEmpty && updated.isEmpty) {
            throw TestFailure("hasChanges is \(context.hasChanges)")
        }
    }

    private func equal(_ found: Set<Int>, _ expected: Set<Int>, _ what: String) throws {
        if found != expected {
            throw TestFailure(
                """
                \(what): has \(found.subtracting(expected).sorted()) in addition, and lacks \
                \(expected.subtracting(found).sorted())
                """
            )
        }
    }

    // MARK: The graph

    /// The objects of a context, all (even forms) or those worked on.
    func compare(_ level: RandomLevel, _ form: Int) throws {
        let reference = level.reference
        let numbers = form % 2 == 0 ? reference.present.alive : reference.involved.filter(reference.isAlive).sorted()
        for number in numbers {
            let object = try level.object(number)
            let record = reference.present.records[number]!
            // The changes that an object reports before its relationships are read, and after.
            if form % 4 < 2 { try compareState(object, number, record, level) }
            try compare(object, number, record, in: "the context")
            if let note = reference.notes[number],
                ReferenceValue(object.value(forKey: "note"), .stringAttributeType) != note
            {
                throw TestFailure("\(number).note is \(object.value(forKey: "note") ?? "nil") instead of \(note)")
            }
            if form % 4 >= 2 { try compareState(object, number, record, level) }
        }
    }

    /// Compares the changes that an object reports.
    private func compareState(_ object: NSManagedObject, _ number: Int, _ record: ReferenceRecord, _ level: RandomLevel)
        throws
    {
        let isInserted = level.reference.inserted.contains(number)
        guard object.isInserted == isInserted, !object.isDeleted, object.managedObjectContext === level.context else {
            throw TestFailure("\(number) is inserted: \(object.isInserted), deleted: \(object.isDeleted)")
        }
        // Within an event, cascades are not applied yet.
        guard !isInserted, let old = level.reference.base.records[number] else { return }
        let expected = record.changedKeys(from: old)
        let changes = object.changedValues()
        let found = Set(changes.keys).subtracting(["note"])
        guard found == expected else {
            throw TestFailure("\(number).changedValues() has \(found.sorted()) instead of \(expected.sorted())")
        }
        if object.hasPersistentChangedValues != !expected.isEmpty {
            throw TestFailure("\(number).hasPersistentChangedValues is \(object.hasPersistentChangedValues)")
        }
        let committed = object.committedValues(forKeys: old.values.keys.sorted())
        for (key, value) in old.values where ReferenceValue(committed[key], RandomSchema.attribute(key).type) != value {
            throw TestFailure("\(number).committedValues has \(key) = \(committed[key] ?? "nil") instead of \(value)")
        }
    }

    private func compare(_ object: NSManagedObject, _ number: Int, _ record: ReferenceRecord, in place: String) throws {
        guard object.entity.name == record.entity.rawValue else {
            throw TestFailure("\(place): \(number) is a \(object.entity.name ?? "?")")
        }
        for (key, expected) in record.values {
            let found = ReferenceValue(object.value(forKey: key), RandomSchema.attribute(key).type)
            if found != expected { throw TestFailure("\(place): \(number).\(key) is \(found) instead of \(expected)") }
        }
        func numbered(_ object: NSManagedObject) -> Int { Int(object.number("number") ?? -1) }
        for relationship in RandomSchema.relationships(of: record.entity) {
            let expected = record.destinations(relationship.name)
            let found: [Int]
            if !relationship.isToMany {
                found = object.object(relationship.name).map { [numbered($0)] } ?? []
            } else if relationship.isOrdered {
                found = object.ordered(relationship.name).map(numbered)
            } else {
                found = object.objects(relationship.name).map(numbered).sorted()
            }
            if found != (relationship.isToMany && !relationship.isOrdered ? expected.sorted() : expected) {
                throw TestFailure(
                    """
                    \(place): \(record.entity.rawValue) \(number).\(relationship.name) is \(found) instead of \
                    \(expected)
                    """
                )
            }
        }
    }

    // MARK: Fetches

    func compare(_ fetch: RandomFetch, in level: RandomLevel) throws {
        let reference = level.reference
        let request = NSFetchRequest<NSManagedObject>(entityName: fetch.entity.rawValue)
        var isAnswerable = true
        request.predicate = fetch.predicate { number in
            guard reference.isAlive(number), let object = try? level.object(number) else {
                isAnswerable = false
                return nil
            }
            return object
        }
        guard isAnswerable else { return }
        request.sortDescriptors = fetch.sortDescriptors
        request.fetchLimit = fetch.limit
        request.includesSubentities = fetch.includesSubentities
        request.includesPendingChanges = fetch.includesPendingChanges
        if fetch.outcome == .batches { request.fetchBatchSize = 3 }
        let expected = fetch.expected(in: fetch.includesPendingChanges ? reference.present : reference.base)
        let found: [Int]
        switch fetch.outcome {
        case .count:
            let count = try level.context.count(for: request)
            if count != expected.count {
                throw TestFailure("\(fetch) gives \(count) instead of \(expected.count): \(expected)")
            }
            return
        case .ids:
            let identified = NSFetchRequest<NSManagedObjectID>(entityName: fetch.entity.rawValue)
            identified.resultType = .managedObjectIDResultType
            (identified.predicate, identified.sortDescriptors, identified.fetchLimit) = (
                request.predicate, request.sortDescriptors, request.fetchLimit
            )
            (identified.includesSubentities, identified.includesPendingChanges) = (
                request.includesSubentities, request.includesPendingChanges
            )
            found = try level.context.fetch(identified).map { try level.number(level.context.object(with: $0)) }
        case .objects, .batches: found = try level.context.fetch(request).map(level.number)
        }
        if fetch.isSorted ? found != expected : found.sorted() != expected {
            throw TestFailure("\(fetch) gives \(found) instead of \(expected)")
        }
    }

    // MARK: The store

    /// Compares the contents of the store for another context, and its rows.
    func compareStore(isLast: Bool = false) throws {
        saves += 1
        if features.kind == .sqlite { try compareRows(isLast: isLast) }
        // Opening a file again is slow, and the rows have been checked.
        guard features.kind == .memory || saves % 3 == 0 || isLast else { return }
        try inFreshContext(stack) { context in
            let found = try context.all("Item")
            let numbers = Set(found.map { Int($0.number("number") ?? -1) })
            guard numbers == Set(stored.records.keys), found.count == numbers.count else {
                let expected = Set(stored.records.keys)
                throw TestFailure(
                    """
                    the store has \(found.count) objects, \(numbers.subtracting(expected).sorted()) in addition, \
                    and lacks \(expected.subtracting(numbers).sorted())
                    """
                )
            }
            for object in found {
                let number = Int(object.number("number") ?? -1)
                try compare(object, number, stored.records[number]!, in: "the store")
            }
        }
    }
}
