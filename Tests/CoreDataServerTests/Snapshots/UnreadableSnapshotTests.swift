import CoreDataServer
import CoreDataTestSupport
import TestSupport
import Testing

/// Snapshots while the store can't be read.
@Suite("Snapshots of objects that can't be read")
struct UnreadableSnapshotTests {
    /// A store of a task with two steps and an assignee, whose tables can be withdrawn.
    private final class Store {
        let stack: TestStack
        /// A context that has read nothing, and whose row cache is empty.
        let context: NSManagedObjectContext
        let task: NSManagedObjectID
        private let file: SQLiteFile

        init() throws {
            let stack = try TestStack(.sqlite, model: TeamModel.make())
            task = try stack.context.performAndWait {
                let ada = stack.context.make("Member", "Ada", ["email": "ada@example.org"])
                let task = stack.context.make("Task", nil, ["title": "t", "assignee": ada])
                let steps = ["a", "b"].map { stack.context.make("Step", $0) }
                task.setValue(NSOrderedSet(array: steps), forKey: "steps")
                try stack.context.save()
                return task.objectID
            }
            self.stack = stack
            file = try SQLiteFile(creating: stack.url)
            context = try stack.afresh()
        }

        func hide(_ table: String) throws { try file.run("ALTER TABLE \(table) RENAME TO ZGONE") }
        func show(_ table: String) throws { try file.run("ALTER TABLE ZGONE RENAME TO \(table)") }

        func properties(_ keyPaths: [String], versionKey: String? = nil) throws -> SnapshotProperties {
            try SnapshotProperties(
                keyPaths, of: #require(stack.model.entitiesByName["Task"]), identifiers: ["Person": "email"],
                versionKey: versionKey)
        }

        /// The task, with its values.
        func fetchedTask() throws -> NSManagedObject { try #require(context.all("Task").first) }
    }

    /// Runs a test on the queue of the context of a new store.
    private func withStore(_ body: (Store) throws -> Void) throws {
        let store = try Store()
        try on(store.context) { try body(store) }
    }

    /// The error of the store that a body throws; nil for none, and for a problem of the client.
    private func storeError(_ body: () throws -> Void) -> NSError? {
        do {
            try body()
            return nil
        } catch is SnapshotError {
            return nil
        } catch {
            return error as NSError
        }
    }

    private func json(_ text: String) throws -> ManagedObjectSnapshot {
        try ManagedObjectSnapshot(json: Data(text.utf8))
    }

    // MARK: Reading

