// SPDX-License-Identifier: Apache-2.0

/// Objects of one store with one relationship.
struct PrefetchOwners {
    let slot: PropertySlot
    let table: IdentityTable
    /// The entity that declares the relationship. Each subentity has its own slot for it.
    private let declaring: EntityLayout
    private(set) var objects: [NSManagedObject]

    static func groups(_ objects: [NSManagedObject], key: String) -> [PrefetchOwners] {
        if let group = singleGroup(objects, key: key) { return [group] }
        var groups: [PrefetchOwners] = []
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
                groups.append(PrefetchOwners(slot: slot, table: table, declaring: declaring, objects: []))
            }
            groups[index].objects.append(object)
            last = (object.layout, table, index)
        }
        return groups
    }

    /// The objects as one group, if all are of one entity and store; nil otherwise.
    private static func singleGroup(_ objects: [NSManagedObject], key: String) -> PrefetchOwners? {
        guard let first = objects.first, let table = first.table, let slot = first.layout.slot(named: key),
            slot.isRelationship,
            objects.allSatisfy({
                $0.layout === first.layout && $0.table === table && !$0.flags.contains(.detached)
            })
        else { return nil }
        return PrefetchOwners(slot: slot, table: table, declaring: first.layout.declaring(slot), objects: objects)
    }

    /// Reads the destinations, or the members, with their rows.
    ///
    /// - Throws: the errors of the store.
    func load(in context: NSManagedObjectContext) throws {
        if slot.kind == .toOne { try loadDestinations(context) } else { try loadContents(context) }
    }

    /// The destinations, or the members, after they were loaded. An object may occur several times.
    func loadedObjects(in context: NSManagedObjectContext) -> [NSManagedObject] {
        if slot.kind == .toOne { return objects.compactMap { $0.prefetchedDestination(slot, context) } }
        return objects.flatMap { $0.toManyContent(slot, loading: false).members }
    }

    // MARK: To-one

    private func loadDestinations(_ context: NSManagedObjectContext) throws {
        let waiting = objects.filter { $0.awaitsRow && $0.partialCells(containing: slot.cell) == nil }
        if let first = waiting.first {
            let layout =
                waiting.allSatisfy { $0.layout === first.layout } ? first.layout : first.layout.model[first.layout.root]
            try context.loadRows(of: waiting, layout: layout, table: table)
        }
        if context.hierarchy.parent == nil, let store = table.store, try loadNewDestinations(store, context) { return }
        var destinations: [NSManagedObject] = []
        var seen: Set<ObjectIdentifier> = []
        for object in objects {
            guard let destination = object.prefetchedDestination(slot, context), destination.awaitsRow,
                seen.insert(ObjectIdentifier(destination)).inserted
            else { continue }
            destinations.append(destination)
        }
        if let first = destinations.first, let destinationTable = first.table {
            try context.loadRows(
                of: destinations, layout: first.layout.model[slot.destination], table: destinationTable)
        }
    }

    /// Makes the destinations that are not registered, from their rows.
    ///
    /// - Returns: whether all owners have destinations with rows now.
    private func loadNewDestinations(_ store: StoreIdentity, _ context: NSManagedObjectContext) throws -> Bool {
        let destination = declaring.model[slot.destination]
        let destinationTable = context.registry.table(store: store, root: destination.root)
        // The positions of the owners whose destination has a key, and these keys.
        var positions: [Int] = []
        var references: [Int64] = []
        positions.reserveCapacity(objects.count)
        references.reserveCapacity(objects.count)
        objects.forEachUnretained { position, object in
            guard let key = object.unlinkedReference(slot), key > 0 else { return }
            positions.append(position)
            references.append(key)
        }
        let wanted = Self.unique(references)
        let keys = destinationTable.missing(wanted)
        guard !keys.isEmpty else { return false }
        let list = try context.requireCoordinator().read(try context.source(store)) {
            try $0.rows(layout: destination, keys: keys, properties: nil)
        }
        let new = context.objects(of: list, table: destinationTable)
        if new.areNew && keys.count == wanted.count && link(positions, references, to: new.objects) {
            return positions.count == objects.count && new.objects.count == wanted.count
        }
        for (position, object) in zip(positions, destinationTable.objects(references) ?? []) {
            if let object { objects[position].setLink(object, slot.link) }
        }
        withExtendedLifetime(new) {}
        return false
    }

    /// Links owners with destinations that were all made just now: the owners mostly have the order of the
    /// destinations, so that no table of keys must be made.
    ///
    /// - Parameters:
    ///   - positions: the positions of the owners.
    ///   - references: the keys of their destinations.
    /// - Returns: false if the destinations aren't in the order of their keys. No owner is linked then.
    private func link(_ positions: [Int], _ references: [Int64], to destinations: [NSManagedObject]) -> Bool {
        var keys: [Int64] = []
        keys.reserveCapacity(destinations.count)
        destinations.forEachUnretained { keys.append($1.primaryKey) }
        guard zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) else { return false }
        var index = 0
        let link = slot.link
        objects.withUnsafeBufferPointer { objects in
            destinations.withUnsafeBufferPointer { destinations in
                for (position, key) in zip(positions, references) {
                    if index < keys.count && keys[index] < key { index += 1 }
                    if index >= keys.count || keys[index] != key { index = Self.firstIndex(from: key, in: keys) }
                    // A destination without a row has no object.
                    guard index < keys.count, keys[index] == key else { continue }
                    objects.unretained(at: position)._withUnsafeGuaranteedRef {
                        $0.setLink(destinations[index], link)
                    }
                }
            }
        }
        return true
    }

    /// The index of the first of some ascending keys that isn't less than a key.
    private static func firstIndex(from key: Int64, in keys: [Int64]) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The keys in ascending order, each once.
    private static func unique(_ keys: [Int64]) -> [Int64] {
        if zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { return keys }
        var result: [Int64] = []
        for key in keys.sorted() where key != result.last { result.append(key) }
        return result
    }

    // MARK: To-many

    private func loadContents(_ context: NSManagedObjectContext) throws {
        let contents = objects.map { $0.toManyContent(slot, loading: false) }
        var waiting: [Int64: ToManyContent] = [:]
        let layers = try context.loadContentsFromAncestors(slot, of: objects)
        var isComplete = true
        for (object, content) in zip(objects, contents) {
            if content.isLoaded || object.primaryKey <= 0 {
                isComplete = false
            } else {
                waiting[object.primaryKey] = content
                content.wereReadWithoutRow = object.row == nil && context.hierarchy.parent == nil
            }
        }
        if !waiting.isEmpty, let first = objects.first, let identity = table.store {
            let coordinator = try context.requireCoordinator()
            let found = try coordinator.read(try context.source(identity)) {
                try $0.contents(of: slot, ownerLayout: first.layout, keys: waiting.keys.sorted())
            }
            let areNew = try load(found, into: waiting, layers, context)
            // All members have their rows.
            if isComplete && areNew { return }
        }
        // Members that were registered before may be faults.
        var seen: Set<ObjectIdentifier> = []
        var faults: [NSManagedObject] = []
        for content in contents {
            for member in content.members where member.awaitsRow {
                if seen.insert(ObjectIdentifier(member)).inserted { faults.append(member) }
            }
        }
        if let first = faults.first, let memberTable = first.table {
            try context.loadRows(
                of: faults.filter { $0.table === memberTable }, layout: first.layout.model[slot.destination],
                table: memberTable)
        }
    }

    /// Loads the contents of the owners.
    ///
    /// - Parameter layers: the changes of ancestors to the contents, by owner.
    /// - Returns: whether all members were made of the rows.
    private func load(
        _ found: StoreContents, into waiting: [Int64: ToManyContent], _ layers: [Int64: AncestorContents],
        _ context: NSManagedObjectContext
    ) throws -> Bool {
        guard let store = table.store else { return false }
        let destinations = context.registry.table(store: store, root: found.rows.layout.root)
        if layers.isEmpty, found.hasRowOfEachMember, context.areNew(found.rows, table: destinations) {
            loadNew(found, into: waiting, destinations, context)
            return true
        }
        // The context doesn't retain the objects. The array retains them until the contents do.
        let loaded = context.objects(of: found.rows, table: destinations)
        var rest = waiting
        var position = 0
        while position < found.members.count {
            let owner = found.members[position].owner
            let start = position
            while position < found.members.count, found.members[position].owner == owner { position += 1 }
            var members = found.members[start..<position].compactMap {
                context.member($0.member, in: destinations).flatMap { $0.flags.contains(.detached) ? nil : $0 }
            }
            if let layer = layers[owner] { members = context.members(layer, over: members) }
            rest.removeValue(forKey: owner)?.load(members)
        }
        for (owner, content) in rest { content.load(layers[owner].map { context.members($0, over: []) } ?? []) }
        withExtendedLifetime(loaded.objects) {}
        return false
    }

    /// Loads contents whose members are all new: there is one row for each member, and no member is registered.
    private func loadNew(
        _ found: StoreContents, into waiting: [Int64: ToManyContent], _ destinations: IdentityTable,
        _ context: NSManagedObjectContext
    ) {
        var owners: [Int64] = []
        var counts: [Int] = []
        for (owner, _) in found.members {
            if owners.last == owner {
                counts[counts.count - 1] += 1
            } else {
                owners.append(owner)
                counts.append(1)
            }
        }
        context.forEachGroup(of: found.rows, table: destinations, counts: counts) { position, members in
            waiting[owners[position]]?.load(members)
        }
        // The other owners have no members.
        if owners.count < waiting.count {
            for content in waiting.values where !content.isLoaded { content.load([]) }
        }
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
    final func prefetchedDestination(_ slot: PropertySlot, _ context: NSManagedObjectContext)
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

    /// The key of the destination in the store, if neither the destination is known nor the fault must be fired.
    fileprivate final func unlinkedReference(_ slot: PropertySlot) -> Int64? {
        guard link(slot.link) == nil else { return nil }
        let values = flags.contains(.fault) ? row?.cells ?? partialCells(containing: slot.cell) : cells
        guard let values, values.isPresent(slot.cell) else { return nil }
        return values.integer(slot.cell)
    }
}
