/// The relationships that are read together with the results of a fetch: one statement for each step of a key path, for
/// any number of objects.
struct Prefetch {
    /// A relationship, and the relationships of its destinations.
    private struct Step {
        let key: String
        var next: [Step] = []
    }

    private var steps: [Step] = []

    /// A key path that isn't one of relationships is left out and logged: prefetching changes no result.
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
    /// - Throws: what the store throws.
    func run(on objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        try Self.run(steps, on: objects, in: context)
    }

    /// Reads the destinations of one relationship, where they aren't loaded. Objects without the relationship are
    /// skipped.
    ///
    /// - Throws: what the store throws.
    static func read(_ key: String, of objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        try run([Step(key: key)], on: objects, in: context)
    }

    private static func run(_ steps: [Step], on objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        for step in steps {
            var next: [NSManagedObject] = []
            for group in Owners.groups(objects, key: step.key) {
                next +=
                    group.slot.kind == .toOne ? try group.loadDestinations(context) : try group.loadContents(context)
            }
            guard !step.next.isEmpty else { continue }
            var seen: Set<ObjectIdentifier> = []
            try run(step.next, on: next.filter { seen.insert(ObjectIdentifier($0)).inserted }, in: context)
        }
    }
}

/// Objects of one store with one relationship.
private struct Owners {
    let slot: PropertySlot
    let table: IdentityTable
    /// The entity that declares the relationship. Its subentities have slots of their own for it.
    private let declaring: EntityLayout
    private(set) var objects: [NSManagedObject]

    static func groups(_ objects: [NSManagedObject], key: String) -> [Owners] {
        var groups: [Owners] = []
        // Objects come mostly in runs of one entity.
        var last: (layout: EntityLayout, table: IdentityTable, group: Int)?
        for object in objects {
            guard let table = object.table, !object.flags.contains(.detached) else { continue }
            if let last, last.layout === object.layout, last.table === table {
                groups[last.group].objects.append(object)
                continue
            }
            guard let slot = object.layout.slot(named: key), slot.isRelationship else { continue }
            let declaring = object.layout.declaring(slot)
            let index = groups.firstIndex { $0.declaring === declaring && $0.table === table } ?? groups.count
            if index == groups.count {
                groups.append(Owners(slot: slot, table: table, declaring: declaring, objects: []))
            }
            groups[index].objects.append(object)
            last = (object.layout, table, index)
        }
        return groups
    }

    /// The objects' destinations, with their rows.
    func loadDestinations(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let waiting = objects.filter { $0.awaitsRow && $0.partialCells(containing: slot.cell) == nil }
        if let first = waiting.first {
            let layout =
                waiting.allSatisfy { $0.layout === first.layout } ? first.layout : first.layout.model[first.layout.root]
            try context.loadRows(of: waiting, layout: layout, table: table)
        }
        var destinations: [NSManagedObject] = []
        var seen: Set<ObjectIdentifier> = []
        for object in objects {
            guard let destination = object.prefetchedDestination(slot, context),
                seen.insert(ObjectIdentifier(destination)).inserted
            else { continue }
            destinations.append(destination)
        }
        let faults = destinations.filter { $0.awaitsRow }
        if let first = faults.first, let destinationTable = first.table {
            try context.loadRows(of: faults, layout: first.layout.model[slot.destination], table: destinationTable)
        }
        return destinations
    }

    /// The members of the objects' relationships, with their rows.
    func loadContents(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let contents = objects.map { $0.toManyContent(slot, loading: false) }
        var waiting: [Int64: ToManyContent] = [:]
        let layers = try context.loadContentsFromAncestors(slot, of: objects)
        for (object, content) in zip(objects, contents) where !content.isLoaded && object.primaryKey > 0 {
            waiting[object.primaryKey] = content
        }
        if !waiting.isEmpty, let first = objects.first, let identity = table.store {
            let coordinator = try context.requireCoordinator()
            let found = try coordinator.contents(
                of: slot, ownerLayout: first.layout, keys: Array(waiting.keys), store: try context.source(identity))
            try load(found, into: waiting, layers, context)
        }
        let members = contents.flatMap(\.members)
        // Members that were registered before may be faults.
        var seen: Set<ObjectIdentifier> = []
        let faults = members.filter { $0.awaitsRow && seen.insert(ObjectIdentifier($0)).inserted }
        if let first = faults.first, let memberTable = first.table {
            try context.loadRows(
                of: faults.filter { $0.table === memberTable }, layout: first.layout.model[slot.destination],
                table: memberTable)
        }
        return members
    }

    /// Loads the contents of the owners.
    ///
    /// - Parameter layers: the changes of ancestors to the contents, by owner.
    private func load(
        _ found: StoreContents, into waiting: [Int64: ToManyContent], _ layers: [Int64: AncestorContents],
        _ context: NSManagedObjectContext
    ) throws {
        guard let store = table.store else { return }
        let destinations = context.table(store: store, root: found.rows.layout.root)
        // The context doesn't retain the objects: the array does, until the contents do.
        var retained: [NSManagedObject] = []
        retained.reserveCapacity(found.rows.count)
        context.forEachRow(found.rows.buffers, table: destinations) { row, buffer in
            retained.append(context.materialize(row, buffer: buffer, table: destinations, refreshing: false))
        }
        var rest = waiting
        var position = 0
        while position < found.members.count {
            let owner = found.members[position].owner
            var members: [NSManagedObject] = []
            while position < found.members.count, found.members[position].owner == owner {
                if let member = context.member(found.members[position].member, in: destinations),
                    !member.flags.contains(.detached)
                {
                    members.append(member)
                }
                position += 1
            }
            rest.removeValue(forKey: owner)?.load(layers[owner].map { context.members($0, over: members) } ?? members)
        }
        for (owner, content) in rest { content.load(layers[owner].map { context.members($0, over: []) } ?? []) }
        withExtendedLifetime(retained) {}
    }
}

extension EntityLayout {
    /// The entity that declares a property: this one, or a superentity.
    fileprivate func declaring(_ slot: PropertySlot) -> EntityLayout {
        var layout = self
        while let above = layout.superlayout, slot.index < above.properties.count { layout = above }
        return layout
    }
}

extension NSManagedObject {
    /// The destination of a to-one relationship, if it can be found without firing a fault.
    fileprivate final func prefetchedDestination(_ slot: PropertySlot, _ context: NSManagedObjectContext)
        -> NSManagedObject?
    {
        if !flags.contains(.fault) { return destination(slot) }
        if let known = link(slot.link) { return unsafeDowncast(known, to: NSManagedObject.self) }
        guard let values = row?.cells ?? partialCells(containing: slot.cell), values.isPresent(slot.cell) else {
            return nil
        }
        let object = context.object(
            ofLayout: values.referenceLayout(slot.cell), key: values.integer(slot.cell), near: self)
        setLink(object, slot.link)
        return object
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
        let list = try requireCoordinator().rows(
            layout: layout, keys: faults.map(\.primaryKey), properties: properties, of: try source(identity))
        forEachRow(list.buffers, table: table) { row, buffer in
            if let object = table[row.primaryKey], object.flags.contains(.fault) { object.attach(row, buffer: buffer) }
        }
        // A fault without a row leaves its batch: it is read by itself, and found missing then.
        for object in faults where object.awaitsRow && object.buffer?.slice != nil { object.buffer = nil }
        return list.buffers
    }
}
