import CoreDataServer
import CoreDataTestSupport
import TestSupport
import Testing

/// Objects as values.
@Suite("Snapshots of objects")
struct SnapshotTests {
    static let everyAttribute = [
        "title", "isDone", "effort", "weight", "ratio", "cost", "due", "image", "key", "link", "big", "place",
    ]

    private func entity(_ stack: TestStack, _ name: String = "Task") throws -> NSEntityDescription {
        try requireValue(stack.model.entitiesByName[name])
    }

    private func fullTask(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        let task = context.make("Task")
        let values: [String: Any] = [
            "title": "Größe <1>", "isDone": true, "effort": -3, "weight": 0.1, "ratio": Float(1.5),
            "cost": NSDecimalNumber(string: "12345678901234567890.123"),
            "due": Date(timeIntervalSinceReferenceDate: 700_000_000.25), "image": Data([0, 255, 1]),
            "key": try requireValue(UUID(uuidString: "8C3D0A5E-2F4B-4E53-9E0B-0A2B6F0C1D2E")),
            "link": try requireValue(URL(string: "https://example.org/a?b=c")), "big": Int64.max,
            "place": ["city": "Rome", "height": 20],
        ]
        for (key, value) in values { task.setValue(value, forKey: key) }
        return task
    }

    @Test("A snapshot has the values of all types in forms that JSON has", arguments: [StoreKind.sqlite, .memory])
    func values(kind: StoreKind) throws {
        try withStack(kind, model: TeamModel.make()) { stack in
            let task = try fullTask(stack.context)
            try stack.context.save()
            let shown = try SnapshotProperties(Self.everyAttribute, of: entity(stack), versionKey: "version")
            let snapshot = try shown.snapshot(of: task)
            let expected: [String: SnapshotValue] = [
                "objectID": .string(task.objectID.uriRepresentation().absoluteString), "version": .integer(1),
                "title": .string("Größe <1>"), "isDone": .bool(true), "effort": .integer(-3), "weight": .number(0.1),
                "ratio": .number(1.5), "cost": .string("12345678901234567890.123"),
                "due": .string("2023-03-08T20:26:40.25Z"), "image": .string("AP8B"),
                "key": .string("8C3D0A5E-2F4B-4E53-9E0B-0A2B6F0C1D2E"), "link": .string("https://example.org/a?b=c"),
                "big": .integer(Int64.max), "place": .object(["city": .string("Rome"), "height": .integer(20)]),
            ]
            expectEqual(snapshot.values, expected)
            try expectEqual(ManagedObjectSnapshot(json: snapshot.json()), snapshot)
        }
    }

