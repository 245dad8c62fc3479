/// Which objects of the new store were made from which objects of the old one, by entity mapping.
///
/// An association takes 32 bytes; a mapping whose associations were looked up has an index besides.
struct MigrationAssociations {
    /// The associations of one entity mapping, in the order in which they were made.
    struct Mapping {
        fileprivate var sources: [ObjectReference] = []
        fileprivate var destinations: [ObjectReference] = []
        /// The objects that were not saved when they were associated. Their references change with the next save.
        fileprivate var unsaved: [(index: Int, object: NSManagedObject)] = []
        fileprivate var bySource = ReferenceIndex()
        fileprivate var byDestination = ReferenceIndex()

        var count: Int { sources.count }

        func source(_ index: Int) -> ObjectReference { sources[index] }
        func destination(_ index: Int) -> ObjectReference { destinations[index] }
    }

    private var mappings: [String: Mapping] = [:]

    subscript(mapping: String) -> Mapping { mappings[mapping] ?? Mapping() }

    mutating func add(_ source: NSManagedObject, _ destination: NSManagedObject, mapping name: String) {
        let isUnsaved = destination.objectID.isTemporaryID
        let reference = destination.objectID.objectReference
        update(name) { mapping in
            if isUnsaved { mapping.unsaved.append((mapping.destinations.count, destination)) }
            mapping.sources.append(source.objectID.objectReference)
            mapping.destinations.append(reference)
        }
    }

    /// Replaces the references of objects that were saved since they were associated.
    mutating func didSave() {
        for name in mappings.keys {
            update(name) { mapping in
                for (index, object) in mapping.unsaved { mapping.destinations[index] = object.objectID.objectReference }
                if !mapping.unsaved.isEmpty { mapping.byDestination = ReferenceIndex() }
                mapping.unsaved = []
            }
        }
    }

    /// The destinations of source objects; of all for nil.
    mutating func destinations(of sources: [NSManagedObject]?, mapping name: String) -> [ObjectReference] {
        update(name) { mapping in
            guard let sources else { return mapping.destinations }
            mapping.bySource.complete(mapping.sources)
            return sources.flatMap { source in
                mapping.bySource.positions(of: source.objectID.objectReference, in: mapping.sources)
                    .map { mapping.destinations[$0] }
            }
        }
    }

    /// The destinations of source objects in all mappings, each once.
    mutating func destinations(ofAnyMapping sources: [NSManagedObject]) -> [ObjectReference] {
        let names = mappings.keys.sorted()
        var seen: Set<ObjectReference> = []
        return sources.flatMap { source in names.flatMap { destinations(of: [source], mapping: $0) } }
            .filter { seen.insert($0).inserted }
    }

    /// The sources of destination objects; of all for nil.
    mutating func sources(of destinations: [NSManagedObject]?, mapping name: String) -> [ObjectReference] {
        update(name) { mapping in
            guard let destinations else { return mapping.sources }
            mapping.byDestination.complete(mapping.destinations)
            return destinations.flatMap { destination in
                mapping.byDestination.positions(of: destination.objectID.objectReference, in: mapping.destinations)
                    .map { mapping.sources[$0] }
            }
        }
    }

    /// Changes a mapping in place.
    private mutating func update<Result>(_ name: String, _ body: (inout Mapping) -> Result) -> Result {
        body(&mappings[name, default: Mapping()])
    }
}

/// The positions of references in a list that grows at its end. It is built at the first look-up.
private struct ReferenceIndex {
    /// The last position of each reference.
    private var last: [ObjectReference: Int32] = [:]
    /// For each position, the one before it with the same reference; -1 for none.
    private var previous: [Int32] = []

    /// Adds the references at the end of a list that the index doesn't have yet.
    mutating func complete(_ list: [ObjectReference]) {
        guard previous.count < list.count else { return }
        last.reserveCapacity(list.count)
        for position in previous.count..<list.count {
            previous.append(last.updateValue(Int32(position), forKey: list[position]) ?? -1)
        }
    }

    /// The positions of a reference, the first at the beginning.
    func positions(of reference: ObjectReference, in list: [ObjectReference]) -> [Int] {
        var result: [Int] = []
        var position = last[reference] ?? -1
        while position >= 0 {
            result.append(Int(position))
            position = previous[Int(position)]
        }
        return result.reversed()
    }
}

extension NSManagedObjectID {
    /// The reference of the object, which is temporary until the object is saved.
    final var objectReference: ObjectReference { ObjectReference(key: key, layout: layout.number) }
}
