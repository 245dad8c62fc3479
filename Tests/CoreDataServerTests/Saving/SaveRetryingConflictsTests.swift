import CoreDataServer
import CoreDataTestSupport
import Synchronization
import TestSupport
import Testing

/// Saves of many tasks that change the same objects.
@Suite("Retries of conflicts")
struct SaveRetryingConflictsTests {
    private static let kinds = StoreKind.allCases

    private func teamID(_ stack: TestStack) throws -> NSManagedObjectID {
        try stack.context.performAndWait {
            let team = stack.context.make("Team", "a", ["open": 0])
            try stack.context.save()
            return team.objectID
        }
    }

    private func count(_ stack: TestStack, _ id: NSManagedObjectID) throws -> Int64 {
        let context = stack.newContext()
        return try context.performAndWait { try context.existingObject(with: id).number("open") ?? -1 }
    }

    @Test("Counters that several contexts raise at the same time are exact", arguments: kinds)
    func counters(kind: StoreKind) async throws {
        let stack = try TestStack(kind, model: TeamModel.make())
        let id = try teamID(stack)
        let contexts = (0..<8).map { _ in stack.newContext() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for context in contexts {
                group.addTask {
                    for _ in 0..<10 {
                        try await context.saveRetryingConflicts(attempts: 100) { context in
                            let team = try context.existingObject(with: id)
                            team.setValue((team.number("open") ?? 0) + 1, forKey: "open")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try expectEqual(count(stack, id), 80)
    }

    @Test("A change by another coordinator is read before the block runs again")
    func otherCoordinator() async throws {
        let stack = try TestStack(.tables, model: TeamModel.make())
        let id = try teamID(stack)
        let uri = id.uriRepresentation()
        let other = try stack.afresh()
        let runs = Mutex(0)
        let value = try await stack.newContext().saveRetryingConflicts { context in
            let team = try context.existingObject(with: id)
            let before = team.number("open") ?? 0
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run == 1 {
                try other.performAndWait {
                    let same = try requireValue(
                        other.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri))
                    try other.existingObject(with: same).setValue(40, forKey: "open")
                    try other.save()
                }
            }
            team.setValue(before + 2, forKey: "open")
            return before + 2
        }
        expectEqual(value, 42)
        expectEqual(runs.withLock { $0 }, 2)
        try expectEqual(count(stack, id), 42)
    }

    @Test("After the last attempt the conflict is thrown, and the context has no changes")
    func limit() async throws {
        let stack = try TestStack(.tables, model: TeamModel.make())
        let id = try teamID(stack)
        let context = stack.newContext()
        let other = stack.newContext()
        let runs = Mutex(0)
        let error = await #expect(throws: NSError.self) {
            try await context.saveRetryingConflicts(attempts: 3) { context in
                let run = runs.withLock { runs in
                    runs += 1
                    return runs
                }
                let team = try context.existingObject(with: id)
                team.setValue((team.number("open") ?? 0) + 1, forKey: "open")
                try other.performAndWait {
                    other.refreshAllObjects()
                    try other.existingObject(with: id).setValue(run * 100, forKey: "open")
                    try other.save()
                }
            }
        }
        expectEqual(error?.code, NSManagedObjectMergeError)
        expectEqual(runs.withLock { $0 }, 3)
        await context.perform { expectFalse(context.hasChanges) }
        try expectEqual(count(stack, id), 300)
    }

    @Test("A value that another context has made unique meanwhile is found by the next run")
    func constraint() async throws {
        let stack = try TestStack(.tables, model: TeamModel.make())
        let other = stack.newContext()
        let runs = Mutex(0)
        let wasFound = try await stack.newContext().saveRetryingConflicts { context in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if let known = try context.all("Member", "email == %@", ["a@example.org"]).first {
                known.setValue("found", forKey: "name")
                return true
            }
            if run == 1 {
                try other.performAndWait {
                    other.make("Member", "other", ["email": "a@example.org"])
                    try other.save()
                }
            }
            context.make("Member", "own", ["email": "a@example.org"])
            return false
        }
        expectTrue(wasFound)
        try inFreshContext(stack) { try expectEqual($0.names("Member"), ["found"]) }
    }

    @Test("An error of the block is thrown at once, and the changes are rolled back")
    func otherErrors() async throws {
        struct SoldOut: Error {}
        let stack = try TestStack(.sqlite, model: TeamModel.make())
        let context = stack.newContext()
        let runs = Mutex(0)
        await #expect(throws: SoldOut.self) {
            try await context.saveRetryingConflicts { context in
                runs.withLock { $0 += 1 }
                context.make("Team", "lost")
                throw SoldOut()
            }
        }
        expectEqual(runs.withLock { $0 }, 1)
        await context.perform { expectFalse(context.hasChanges) }
    }

    @Test("A context with unsaved changes is refused")
    func unsavedChanges() async throws {
        let stack = try TestStack(.sqlite, model: TeamModel.make())
        let context = stack.newContext()
        _ = await context.perform { context.make("Team", "mine").objectID }
        let error = await #expect(throws: NSError.self) { try await context.saveRetryingConflicts { _ in } }
        expectEqual(error?.code, NSCoreDataError)
        await context.perform { expectTrue(context.hasChanges) }
    }

    @Test("A context that is pinned to an older state reads the newest one after a conflict")
    func pinned() async throws {
        let stack = try TestStack(.tables, model: TeamModel.make())
        let id = try teamID(stack)
        let context = stack.newContext()
        let other = stack.newContext()
        try await context.perform {
            try context.setQueryGenerationFrom(.current)
            _ = try context.existingObject(with: id)
        }
        try await other.perform {
            try other.existingObject(with: id).setValue(10, forKey: "open")
            try other.save()
        }
        try await context.saveRetryingConflicts { context in
            let team = try context.existingObject(with: id)
            team.setValue((team.number("open") ?? 0) + 1, forKey: "open")
        }
        try expectEqual(count(stack, id), 11)
    }

    @Test("A cancelled task makes no further attempt")
    func cancellation() async throws {
        let stack = try TestStack(.tables, model: TeamModel.make())
        let id = try teamID(stack)
        let context = stack.newContext()
        let other = stack.newContext()
        let runs = Mutex(0)
        let task = Task {
            try await context.saveRetryingConflicts(attempts: 1000) { context in
                runs.withLock { $0 += 1 }
                let team = try context.existingObject(with: id)
                team.setValue((team.number("open") ?? 0) + 1, forKey: "open")
                try other.performAndWait {
                    other.refreshAllObjects()
                    try other.existingObject(with: id).setValue(0, forKey: "open")
                    try other.existingObject(with: id).setValue(Int.random(in: 1000...1_000_000), forKey: "open")
                    try other.save()
                }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(runs.withLock { $0 } <= 1)
    }
}
