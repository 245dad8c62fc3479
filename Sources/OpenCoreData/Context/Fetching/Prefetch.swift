// SPDX-License-Identifier: Apache-2.0

/// The relationships that are read together with the results of a fetch: one statement for each step of a key path, for
/// any number of objects.
struct Prefetch {
    /// A relationship, and the relationships of its destinations.
    private struct Step {
        let key: String
        var next: [Step] = []
    }

    private var steps: [Step] = []

    /// A key path that doesn't consist of relationships is left out and logged: prefetching changes no result.
    init?(_ keyPaths: [String]?, layout: EntityLayout) {
        guard let keyPaths, !keyPaths.isEmpty else { return nil }
        for keyPath in keyPaths {
            let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            if let problem = Self.problem(keys, layout) {
                CoreDataLog.warning(
                    """
                    keypath \(keyPath) not found in entity \(layout.name): \(problem). It is not prefetched: \
                    relationshipKeyPathsForPrefetching takes names of relationships, joined by dots.
                    """)
                continue
            }
            Self.add(keys[...], to: &steps)
        }
        if steps.isEmpty { return nil }
    }

    private static func add(_ keys: ArraySlice<String>, to steps: inout [Step]) {
        guard let key = keys.first else { return }
        if let index = steps.firstIndex(where: { $0.key == key }) {
            add(keys.dropFirst(), to: &steps[index].next)
        } else {
            var step = Step(key: key)
            add(keys.dropFirst(), to: &step.next)
            steps.append(step)
        }
    }

    /// Why keys are no path of relationships; nil if they are.
    private static func problem(_ keys: [String], _ layout: EntityLayout) -> String? {
        var layout = layout
        for key in keys {
            // A relationship may be one of a subentity.
            let slots = (layout.number...(layout.number + layout.span)).compactMap { layout.model[$0].slot(named: key) }
            guard let slot = slots.first(where: \.isRelationship) else {
                return slots.isEmpty
                    ? "\(layout.name) has no property '\(key)'" : "\(layout.name).\(key) is no relationship"
            }
            layout = layout.model[slot.destination]
        }
        return nil
    }

    // MARK: Running

    /// Reads the destinations of the objects' relationships. Used on the context's queue.
    ///
    /// - Throws: the errors of the store.
    func run(on objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        try Self.run(steps, on: objects, in: context)
    }

    /// Reads the destinations of one relationship, where they aren't loaded. Objects without the relationship are
    /// skipped.
    ///
    /// - Throws: the errors of the store.
    static func read(_ key: String, of objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        try run([Step(key: key)], on: objects, in: context)
    }

    private static func run(_ steps: [Step], on objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        for step in steps {
            let groups = PrefetchOwners.groups(objects, key: step.key)
            for group in groups { try group.load(in: context) }
            guard !step.next.isEmpty else { continue }
            let next = groups.flatMap { $0.loadedObjects(in: context) }
            var seen: Set<ObjectIdentifier> = []
            try run(step.next, on: next.filter { seen.insert(ObjectIdentifier($0)).inserted }, in: context)
        }
    }
}

extension NSManagedObjectContext {
    /// Reads the rows of faults in one statement.
    ///
    /// - Parameters:
    ///   - faults: faults without rows.
    ///   - layout: the entity of the faults, or a superentity of all of them.
    ///   - table: the identity table of the faults.
    ///   - properties: the indexes of the properties to read; nil for all.
    /// - Returns: the buffers of the rows.
    @discardableResult
    final func loadRows(
        of faults: [NSManagedObject], layout: EntityLayout, table: IdentityTable, properties: Set<Int>? = nil
    ) throws -> [RowBuffer] {
        guard !faults.isEmpty, let identity = table.store else { return [] }
        let list = try requireCoordinator().read(try source(identity)) {
            try $0.rows(layout: layout, keys: faults.map(\.primaryKey), properties: properties)
        }
        // The rows mostly come in the order of the faults.
        var next = 0
        forEachRow(list.buffers, table: table) { row, buffer in
            let isNext = next < faults.count && faults[next].primaryKey == row.primaryKey
            guard let object = isNext ? faults[next] : table[row.primaryKey] else { return }
            if isNext { next += 1 }
            guard object.accepts(row) else { return }
            if object.flags.contains(.fault) { object.attach(row, buffer: buffer) }
        }
        // A fault without a row leaves its batch: it is read by itself, and found missing then.
        for object in faults where object.awaitsRow && object.buffer?.slice != nil { object.buffer = nil }
        return list.buffers
    }
}
