import CoreData
import Testing

@Suite("Writers with conflicts at random")
struct ConflictingGraphRandomTests {
    /// Three contexts. The last one has a separate coordinator, if another coordinator can read the store.
    @Test(
        "whatever a policy decides, each reference leads to an object whose inverse leads back",
        arguments: StoreKind.everyKind.without(.valuesReadByKey), Writers.policies.indices)
    func random(_ kind: StoreKind, _ policy: Int) throws {
        for seed in TestRun.seeds(for: "writers with conflicts", count: TestRun.quick(1, long: 200)) {
            do {
                try run(kind, policy, seed)
            } catch {
                Issue.record("COREDATA_SEED=\(seed), policy \(policy): \(error)")
            }
        }
    }

    @Test("in a store of the program's own, both sides of a many-to-many relationship agree after a conflict")
    func storesOfPrograms() {
        withKnownIssue(isIntermittent: true) {
            try run(.json, 3, 3_814_196_426_633_508_132)
            try run(.incremental, 3, 10_691_016_730_198_048_338)
        }
    }

    private func run(_ kind: StoreKind, _ policy: Int, _ seed: UInt64) throws {
        try withStack(kind) { stack in
            let isReadOnce = [kind].without(.fileReadOnce).isEmpty
            let others = [stack.newContext(), isReadOnce ? stack.newContext() : try stack.afresh()]
            try on(others[0]) {
                try on(others[1]) {
                    var run = Writers(stack, [stack.context] + others, Writers.policies[policy], seed)
                    try run.insertObjects()
                    for step in 0..<40 { try run.takeStep(step) }
                }
            }
        }
    }
}

/// Contexts that change what they have read some steps ago.
private struct Writers {
    static let policies: [NSMergePolicy] = [
        .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]
    static let entities = ["Author", "Reader", "Book", "Cover", "Chapter", "Publisher", "Tag", "Shelf"]
    /// The errors that a save may throw: conflicts, and rules of validation (the objects of a denied deletion).
    static let expectedErrors = [133020, 133021] + Array(1550...1680)

    let stack: TestStack
    let contexts: [NSManagedObjectContext]
    private var generator: SeededGenerator
    private var log: [String] = []
    private var count = 0

    init(_ stack: TestStack, _ contexts: [NSManagedObjectContext], _ policy: NSMergePolicy, _ seed: UInt64) {
        self.stack = stack
        self.contexts = contexts
        generator = SeededGenerator(seed: seed)
        for context in contexts { context.mergePolicy = policy }
    }

    mutating func insertObjects() throws {
        for entity in Self.entities { for _ in 0..<3 { make(entity, contexts[0]) } }
        try contexts[0].save()
        for context in contexts {
            let objects = try Self.entities.flatMap({ try context.all($0) })
            kept[ObjectIdentifier(context)] = objects
            for object in objects { read(object) }
        }
    }

    private var kept: [ObjectIdentifier: [NSManagedObject]] = [:]

    private func read(_ object: NSManagedObject) {
        for key in object.entity.relationshipsByName.keys { _ = (object.value(forKey: key) as? NSSet)?.count }
        _ = object.text("name")
    }

    @discardableResult
    private mutating func make(_ entity: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        count += 1
        return context.make(entity, "\(entity.first!)\(count)")
    }

    mutating func takeStep(_ step: Int) throws {
        let which = Int.random(in: 0..<contexts.count, using: &generator)
        let context = contexts[which]
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
            log.append("\(which) refreshes")
            context.refreshAllObjects()
            kept[ObjectIdentifier(context)] = try Self.entities.flatMap { try context.all($0) }
        case 1...4:
            log.append("\(which) saves")
            try save(context)
        default:
            change(context, which)
        }
        try checkInvariants(of: contexts[0], contexts[1], contexts[2])
    }

    private mutating func save(_ context: NSManagedObjectContext) throws {
        if let error = thrownError({ try context.save() }) {
            log.append("  fails: \(error.code)")
            guard Self.expectedErrors.contains(error.code) else { throw failure("\(error)") }
            context.rollback()
        }
        try inFreshContext(stack) { fresh in
            let defects = try GraphDefects.of(fresh, Self.entities)
            guard defects.isEmpty else { throw failure(defects.joined(separator: "\n")) }
        }
    }

    private func failure(_ text: String) -> TestFailure {
        TestFailure("\(text)\n\(log.suffix(60).joined(separator: "\n"))")
    }

    private mutating func change(_ context: NSManagedObjectContext, _ which: Int) {
        let objects = kept[ObjectIdentifier(context), default: []].filter {
            $0.managedObjectContext === context && !$0.isDeleted
        }
        guard let object = objects.randomElement(using: &generator) else { return }
        let name = object.text("name") ?? "?"
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1:
            log.append("\(which) deletes \(name)")
            context.delete(object)
        case 2:
            count += 1
            log.append("\(which) renames \(name) to \(name.first!)\(count)")
            object.setValue("\(name.first!)\(count)", forKey: "name")
        case 3:
            let new = make(object.entity.name!, context)
            log.append("\(which) inserts \(new.text("name")!)")
            kept[ObjectIdentifier(context), default: []].append(new)
        default:
            relate(object, objects, which)
        }
    }

    /// Sets a to-one relationship, or adds or removes a member. Relationships without inverse stay as they are: the
    /// rows that they lead to know nothing of them.
    private mutating func relate(_ object: NSManagedObject, _ objects: [NSManagedObject], _ which: Int) {
        let relationships = object.entity.relationshipsByName.filter { $0.value.inverseRelationship != nil }
        guard let key = relationships.keys.sorted().randomElement(using: &generator),
            let relationship = relationships[key],
            let destination = relationship.destinationEntity
        else { return }
        let candidates = objects.filter { $0.entity.isKindOf(entity: destination) && $0 !== object }
        let other = candidates.randomElement(using: &generator)
        let isRemoval = other == nil || Int.random(in: 0..<4, using: &generator) == 0
        log.append(
            "\(which) \(object.text("name") ?? "?").\(key) \(isRemoval ? "−" : "+") \(other?.text("name") ?? "?")")
        if !relationship.isToMany { return object.setValue(isRemoval ? nil : other, forKey: key) }
        guard let other else { return }
        if relationship.isOrdered {
            let members = object.mutableOrderedSetValue(forKey: key)
            if isRemoval { members.remove(other) } else { members.add(other) }
        } else {
            let members = object.mutableSetValue(forKey: key)
            if isRemoval { members.remove(other) } else { members.add(other) }
        }
    }
}
