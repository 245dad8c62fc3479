// SPDX-License-Identifier: Apache-2.0

/// Which objects of the new store were made from which objects of the old one, by entity mapping.
///
/// An association takes 32 bytes for a saved object, and 24 bytes for an unsaved object. A mapping whose associations
/// were looked up also has an index.
struct MigrationAssociations {
    private var mappings: [String: AssociationList] = [:]

    subscript(mapping: String) -> AssociationList { mappings[mapping] ?? AssociationList() }

    mutating func add(_ source: NSManagedObject, _ destination: NSManagedObject, mapping name: String) {
        mappings[name, default: AssociationList()].append(source.reference, destination)
    }

    /// Releases the objects that were associated since the last call. They are saved, so their references no longer
    /// change.
    mutating func releaseSavedObjects() {
        for name in mappings.keys { mappings[name]?.releaseSavedObjects() }
    }

    /// The destinations that a save has written before ``releaseSavedObjects()`` was called.
    var savedByPolicies: [NSManagedObject] {
        mappings.values.flatMap { $0.unsaved.filter { !$0.flags.contains(.inserted) } }
    }

    /// The destinations of source objects; of all for nil.
    mutating func destinations(of sources: [NSManagedObject]?, mapping name: String, in stack: MigrationStack)
        -> [NSManagedObject]
    {
        guard mappings[name] != nil else { return [] }
        var result: [NSManagedObject] = []
        if let sources {
            for source in sources { append(destinationsOf: source.reference, mapping: name, in: stack, to: &result) }
        } else {
            let list = self[name]
            result = (0..<list.count).map { list.destination($0, in: stack) }
        }
        return result
    }

    /// The destinations of a source object.
    mutating func destinations(of source: ObjectReference, mapping name: String, in stack: MigrationStack)
        -> [NSManagedObject]
    {
        var result: [NSManagedObject] = []
        append(destinationsOf: source, mapping: name, in: stack, to: &result)
        return result
    }

    /// The destinations of source objects in all mappings, each once.
    mutating func destinations(ofAnyMapping sources: [NSManagedObject], in stack: MigrationStack) -> [NSManagedObject] {
        let names = mappings.keys.sorted()
        var result: [NSManagedObject] = []
        for source in sources {
            for name in names { append(destinationsOf: source.reference, mapping: name, in: stack, to: &result) }
        }
        if result.count < 2 { return result }
        var seen: Set<ObjectIdentifier> = []
        return result.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    private mutating func append(
        destinationsOf source: ObjectReference, mapping name: String, in stack: MigrationStack,
        to result: inout [NSManagedObject]
    ) {
        mappings[name]?.forEachPosition(ofSource: source) { list, position in
            result.append(list.destination(position, in: stack))
        }
    }

    /// The sources of destination objects; of all for nil.
    mutating func sources(of destinations: [NSManagedObject]?, mapping name: String) -> [ObjectReference] {
        guard let destinations else { return self[name].sources }
        var result: [ObjectReference] = []
        for destination in destinations {
            mappings[name]?.forEachPosition(ofDestination: destination) { list, position in
                result.append(list.sources[position])
            }
        }
        return result
    }
}

/// The associations of one entity mapping, in the order in which they were made.
struct AssociationList {
    private(set) var sources: [ObjectReference] = []
    /// The destinations of the first associations, which are saved.
    private var saved: [ObjectReference] = []
    /// The destinations of the other associations. They may get other references by a save.
    fileprivate var unsaved: ContiguousArray<NSManagedObject> = []
    private var sourceIndex = PositionIndex()
    private var savedIndex = PositionIndex()
    private var unsavedIndex = PositionIndex()

    var count: Int { sources.count }

    func destination(_ position: Int, in stack: MigrationStack) -> NSManagedObject {
        position < saved.count ? stack.object(saved[position]) : unsaved[position - saved.count]
    }

    mutating func append(_ source: ObjectReference, _ destination: NSManagedObject) {
        sources.append(source)
        unsaved.append(destination)
    }

    mutating func releaseSavedObjects() {
        guard !unsaved.isEmpty else { return }
        for object in unsaved { saved.append(object.reference) }
        unsaved = []
        unsavedIndex = PositionIndex()
    }

    /// Calls a block for each association of a source, in order.
    mutating func forEachPosition(ofSource source: ObjectReference, _ body: (AssociationList, Int) -> Void) {
        sourceIndex.complete(sources)
        for position in sourceIndex.positions(of: source, in: sources) { body(self, position) }
    }

    /// Calls a block for each association of a destination, in order.
    mutating func forEachPosition(ofDestination object: NSManagedObject, _ body: (AssociationList, Int) -> Void) {
        if !saved.isEmpty {
            savedIndex.complete(saved)
            for position in savedIndex.positions(of: object.reference, in: saved) { body(self, position) }
        }
        guard !unsaved.isEmpty else { return }
        let identities = unsaved.lazy.map { ObjectIdentifier($0) }
        unsavedIndex.complete(identities)
        for position in unsavedIndex.positions(of: ObjectIdentifier(object), in: identities) {
            body(self, saved.count + position)
        }
    }
}

/// The positions of keys in a list that grows at its end: a table of positions with open addressing. Only the list has
/// the keys. The table is built at the first look-up.
private struct PositionIndex {
    /// The last position of each key at its place in the table; -1 for a free place.
    private var table: [Int32] = []
    /// For each position the previous position with the same key; -1 for none.
    private var previous: [Int32] = []
    private var keyCount = 0

    /// Adds the keys at the end of a list that the index doesn't have yet.
    mutating func complete<Keys: RandomAccessCollection>(_ keys: Keys) where Keys.Element: Hashable, Keys.Index == Int {
        guard previous.count < keys.count else { return }
        for position in previous.count..<keys.count {
            if 3 * (keyCount + 1) > 2 * table.count { grow(keys, to: max(16, 2 * table.count, keys.count)) }
            let place = place(of: keys[position], in: keys)
            if table[place] < 0 { keyCount += 1 }
            previous.append(table[place])
            table[place] = Int32(position)
        }
    }

    /// The positions of a key, in order.
    func positions<Keys: RandomAccessCollection>(of key: Keys.Element, in keys: Keys) -> [Int]
    where Keys.Element: Hashable, Keys.Index == Int {
        guard !table.isEmpty else { return [] }
        let last = table[place(of: key, in: keys)]
        guard last >= 0 else { return [] }
        var result = [Int(last)]
        var position = previous[Int(last)]
        while position >= 0 {
            result.append(Int(position))
            position = previous[Int(position)]
        }
        if result.count > 1 { result.reverse() }
        return result
    }

    /// The place of a key in the table, or the free place where it belongs.
    private func place<Keys: RandomAccessCollection>(of key: Keys.Element, in keys: Keys) -> Int
    where Keys.Element: Hashable, Keys.Index == Int {
        let mask = table.count - 1
        var place = key.hashValue & mask
        while table[place] >= 0, keys[Int(table[place])] != key { place = (place + 1) & mask }
        return place
    }

    private mutating func grow<Keys: RandomAccessCollection>(_ keys: Keys, to count: Int)
    where Keys.Element: Hashable, Keys.Index == Int {
        var size = max(16, table.count)
        while size < count { size *= 2 }
        let old = table
        table = Array(repeating: -1, count: size)
        for position in old where position >= 0 { table[place(of: keys[Int(position)], in: keys)] = position }
    }
}