    @Test("A fault that can't be read has no snapshot, and has one when it can")
    func fault() throws {
        try withStore { store in
            let task = store.context.object(with: store.task)
            let shown = try store.properties(["title", "isDone"], versionKey: "version")
            try store.hide("ZTASK")
            // After the first failure the object is no fault any more.
            for _ in 0..<2 { #expect(storeError { _ = try shown.snapshot(of: task) } != nil) }
            try store.show("ZTASK")
            let snapshot = try shown.snapshot(of: task)
            #expect(snapshot["title"] == .string("t"))
            #expect(snapshot["version"] == .integer(1))
            #expect(!store.context.hasChanges)
        }
    }

    @Test("An object that was read as empty before has no snapshot without its values")
    func readBefore() throws {
        try withStore { store in
            let task = store.context.object(with: store.task)
            let shown = try store.properties(["title"])
            try store.hide("ZTASK")
            #expect(task.text("title") == nil)
            #expect(storeError { _ = try shown.snapshot(of: task) } != nil)
            try store.show("ZTASK")
            try #expect(shown.snapshot(of: task)["title"] == .string("t"))
        }
    }

    @Test("An object that was changed without its values has no snapshot, and can't be written")
    func changedUnread() throws {
        try withStore { store in
            let task = store.context.object(with: store.task)
            let properties = try store.properties(["title"])
            try store.hide("ZTASK")
            task.setValue("new", forKey: "title")
            try store.show("ZTASK")
            let code = NSManagedObjectReferentialIntegrityError
            #expect(storeError { _ = try properties.snapshot(of: task) }?.code == code)
            #expect(storeError { try properties.apply(json(#"{"title":"newer"}"#), to: task) }?.code == code)
            #expect(storeError { try store.context.save() } != nil)
        }
    }

    @Test("A relationship that can't be read is no empty array", arguments: ["steps", "steps.name"])
    func members(keyPath: String) throws {
        try withStore { store in
            let task = try store.fetchedTask()
            let shown = try store.properties(["title", keyPath])
            try store.hide("ZSTEP")
            for _ in 0..<2 { #expect(storeError { _ = try shown.snapshot(of: task) } != nil) }
            try store.show("ZSTEP")
            guard case .array(let steps)? = try shown.snapshot(of: task)["steps"] else {
                throw TestFailure("The snapshot has no steps.")
            }
            #expect(steps.count == 2)
        }
    }

    @Test("A related object that can't be read has no null", arguments: ["assignee", "assignee.name"])
    func destination(keyPath: String) throws {
        try withStore { store in
            let task = try store.fetchedTask()
            let shown = try store.properties(["title", keyPath])
            try store.hide("ZPERSON")
            for _ in 0..<2 { #expect(storeError { _ = try shown.snapshot(of: task) } != nil) }
            try store.show("ZPERSON")
            let email = SnapshotValue.string("ada@example.org")
            let expected: SnapshotValue =
                keyPath == "assignee" ? email : .object(["email": email, "name": .string("Ada")])
            try #expect(shown.snapshot(of: task)["assignee"] == expected)
        }
    }

    @Test("An object that isn't in the snapshot needn't be read")
    func unusedRelationship() throws {
        try withStore { store in
            let task = try store.fetchedTask()
            let shown = try store.properties(["title"])
            try store.hide("ZSTEP")
            #expect(task.ordered("steps").isEmpty)
            // That failure is not one of the snapshot.
            try #expect(shown.snapshot(of: task)["title"] == .string("t"))
            try store.show("ZSTEP")
        }
    }

    @Test("A child has no snapshot of an object that can't be read")
    func child() throws {
        try withStore { store in
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = store.context
            let shown = try store.properties(["title", "steps"])
            try on(child) {
                let task = child.object(with: store.task)
                for table in ["ZTASK", "ZSTEP"] {
                    try store.hide(table)
                    #expect(storeError { _ = try shown.snapshot(of: task) } != nil)
                    try store.show(table)
                    child.refresh(task, mergeChanges: false)
                }
                try #expect(shown.snapshot(of: task)["title"] == .string("t"))
            }
        }
    }

    // MARK: Writing

    @Test("Members that can't be read aren't replaced")
    func replacedMembers() throws {
        try withStore { store in
            let task = try store.fetchedTask()
            let written = try store.properties(["title", "steps"])
            try store.hide("ZSTEP")
            #expect(storeError { try written.apply(json(#"{"title":"x","steps":[]}"#), to: task) } != nil)
            #expect(!store.context.hasChanges)
            try store.show("ZSTEP")
            try written.apply(json(#"{"title":"x"}"#), to: task)
            try store.context.save()
            try inFreshContext(store.stack) { context in
                try #expect(context.all("Task").first?.names("steps") == ["a", "b"])
            }
        }
    }

    @Test(
        "A fault that can't be read is neither outdated nor written into",
        arguments: [#"{"version":1,"title":"x"}"#, #"{"title":"x"}"#, #"{"assignee":{"name":"new"}}"#])
    func writtenFault(text: String) throws {
        try withStore { store in
            let task = store.context.object(with: store.task)
            let written = try store.properties(["title", "assignee.name"], versionKey: "version")
            try store.hide("ZTASK")
            for _ in 0..<2 {
                #expect(storeError { try written.apply(json(text), to: task) } != nil)
                #expect(!store.context.hasChanges)
            }
            try store.show("ZTASK")
            try written.apply(json(text), to: task)
            try store.context.save()
            try inFreshContext(store.stack) { context in
                // The assignee was written into: no second one was made.
                try #expect(context.all("Member").count == 1)
            }
        }
    }
}
