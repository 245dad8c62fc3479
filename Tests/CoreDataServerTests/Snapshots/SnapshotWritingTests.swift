import CoreDataServer
import CoreDataTestSupport
import TestSupport
import Testing

/// Snapshots from clients, which may contain anything.
@Suite("Snapshots that are written into objects")
struct SnapshotWritingTests {
    private func properties(
        _ stack: TestStack, _ keyPaths: [String] = SnapshotTests.everyAttribute, _ entity: String = "Task",
        identifiers: [String: String] = [:], versionKey: String? = nil
    ) throws -> SnapshotProperties {
        try SnapshotProperties(
            keyPaths, of: requireValue(stack.model.entitiesByName[entity]), identifiers: identifiers,
            versionKey: versionKey)
    }

    private func savedTask(_ stack: TestStack, _ title: String = "before") throws -> NSManagedObject {
        let task = stack.context.make("Task", nil, ["title": title])
        try stack.context.save()
        return task
    }

    /// The problems of a text, as key path and kind.
    private func problems(
        _ json: String, _ properties: SnapshotProperties, _ object: NSManagedObject,
        mayRefer: (NSManagedObject) throws -> Bool = { _ in true }
    ) throws -> [String] {
        do {
            try properties.apply(ManagedObjectSnapshot(json: Data(json.utf8)), to: object, mayRefer: mayRefer)
            return []
        } catch let error as SnapshotError {
            return error.problems.map { "\($0.keyPath) \($0.kind.rawValue)" }
        }
    }

    private func uri(_ object: NSManagedObject) -> String { object.objectID.uriRepresentation().absoluteString }