    @Test("Values without a value are null")
    func nulls() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let task = stack.context.make("Task", nil, ["title": "t", "weight": Double.infinity])
            try stack.context.save()
            let shown = try SnapshotProperties(Self.everyAttribute + ["assignee", "steps"], of: entity(stack))
            let values = try shown.snapshot(of: task).values
            for key in Self.everyAttribute + ["assignee"] where key != "title" && key != "isDone" {
                expectEqual(values[key], .null, "\(key)")
            }
            expectEqual(values["steps"], .array([]))
        }
    }

    @Test("What a snapshot of one object has, another object gets", arguments: [StoreKind.sqlite, .memory])
    func roundTrip(kind: StoreKind) throws {
        try withStack(kind, model: TeamModel.make()) { stack in
            let task = try fullTask(stack.context)
            try stack.context.save()
            let properties = try SnapshotProperties(Self.everyAttribute, of: entity(stack))
            var snapshot = try ManagedObjectSnapshot(json: properties.snapshot(of: task).json())
            snapshot["objectID"] = nil
            let copy = try properties.insert(snapshot, into: stack.context)
            try stack.context.save()
            for key in Self.everyAttribute where key != "place" {
                #expect(copy.value(forKey: key) as? NSObject == task.value(forKey: key) as? NSObject, "\(key)")
            }
            var again = try properties.snapshot(of: copy)
            again["objectID"] = nil
            expectEqual(again, snapshot)
        }
    }

    @Test("Dates keep microseconds, and dates with a time zone are read")
    func dates() throws {
        try withStack(.memory, model: TeamModel.make()) { stack in
            let due = try SnapshotProperties(["due"], of: entity(stack))
            let task = stack.context.make("Task", nil, ["title": "t"])
            try stack.context.save()
            for (given, read) in [
                ("2026-11-26T15:04:05Z", "2026-11-26T15:04:05Z"), ("2026-11-26", "2026-11-26T00:00:00Z"),
                ("2026-11-26T16:04:05+01:00", "2026-11-26T15:04:05Z"),
                ("2026-11-26T15:04:05.123456Z", "2026-11-26T15:04:05.123456Z"),
                ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z"),
                ("2026-11-26T15:04:05.120-05:30", "2026-11-26T20:34:05.12Z"),
            ] {
                try due.apply(ManagedObjectSnapshot(["due": .string(given)]), to: task)
                try expectEqual(due.snapshot(of: task)["due"], .string(read))
            }
            for given in ["2026-02-30T15:04:05Z", "2026-11-26T25:04:05.5Z", "2026-13-01T00:00:00+01:00"] {
                #expect(throws: SnapshotError.self) {
                    try due.apply(ManagedObjectSnapshot(["due": .string(given)]), to: task)
                }
            }
        }
    }

    @Test("Key paths say how deep a snapshot goes")
    func depth() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let context = stack.context
            let team = context.make("Team", "blue")
            let ada = context.make("Member", "Ada", ["email": "ada@example.org"])
            let task = context.make("Task", nil, ["title": "t", "team": team, "assignee": ada])
            let steps = ["c", "a", "b"].map { context.make("Step", $0) }
            task.setValue(NSOrderedSet(array: steps), forKey: "steps")
            try context.save()
            task.setValue(NSSet(array: ["x", "y"].map { context.make("Tag", $0) }), forKey: "tags")
            try context.save()
            let shown = try SnapshotProperties(
                ["team.name", "assignee", "steps.name", "tags", "assignee.assigned.title"], of: entity(stack),
                identifiers: ["Person": "email"])
            let values = try shown.snapshot(of: task).values
            let uri = { (object: NSManagedObject) in
                SnapshotValue.string(object.objectID.uriRepresentation().absoluteString)
            }
            expectEqual(values["team"], .object(["objectID": uri(team), "name": .string("blue")]))
            expectEqual(
                values["assignee"],
                .object([
                    "email": .string("ada@example.org"),
                    "assigned": .array([.object(["objectID": uri(task), "title": .string("t")])]),
                ]))
            expectEqual(
                values["steps"],
                .array(steps.map { .object(["objectID": uri($0), "name": .string($0.text("name") ?? "")]) }))
            let tags = task.objects("tags").sorted { uriText($0) < uriText($1) }
            expectEqual(values["tags"], .array(tags.map(uri)))
            expectEqual(
                shown.relationshipKeyPaths, ["assignee", "assignee.assigned", "steps", "tags", "team"])
        }
    }

    private func uriText(_ object: NSManagedObject) -> String { object.objectID.uriRepresentation().absoluteString }

    @Test("The number of statements doesn't grow with the objects of a fetch that prefetches")
    func prefetching() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let team = stack.context.make("Team", "a")
            for number in 0..<30 {
                let task = stack.context.make("Task", nil, ["title": "\(number)", "team": team])
                task.setValue(stack.context.make("Member", "m", ["email": "\(number)@example.org"]), forKey: "assignee")
            }
            try stack.context.save()
            let shown = try SnapshotProperties(["title", "assignee.name", "team.name", "tags"], of: entity(stack))
            try inFreshContext(stack) { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
                request.relationshipKeyPathsForPrefetching = shown.relationshipKeyPaths
                let tasks = try context.fetch(request)
                let statements = try StatementCount.during(context) {
                    for task in tasks { _ = try shown.snapshot(of: task) }
                }
                expectEqual(statements, 0)
            }
        }
    }

    @Test("Properties that an entity doesn't have, or that JSON can't express, can't be chosen")
    func wrongChoices() throws {
        let model = TeamModel.make()
        let entity = try requireValue(model.entitiesByName["Task"])
        for (keyPath, part) in [
            ("titel", "title"), ("title.length", "title"), ("assignee.nme", "nme"), ("extra", "extra"),
            ("", "no attribute"),
        ] {
            let error = #expect(throws: NSError.self) { _ = try SnapshotProperties([keyPath], of: entity) }
            expectEqual(error?.code, NSCoreDataError)
            expectEqual(error?.localizedDescription.contains(part), true, "\(keyPath)")
        }
        #expect(throws: NSError.self) {
            _ = try SnapshotProperties(["assignee"], of: entity, identifiers: ["Member": "mail"])
        }
    }

    @Test("The key of the version can't be that of a chosen property", arguments: ["title", "assignee", "objectID"])
    func wrongVersionKey(key: String) throws {
        let model = TeamModel.make()
        let entity = try requireValue(model.entitiesByName["Task"])
        let error = #expect(throws: NSError.self) {
            _ = try SnapshotProperties(["title", "assignee.name"], of: entity, versionKey: key)
        }
        expectEqual(error?.code, NSCoreDataError)
        expectEqual(error?.localizedDescription.contains(key), true)
    }

    @Test("A new object has no URI yet")
    func temporaryID() throws {
        try withStack(.memory, model: TeamModel.make()) { stack in
            let task = stack.context.make("Task", nil, ["title": "t"])
            let shown = try SnapshotProperties(["title"], of: entity(stack))
            let error = #expect(throws: NSError.self) { _ = try shown.snapshot(of: task) }
            expectEqual(error?.code, NSCoreDataError)
        }
    }

    @Test("The saved version follows the saves")
    func version() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let team = stack.context.make("Team", "a")
            expectEqual(team.savedVersion, nil)
            for version in 1...3 {
                team.setValue("\(version)", forKey: "name")
                try stack.context.save()
                expectEqual(team.savedVersion, version)
            }
        }
    }
}
