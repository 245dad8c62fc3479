/// The expected state of one object.
struct ReferenceRecord: Equatable {
    let entity: RandomSchema.Entity
    var values: [String: ReferenceValue]
    /// The destinations by relationship, in order; a to-one relationship has one at most.
    var links: [String: [Int]] = [:]
    var isDeleted = false

    init(_ entity: RandomSchema.Entity, number: Int) {
        self.entity = entity
        values = Dictionary(
            uniqueKeysWithValues: RandomSchema.attributes(of: entity).filter { !$0.isTransient }.map {
                ($0.name, $0.initial)
            })
        values["number"] = .integer(Int64(number))
    }

    func destinations(_ relationship: String) -> [Int] { links[relationship] ?? [] }

    /// The properties in which this differs from another state of the same object; order counts where the relationship
    /// has one.
    func changedKeys(from other: ReferenceRecord) -> Set<String> {
        var keys = Set(values.keys.filter { values[$0] != other.values[$0] })
        for relationship in RandomSchema.relationships(of: entity) {
            let (own, old) = (destinations(relationship.name), other.destinations(relationship.name))
            if relationship.isOrdered ? own != old : Set(own) != Set(old) { keys.insert(relationship.name) }
        }
        return keys
    }
}

/// A graph of objects, by number, and the rules that keep it consistent. Each change records the objects that it has
/// changed.
struct ReferenceGraph: Equatable {
    var records: [Int: ReferenceRecord] = [:]

    func isAlive(_ number: Int) -> Bool { records[number].map { !$0.isDeleted } ?? false }

    /// The numbers of the objects that are there, in order.
    var alive: [Int] { records.filter { !$0.value.isDeleted }.keys.sorted() }

    /// The graph without what is marked as deleted.
    var withoutDeleted: ReferenceGraph {
        var graph = self
        for (number, record) in records where record.isDeleted { graph.records[number] = nil }
        return graph
    }

    // MARK: Relationships

    /// Relates two objects on both sides. A to-one side removes its former destination.
    mutating func link(
        _ source: Int, _ relationship: RandomSchema.Relationship, _ destination: Int, at position: Int? = nil
    ) -> Set<Int> {
        // Said again, on one side or the other.
        if records[source]!.destinations(relationship.name).contains(destination) { return [source, destination] }
        var touched: Set<Int> = [source]
        if !relationship.isToMany, let old = records[source]!.destinations(relationship.name).first {
            touched.formUnion(unlink(source, relationship, old))
        }
        if let inverse = relationship.inverse.map(RandomSchema.relationship) {
            touched.insert(destination)
            if !inverse.isToMany, let old = records[destination]!.destinations(inverse.name).first {
                touched.formUnion(unlink(old, relationship, destination))
            }
        }
        insert(destination, into: source, relationship.name, at: position)
        if let inverse = relationship.inverse { insert(source, into: destination, inverse, at: nil) }
        return touched
    }

    /// Removes a relation, on both sides.
    mutating func unlink(_ source: Int, _ relationship: RandomSchema.Relationship, _ destination: Int) -> Set<Int> {
        guard records[source]!.destinations(relationship.name).contains(destination) else { return [source] }
        records[source]!.links[relationship.name]!.removeAll { $0 == destination }
        guard let inverse = relationship.inverse else { return [source] }
        records[destination]?.links[inverse]?.removeAll { $0 == source }
        return [source, destination]
    }

    /// Replaces the members of a relationship, with their order.
    mutating func replace(_ source: Int, _ relationship: RandomSchema.Relationship, with wanted: [Int]) -> Set<Int> {
        var touched: Set<Int> = [source]
        for destination in records[source]!.destinations(relationship.name) where !wanted.contains(destination) {
            touched.formUnion(unlink(source, relationship, destination))
        }
        for destination in wanted { touched.formUnion(link(source, relationship, destination)) }
        arrange(source, relationship, wanted)
        return touched
    }

    /// Gives the content another order.
    mutating func arrange(_ source: Int, _ relationship: RandomSchema.Relationship, _ order: [Int]) {
        records[source]!.links[relationship.name] = order
    }

    private mutating func insert(_ number: Int, into owner: Int, _ relationship: String, at position: Int?) {
        var content = records[owner]!.destinations(relationship)
        // An object that is related to itself by a relationship that is its own inverse has itself once.
        guard !content.contains(number) else { return }
        content.insert(number, at: min(position ?? content.count, content.count))
        records[owner]!.links[relationship] = content
    }

    // MARK: Deletions

    /// Applies the deletion rules of deleted objects, and of those that the rules delete.
    mutating func propagateDeletions(of first: Set<Int>) -> Set<Int> {
        var touched = first
        var queue = first.sorted()
        var next = 0
        while next < queue.count {
            let number = queue[next]
            let record = records[number]!
            next += 1
            for relationship in RandomSchema.relationships(of: record.entity) {
                for destination in record.destinations(relationship.name) where isAlive(destination) {
                    switch relationship.rule {
                    case .cascade:
                        records[destination]!.isDeleted = true
                        touched.insert(destination)
                        queue.append(destination)
                    case .nullify:
                        guard let inverse = relationship.inverse else { continue }
                        records[destination]!.links[inverse]?.removeAll { $0 == number }
                        touched.insert(destination)
                    case .deny, .noAction:
                        continue
                    }
                }
            }
        }
        return touched
    }

    /// The references to deleted objects that no rule removes: the program removes them.
    ///
    /// - Parameter unsaved: objects that were never saved: the rule Deny doesn't apply to them.
    func danglingReferences(to doomed: Set<Int>, unsaved: Set<Int>) -> [(
        source: Int, relationship: RandomSchema.Relationship, destination: Int
    )] {
        var found: [(source: Int, relationship: RandomSchema.Relationship, destination: Int)] = []
        for (number, record) in records.sorted(by: { $0.key < $1.key })
        where !record.isDeleted && !doomed.contains(number) {
            for relationship in RandomSchema.relationships(of: record.entity) {
                let isDenied = relationship.inverse.map { RandomSchema.relationship($0).rule == .deny } ?? false
                guard relationship.isLeftToTheProgram || isDenied else { continue }
                for destination in record.destinations(relationship.name) where doomed.contains(destination) {
                    if isDenied && !unsaved.contains(destination) { continue }
                    found.append((number, relationship, destination))
                }
            }
        }
        return found
    }

    // MARK: Validation

    /// The codes of what is wrong with some objects: a required value that is missing (1570), a deletion that is denied
    /// (1600).
    func validationErrors(of numbers: Set<Int>) -> [Int] {
        numbers.sorted().flatMap { number -> [Int] in
            guard let record = records[number] else { return [] }
            if record.isDeleted {
                return RandomSchema.relationships(of: record.entity).filter { relationship in
                    relationship.rule == .deny && record.destinations(relationship.name).contains(where: isAlive)
                }.map { _ in 1600 }
            }
            return RandomSchema.attributes(of: record.entity).filter {
                !$0.isOptional && record.values[$0.name] == ReferenceValue.none
            }.map { _ in 1570 }
        }
    }
}
