/// Makes operations at random, mostly such that make sense as things are.
struct RandomOperations {
    var generator: SeededGenerator
    private var lastNumber = 0
    /// The operations that come first.
    private var waiting: [RandomOperation] = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
    private mutating func form() -> Int { random(60) }

    /// The next operation of a run.
    mutating func next(_ run: RandomRun) -> RandomOperation {
        if !waiting.isEmpty { return waiting.removeFirst() }
        let reference = run.top.reference
        switch random(100) {
        case 0..<60: return edit(reference)
        case 60..<72: return .endEvent(form: form())
        case 72..<75: return .compare(form: form())
        case 75..<79: return .fetch(fetch(reference, isChild: run.levels.count > 1))
        case 79..<86: return save(reference)
        case 86..<97: return special(run)
        case 97: return random(3) == 0 ? .rollback : .release
        case 98: return random(4) == 0 ? .reset : .refreshAll
        default: return random(2) == 0 ? .obtainIDs : .compare(form: 0)
        }
    }

    /// An operation of only some runs.
    private mutating func special(_ run: RandomRun) -> RandomOperation {
        let reference = run.top.reference
        var kinds: [Int] = [0]
        if run.features.hasUndo && run.levels.count == 1 { kinds += [1, 1, 1] }
        if run.features.hasChildren { kinds += [2] }
        if run.features.hasOtherContexts { kinds += [3] }
        switch kinds[random(kinds.count)] {
        case 1:
            // Some steps back, and some of them again.
            waiting = Array(repeating: .undo, count: random(4)) + Array(repeating: .redo, count: random(3))
            return random(3) == 0 ? .redo : .undo
        case 2:
            if run.levels.count > 1 && random(3) == 0 { return .closeChild }
            return run.levels.count < 4 ? .openChild : .save
        case 3 where run.levels.count == 1:
            if random(5) == 0 { return .automaticMerging(!run.isMergingAutomatically) }
            return otherContext(run)
        default:
            guard let number = reference.present.alive.randomElement(using: &generator) else { return .refreshAll }
            return .refresh(number, merging: random(3) == 0)
        }
    }

    /// A save, often after mending what it would refuse.
    private mutating func save(_ reference: ReferenceContext) -> RandomOperation {
        if random(4) == 0 { return .save }
        for number in reference.present.alive {
            for attribute in RandomSchema.attributes(of: reference.present.records[number]!.entity)
            where !attribute.isOptional {
                if reference.present.records[number]!.values[attribute.name] == ReferenceValue.none {
                    waiting.append(
                        .set(
                            number, attribute.name,
                            attribute.type == .stringAttributeType ? .text("mended") : .integer(1), form: form()))
                }
            }
        }
        let doomed = reference.doomed()
        for number in doomed.sorted() {
            for locked in reference.present.records[number]?.destinations("locks") ?? [] where !doomed.contains(locked)
            {
                waiting.append(.relate(locked, "lockedBy", nil, form: 0))
            }
        }
        waiting.append(.save)
        return waiting.removeFirst()
    }

    // MARK: Edits

    private mutating func edit(_ reference: ReferenceContext) -> RandomOperation {
        let alive = reference.present.alive
        let wanted = 24
        let kind = random(100)
        guard alive.count > 4, kind >= (alive.count < wanted ? 20 : 5) else { return insertion() }
        let number = alive[random(alive.count)]
        if kind >= (alive.count < wanted ? 95 : 90) { return .delete(number) }
        if kind < 45 { return value(number, reference) }
        return relation(number, reference)
    }

    private mutating func insertion() -> RandomOperation {
        lastNumber += 1
        return .insert(lastNumber, RandomSchema.Entity.concrete[random(4)], form: form())
    }

    private mutating func value(_ number: Int, _ reference: ReferenceContext) -> RandomOperation {
        let attributes = RandomSchema.attributes(of: reference.present.records[number]!.entity).filter {
            $0.name != "number"
        }
        let attribute = attributes[random(attributes.count)]
        return .set(number, attribute.name, .random(attribute, using: &generator), form: form())
    }

