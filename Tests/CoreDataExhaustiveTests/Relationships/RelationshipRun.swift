import CoreData
import Testing

/// How much a context knows of the objects before something is done to them.
enum StartingState: String, CaseIterable, Sendable {
    /// They are new.
    case new
    /// Their values and relationships were read.
    case read
    /// They were fetched, and their relationships weren't read.
    case fetched
    /// They are faults whose rows weren't read.
    case faults
}

/// All scenarios of one shape, played at once in one store, each with its own objects.
struct RelationshipRun {
    let shape: RelationshipShape
    let state: StartingState
    let stack: TestStack
    private let scenarios: [RelationshipScenario]
    private static let names = ["a", "b", "c", "w", "x", "y", "z"]

    init(_ shape: RelationshipShape, _ state: StartingState, _ stack: TestStack) {
        self.shape = shape
        self.state = state
        self.stack = stack
        scenarios = RelationshipScenario.all(shape)
    }

    /// Plays the scenarios and compares: the context before and after the save, and another context on the store.
    func play(processing: Bool) throws {
        let ids = try makeObjects()
        let context = state == .new ? stack.context : try stack.afresh()
        try context.performAndWait {
            let worlds = try scenarios.map { try objects($0, ids[$0.number], context) }
            for (scenario, objects) in zip(scenarios, worlds) {
                for step in scenario.steps {
                    step.apply(to: objects, shape)
                    if processing { context.processPendingChanges() }
                }
            }
            context.processPendingChanges()
            for (scenario, objects) in zip(scenarios, worlds) { compare(objects, scenario, "before the save") }
            try context.save()
            expectFalse(context.hasChanges)
            for (scenario, objects) in zip(scenarios, worlds) { compare(objects, scenario, "after the save") }
        }
        try inFreshContext(stack) { context in
            for scenario in scenarios { compare(try named(scenario, context), scenario, "in the store") }
        }
        if stack.kind == .sqlite { try compareRows() }
    }

    // MARK: Objects

    /// Makes the objects of all scenarios and their first links; saved unless they are to be new.
    private func makeObjects() throws -> [[String: NSManagedObjectID]] {
        let count = (scenarios.last?.number ?? 0) + 1
        var result: [[String: NSManagedObjectID]] = Array(repeating: [:], count: count)
        guard state != .new else { return result }
        let made = scenarios.map { make($0, stack.context) }
        try stack.context.save()
        for (scenario, objects) in zip(scenarios, made) { result[scenario.number] = objects.mapValues(\.objectID) }
        return result
    }

    private func make(_ scenario: RelationshipScenario, _ context: NSManagedObjectContext) -> [String: NSManagedObject]
    {
        var objects: [String: NSManagedObject] = [:]
        for name in Self.names {
            // Some are objects of subentities.
            let entity =
                (["a", "b", "c"].contains(name) ? "Left" : shape.rightEntity)
                + (["b", "y"].contains(name) ? "Child" : "")
            objects[name] = context.make(entity, "\(scenario.number)\(name)")
        }
        for step in RelationshipScenario.first(shape) { step.apply(to: objects, shape) }
        return objects
    }

    private func objects(
        _ scenario: RelationshipScenario, _ ids: [String: NSManagedObjectID], _ context: NSManagedObjectContext
    ) throws -> [String: NSManagedObject] {
        switch state {
        case .new: return make(scenario, context)
        case .faults:
            return try ids.mapValues { id in
                let uri = id.uriRepresentation()
                return context.object(
                    with: try requireValue(
                        context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)))
            }
        case .fetched: return try named(scenario, context)
        case .read:
            let objects = try named(scenario, context)
            for object in objects.values { for key in keys(object) { _ = names(object, key) } }
            return objects
        }
    }

    private func named(_ scenario: RelationshipScenario, _ context: NSManagedObjectContext) throws -> [String:
        NSManagedObject]
    {
        let wanted = Self.names.map { "\(scenario.number)\($0)" }
        let found = try (shape.isReflexive ? ["Left"] : ["Left", "Right"]).flatMap {
            try context.all($0, "name IN %@", [wanted])
        }
        return Dictionary(uniqueKeysWithValues: found.map { (plain($0), $0) })
    }

    private func plain(_ object: NSManagedObject) -> String { String(object.text("name")?.last ?? "?") }

    private func keys(_ object: NSManagedObject) -> [String] {
        ["rights", "lefts"].filter { object.entity.relationshipsByName[$0] != nil }
    }

    private func names(_ object: NSManagedObject, _ key: String) -> [String] {
        if let relationship = object.entity.relationshipsByName[key], !relationship.isToMany {
            return object.object(key).map { [plain($0)] } ?? []
        }
        return object.names(key).map { String($0.last ?? "?") }
    }

    // MARK: Comparing

    private func compare(_ objects: [String: NSManagedObject], _ scenario: RelationshipScenario, _ when: String) {
        for (name, object) in objects where !object.isDeleted && object.managedObjectContext != nil {
            for key in keys(object) {
                let side = key == "rights" ? shape.rights : shape.lefts
                let expected = (key == "rights" ? scenario.expected.rights : scenario.expected.lefts)[name] ?? []
                let found = names(object, key)
                // An object that joins an ordered relationship from its other side comes last; the order of several
                // such objects is not defined.
                let isKnownOrder = side == .ordered && key == "rights" && !shape.isOwnInverse
                #expect(
                    isKnownOrder ? found == expected : found.sorted() == expected.sorted(),
                    "\(name).\(key) \(when), \(shape), scenario \(scenario.number): \(scenario.steps)")
            }
        }
    }

    /// Compares the keys in the tables of the file.
    private func compareRows() throws {
        let file = try SQLiteFile(stack.url)
        let right = "Z\(shape.rightEntity.uppercased())"
        var queries: [String] = []
        if shape.rights == .one {
            queries.append("SELECT l.ZNAME AS l, r.ZNAME AS r FROM ZLEFT l JOIN \(right) r ON l.ZRIGHTS = r.Z_PK")
        }
        if shape.lefts == .one && !shape.isOwnInverse {
            queries.append("SELECT l.ZNAME AS l, r.ZNAME AS r FROM \(right) r JOIN ZLEFT l ON r.ZLEFTS = l.Z_PK")
        }
        if queries.isEmpty, shape.lefts != nil {
            let table = try requireValue(try file.tables().first { $0.wholeMatch(of: /Z_\d+[A-Z]+/) != nil })
            let columns = try file.columns(of: table).filter { !$0.contains("FOK") }
            let rights = try requireValue(columns.first { $0.hasSuffix("RIGHTS") })
            let lefts = try requireValue(columns.first { $0 != rights })
            queries.append(
                """
                SELECT l.ZNAME AS l, r.ZNAME AS r FROM \(table) j JOIN ZLEFT l ON j.\(lefts) = l.Z_PK JOIN \
                \(right) r ON j.\(rights) = r.Z_PK
                """
            )
            let dangling = try file.rows(
                """
                SELECT * FROM \(table) WHERE \(lefts) NOT IN (SELECT Z_PK FROM ZLEFT) OR \(rights) NOT IN (SELECT \
                Z_PK FROM \(right))
                """
            )
            expectEmpty(dangling, "\(shape)")
        }
        let expected = Set(
            scenarios.flatMap { scenario in scenario.expected.links.map { $0.map { "\(scenario.number)\($0)" } } })
        for query in queries {
            let found = Set(try file.rows(query).map { [$0["l"]?.text ?? "", $0["r"]?.text ?? ""] })
            expectEqual(found, expected, "\(shape): \(found.symmetricDifference(expected)) by \(query)")
        }
    }
}