    @Test("Broken JSON is refused", arguments: ["", "{", "[]", "null", "3", #"{"a":}"#, "\u{FEFF}x", #"{"a" 1}"#])
    func brokenJSON(text: String) throws {
        let error = #expect(throws: SnapshotError.self) { try ManagedObjectSnapshot(json: Data(text.utf8)) }
        expectEqual(error?.problems.map(\.kind), [.notJSON])
    }

    @Test("JSON of great depth is refused or read, and doesn't end the program")
    func deepJSON() throws {
        let text = #"{"a":"# + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000) + "}"
        #expect(throws: SnapshotError.self) { try ManagedObjectSnapshot(json: Data(text.utf8)) }
    }

    @Test("Keys that weren't chosen are refused, whether the entity has them or not")
    func unknownKeys() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let task = try savedTask(stack)
            let written = try properties(stack, ["title"])
            let json = #"{"title":"after","isDone":true,"owner":1,"objectID":"x-coredata://A/Task/p9"}"#
            try expectEqual(
                problems(json, written, task), ["isDone unknownKey", "objectID invalidValue", "owner unknownKey"])
            expectEqual(task.text("title"), "before")
            expectFalse(stack.context.hasChanges)
            try expectEqual(problems(#"{"title":"after","objectID":"\#(uri(task))"}"#, written, task), [])
            expectEqual(task.text("title"), "after")
        }
    }

    @Test("Values of other types are refused, and all problems are reported")
    func wrongTypes() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let task = try savedTask(stack)
            let written = try properties(stack)
            for (key, values) in [
                ("title", ["1", "true", "[]", "{}"]), ("isDone", ["1", "0", "\"true\"", "[true]"]),
                ("effort", ["1.5", "\"1\"", "true", "32768", "-32769", "1e300"]),
                ("weight", ["\"1\"", "true", "[]"]), ("ratio", ["1e300", "\"1\""]),
                (
                    "cost",
                    [
                        "1.5", "\"1,5\"", "\"12x\"", "\"\"", "\"NaN\"", "\"1e500\"",
                        "\"\(String(repeating: "9", count: 60))\"",
                    ]
                ),
                ("due", ["1", "\"yesterday\"", "\"2026-13-01T00:00:00Z\"", "\"2026-11-26T15:04:05\"", "\"\""]),
                ("image", ["\"%%\"", "1"]), ("key", ["\"8C3D0A5E\"", "1"]), ("link", ["1", "{}"]),
                ("big", ["9223372036854775808", "\"1\""]), ("place", ["\"Rome\"", "[]"]),
            ] {
                for value in values {
                    try expectEqual(
                        problems(#"{"\#(key)":\#(value)}"#, written, task), ["\(key) wrongType"], "\(key): \(value)")
                }
            }
            try expectEqual(
                problems(#"{"place":{"city":1,"height":2}}"#, written, task), ["place.city wrongType"])
            try expectEqual(problems(#"{"place":{"zip":1}}"#, written, task), ["place.zip unknownKey"])
            try expectEqual(
                problems(#"{"title":1,"effort":"x","isDone":null}"#, written, task),
                ["effort wrongType", "isDone invalidValue", "title wrongType"])
            expectFalse(stack.context.hasChanges)
        }
    }

    @Test("Rules of the model are checked, and the messages have no values")
    func rules() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let task = try savedTask(stack)
            let written = try properties(stack)
            let long = String(repeating: "secret", count: 10)
            try expectEqual(problems(#"{"title":"\#(long)"}"#, written, task), ["title invalidValue"])
            try expectEqual(problems(#"{"title":""}"#, written, task), ["title invalidValue"])
            try expectEqual(problems(#"{"title":null}"#, written, task), ["title invalidValue"])
            let error = #expect(throws: SnapshotError.self) {
                try written.apply(ManagedObjectSnapshot(["title": .string(long)]), to: task)
            }
            expectEqual(error?.description.contains("secret"), false)
        }
    }

    @Test("A text that the store can't have is a problem of the client, with its key")
    func unstorableText() throws {
        try withStack(.tables, model: TeamModel.make()) { stack in
            let task = try savedTask(stack)
            try properties(stack).apply(ManagedObjectSnapshot(["title": .string("a\u{0}b")]), to: task)
            // A PostgreSQL server has no texts with NUL.
            guard let error = thrownError({ try stack.context.save() }) else { return }
            expectEqual(SnapshotError(validation: error)?.problems.map(\.keyPath), ["title"])
        }
    }

    @Test("A missing value of a new object is found at the save, with its key")
    func missingValues() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            _ = try properties(stack).insert(ManagedObjectSnapshot(["effort": .integer(1)]), into: stack.context)
            let error = try requireValue(#expect(throws: NSError.self) { try stack.context.save() })
            let problems = try requireValue(SnapshotError(validation: error)).problems
            expectEqual(problems.map(\.keyPath), ["title"])
            expectEqual(SnapshotError(validation: CancellationError()), nil)
        }
    }

    @Test("A refused new object isn't inserted")
    func refusedInsertion() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let written = try properties(stack, ["title", "steps.name"])
            let snapshot = try ManagedObjectSnapshot(
                json: Data(#"{"title":"t","steps":[{"name":"a"},{"name":2}]}"#.utf8))
            let error = #expect(throws: SnapshotError.self) { try written.insert(snapshot, into: stack.context) }
            expectEqual(error?.problems.map(\.keyPath), ["steps[1].name"])
            expectFalse(stack.context.hasChanges)
        }
    }

    @Test("Related objects are named by IDs of their entity in a store of the coordinator only")
    func identities() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let task = try savedTask(stack)
            let ada = stack.context.make("Member", "Ada", ["email": "a"])
            let team = stack.context.make("Team", "t")
            let gone = stack.context.make("Member", "gone", ["email": "b"])
            try stack.context.save()
            let goneURI = uri(gone)
            stack.context.delete(gone)
            try stack.context.save()
            let other = try TestStack(.sqlite, model: TeamModel.make())
            let foreign = try other.context.performAndWait {
                let member = other.context.make("Member", "Eve", ["email": "c"])
                try other.context.save()
                return uri(member)
            }
            let written = try properties(stack, ["assignee", "tags"])
            for text in [
                foreign, uri(team), goneURI, "x-coredata://", "https://example.org/p1", "", "p1",
                uri(ada).replacingOccurrences(of: "/p", with: "/t"), uri(ada) + "9999",
            ] {
                try expectEqual(
                    problems(#"{"assignee":"\#(text)"}"#, written, task), ["assignee unknownObject"], "\(text)")
            }
            try expectEqual(problems(#"{"assignee":7}"#, written, task), ["assignee wrongType"])
            try expectEqual(problems(#"{"assignee":{"name":"x"}}"#, written, task), ["assignee wrongType"])
            try expectEqual(problems(#"{"tags":"x"}"#, written, task), ["tags wrongType"])
            try expectEqual(problems(#"{"tags":["x"]}"#, written, task), ["tags[0] unknownObject"])
            try expectEqual(
                problems(#"{"assignee":"\#(uri(ada))"}"#, written, task) { _ in false }, ["assignee unknownObject"])
            try expectEqual(problems(#"{"assignee":"\#(uri(ada))"}"#, written, task), [])
            #expect(task.object("assignee") === ada)
            try expectEqual(problems(#"{"assignee":null}"#, written, task), [])
            expectEqual(task.object("assignee"), nil)
        }
    }

    @Test("A unique attribute can name objects")
    func uniqueAttribute() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let task = try savedTask(stack)
            let ada = stack.context.make("Member", "Ada", ["email": "ada@example.org"])
            stack.context.make("Person", "none", ["email": "no@example.org"])
            try stack.context.save()
            let written = try properties(stack, ["assignee"], identifiers: ["Person": "email"])
            try expectEqual(problems(#"{"assignee":"ada@example.org"}"#, written, task), [])
            #expect(task.object("assignee") === ada)
            for text in [#""no@example.org""#, #""x' OR '1'='1""#, #""\#(uri(ada))""#] {
                try expectEqual(problems(#"{"assignee":\#(text)}"#, written, task), ["assignee unknownObject"])
            }
            try expectEqual(problems(#"{"assignee":1}"#, written, task), ["assignee wrongType"])
        }
    }

    @Test("Objects in place of IDs are written into, or made")
    func nested() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let task = try savedTask(stack)
            let steps = ["one", "two", "three"].map { stack.context.make("Step", $0) }
            task.setValue(NSOrderedSet(array: steps), forKey: "steps")
            try stack.context.save()
            let written = try properties(stack, ["steps.name", "assignee.name"])
            let json = """
                {"assignee":{"name":"Ada"},
                 "steps":[{"name":"new"},{"objectID":"\(uri(steps[2]))","name":"THREE"},"\(uri(steps[0]))"]}
                """
            try expectEqual(problems(json, written, task), [])
            try stack.context.save()
            expectEqual(task.names("steps"), ["new", "THREE", "one"])
            expectEqual(task.object("assignee")?.text("name"), "Ada")
            let ada = task.object("assignee")
            try expectEqual(problems(#"{"assignee":{"name":"Ada L."}}"#, written, task), [])
            #expect(task.object("assignee") === ada)
            expectEqual(ada?.text("name"), "Ada L.")
            try expectEqual(
                problems(#"{"assignee":{"name":"x"}}"#, written, task) { _ in false }, ["assignee unknownObject"])
            try expectEqual(
                problems(#"{"steps":["\#(uri(steps[0]))","\#(uri(steps[0]))"]}"#, written, task),
                ["steps[1] invalidValue"])
            try expectEqual(problems(#"{"assignee":{"email":"x"}}"#, written, task), ["assignee.email unknownKey"])
        }
    }

    @Test("More members than allowed are refused")
    func memberLimit() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let task = try savedTask(stack)
            let written = try SnapshotProperties(["steps.name"], of: task.entity, memberLimit: 2)
            let json = #"{"steps":[{"name":"a"},{"name":"b"},{"name":"c"}]}"#
            try expectEqual(problems(json, written, task), ["steps invalidValue"])
        }
    }

    @Test("Arrays and objects that are nested too deep are refused", arguments: ["[", #"{"a":"#])
    func deepNesting(opening: String) throws {
        func json(_ depth: Int) -> Data {
            let closing = opening == "[" ? "]" : "}"
            let value =
                String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
            return Data(#"{"a":\#(value)}"#.utf8)
        }
        _ = try ManagedObjectSnapshot(json: json(15))
        for depth in [16, 400] {
            let error = #expect(throws: SnapshotError.self) { try ManagedObjectSnapshot(json: json(depth)) }
            expectEqual(error?.problems.map(\.message), ["Arrays and objects are nested more than 16 deep."])
        }
    }

    @Test("A problem has the words of the model's rule, and says what is wrong with a number")
    func messages() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let task = try savedTask(stack)
            let written = try properties(stack, ["title", "effort", "cost"])
            for (json, message) in [
                (#"{"title":""}"#, "too short"), (#"{"effort":1.5}"#, "not whole"), (#"{"effort":1e30}"#, "not whole"),
                (#"{"cost":"1234567890123456789012345678901234567890.5"}"#, "decimal number"),
            ] {
                let error = #expect(throws: SnapshotError.self) {
                    try written.apply(ManagedObjectSnapshot(json: Data(json.utf8)), to: task)
                }
                expectEqual(error?.description.contains(message), true, "\(json)")
            }
            let digits = String(repeating: "9", count: 38)
            for cost in [digits, "1e5", "123456789012345678901234567890123456789"] {
                try expectEqual(problems(#"{"cost":"\#(cost)"}"#, written, task), [])
            }
        }
    }

    @Test("A new object has no version")
    func versionOfNewObject() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let written = try properties(stack, ["title"], versionKey: "version")
            let snapshot = ManagedObjectSnapshot(["title": .string("a"), "version": .integer(1)])
            let error = #expect(throws: SnapshotError.self) { _ = try written.insert(snapshot, into: stack.context) }
            expectEqual(error?.problems.map(\.kind), [.unknownKey])
            expectFalse(stack.context.hasChanges)
        }
    }

    @Test("A snapshot of an older version is refused")
    func versions() throws {
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let task = try savedTask(stack)
            let written = try properties(stack, ["title"], versionKey: "version")
            try expectEqual(problems(#"{"title":"a","version":1}"#, written, task), [])
            try stack.context.save()
            try expectEqual(problems(#"{"title":"b","version":1}"#, written, task), ["version outdated"])
            try expectEqual(problems(#"{"title":"b","version":"2"}"#, written, task), ["version wrongType"])
            try expectEqual(problems(#"{"title":"b","version":2}"#, written, task), [])
        }
    }

    @Test("Random JSON is refused or written, and a refused one changes nothing")
    func randomSnapshots() throws {
        var random = SeededGenerator(seed: TestRun.seed(for: "random snapshots"))
        try withStack(.sqlite, model: TeamModel.make()) { stack in
            let task = try savedTask(stack)
            let keyPaths = SnapshotTests.everyAttribute + ["assignee.name", "steps.name", "tags"]
            let written = try properties(stack, keyPaths, versionKey: "version")
            for _ in 0..<500 {
                let snapshot = RandomSnapshot.make(&random, keys: keyPaths + ["x", "objectID", "version"])
                let read = try ManagedObjectSnapshot(json: snapshot.json())
                do {
                    try written.apply(read, to: task)
                    stack.context.rollback()
                } catch is SnapshotError {
                    expectFalse(stack.context.hasChanges)
                }
            }
        }
    }
}