    private mutating func relation(_ number: Int, _ reference: ReferenceContext) -> RandomOperation {
        let record = reference.present.records[number]!
        let relationships = RandomSchema.relationships(of: record.entity)
        let relationship = relationships[random(relationships.count)]
        let key = relationship.name
        let possible = reference.present.alive.filter {
            reference.present.records[$0]!.entity.isKind(of: relationship.destination)
        }
        let members = record.destinations(key).filter(reference.isAlive)
        guard let other = possible.randomElement(using: &generator) else { return value(number, reference) }
        guard relationship.isToMany else { return .relate(number, key, random(4) == 0 ? nil : other, form: form()) }
        switch random(relationship.isOrdered ? 12 : 8) {
        case 0..<4: return .add(number, key, other, form: form())
        case 4..<6: return .remove(number, key, members.randomElement(using: &generator) ?? other, form: form())
        case 6..<8:
            return .replace(number, key, Array(possible.shuffled(using: &generator).prefix(random(4))), form: form())
        case 8..<10: return .place(number, key, other, at: random(5), form: form())
        default: return .move(number, key, from: random(5), to: random(5), form: random(3))
        }
    }

    // MARK: Others

    /// The operations of another context, and how the run's own context learns of them.
    private mutating func otherContext(_ run: RandomRun) -> RandomOperation {
        var other = ReferenceContext(base: run.stored)
        var operations: [RandomOperation] = []
        let own = run.top.reference
        for _ in 0..<(1 + random(8)) {
            // Half of the operations change an object that the own context has changed, too.
            let conflicting = own.changed.sorted().filter(other.isAlive)
            let operation =
                random(2) == 0 && !conflicting.isEmpty
                ? value(conflicting[random(conflicting.count)], other) : edit(other)
            guard other.isPossible(operation) else { continue }
            for step in other.prepared(operation) { other.apply(step) }
            operations.append(operation)
        }
        let conflictKinds = RandomOperation.ConflictKind.allCases
        return .otherContext(
            operations, random(2) == 0 ? .merged : conflictKinds[random(conflictKinds.count)], isForeign: random(3) == 0
        )
    }

    private mutating func fetch(_ reference: ReferenceContext, isChild: Bool) -> RandomFetch {
        var fetch = RandomFetch(entity: RandomSchema.Entity.allCases[random(5)])
        fetch.includesSubentities = random(5) > 0
        // Values that a child has from its parent aren't stored.
        fetch.includesPendingChanges = random(6) > 0 || isChild
        if fetch.entity == .item && !fetch.includesSubentities { fetch.includesSubentities = true }
        for _ in 0..<random(3) { if let condition = condition(fetch, reference) { fetch.conditions.append(condition) } }
        fetch.isAnyEnough = random(2) == 0
        fetch.isSorted = random(2) == 0
        if fetch.isSorted && random(2) == 0 && fetch.includesPendingChanges { fetch.order = "small" }
        if fetch.isSorted && random(3) == 0 { fetch.limit = 1 + random(6) }
        let outcomes = RandomFetch.Outcome.allCases
        // A batch that is read later reads what is stored; what is counted or sorted by stored values is not what is
        // here.
        fetch.outcome = fetch.limit > 0 ? .objects : outcomes[random(outcomes.count)]
        return fetch
    }

    private mutating func condition(_ fetch: RandomFetch, _ reference: ReferenceContext) -> RandomFetch.Condition? {
        // Objects that aren't in the store can't be looked for there.
        let known =
            fetch.includesPendingChanges
            ? reference.present.alive : reference.present.alive.filter { reference.base.records[$0] != nil }
        switch random(5) {
        case 0, 1:
            let attributes = RandomSchema.attributes(of: fetch.entity).filter {
                !$0.isTransient && $0.type != .binaryDataAttributeType
            }
            let attribute = attributes[random(attributes.count)]
            let value = ReferenceValue.random(attribute, using: &generator)
            switch value {
            case .integer, .real:
                return attribute.type != .booleanAttributeType && random(2) == 0
                    ? .less(attribute.name, value) : .equal(attribute.name, value)
            default: return .equal(attribute.name, value)
            }
        case 2:
            let relationships = RandomSchema.relationships(of: fetch.entity)
            guard let number = known.randomElement(using: &generator) else { return nil }
            return .related(relationships[random(relationships.count)].name, number)
        case 3:
            let relationships = RandomSchema.relationships(of: fetch.entity).filter(\.isToMany)
            return .counted(relationships[random(relationships.count)].name, random(3))
        default:
            return .numbers((0..<random(6)).compactMap { _ in known.randomElement(using: &generator) })
        }
    }
}
