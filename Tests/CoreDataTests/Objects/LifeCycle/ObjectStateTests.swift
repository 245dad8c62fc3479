import CoreData
import Testing

/// The flags of an object's state.
private struct ObjectState: Equatable, CustomStringConvertible {
    let description: String

    init(_ object: NSManagedObject) {
        let flags: [(String, Bool)] = [
            ("inserted", object.isInserted), ("updated", object.isUpdated), ("deleted", object.isDeleted),
            ("fault", object.isFault),
            ("changes", object.hasChanges), ("persistentChanges", object.hasPersistentChangedValues),
            ("inTransition", object.faultingState != 0),
            ("temporary", object.objectID.isTemporaryID), ("inContext", object.managedObjectContext != nil),
        ]
        description = flags.filter(\.1).map(\.0).joined(separator: " ")
    }
}

@Suite("The state of an object through all transitions")
struct ObjectStateTests {
    /// An operation on a saved or new object, and the state afterwards.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isNew = false
        let change: @Sendable (NSManagedObjectContext, NSManagedObject) throws -> Void
        let state: String
    }

    static let clean = "inContext"
    static let rows: [Row] = [
        Row(testDescription: "saved", change: { _, _ in }, state: clean),
        Row(
            testDescription: "new", isNew: true, change: { _, _ in },
            state: "inserted changes persistentChanges temporary inContext"),
        Row(
            testDescription: "new, changed", isNew: true,
            change: {
                $1.setValue("x", forKey: "name")
                $0.processPendingChanges()
                $1.setValue("y", forKey: "name")
            },
            state: "inserted changes persistentChanges temporary inContext"),
        Row(
            testDescription: "new, with a permanent ID", isNew: true, change: { try $0.obtainPermanentIDs(for: [$1]) },
            state: "inserted changes persistentChanges inContext"),
        Row(testDescription: "new, saved", isNew: true, change: { context, _ in try context.save() }, state: clean),
        Row(
            testDescription: "new, deleted", isNew: true, change: { $0.delete($1) },
            state: "deleted changes persistentChanges temporary inContext"),
        Row(
            testDescription: "new, deleted, processed", isNew: true,
            change: {
                $0.delete($1)
                $0.processPendingChanges()
            }, state: "temporary"),
        Row(
            testDescription: "new, rolled back", isNew: true, change: { context, _ in context.rollback() },
            state: "temporary"),
        Row(
            testDescription: "new, reset", isNew: true, change: { context, _ in context.reset() },
            state: "fault inTransition temporary"),
        Row(
            testDescription: "changed", change: { $1.setValue("x", forKey: "name") },
            state: "updated changes persistentChanges inContext"),
        Row(
            testDescription: "set to what it was", change: { $1.setValue("Emma", forKey: "name") },
            state: "updated changes inContext"),
        Row(
            testDescription: "transient value changed", change: { $1.setValue("n", forKey: "note") },
            state: "updated changes inContext"),
        Row(
            testDescription: "changed in a relationship",
            change: { $1.setValue($0.make("Author", "Jane"), forKey: "author") },
            state: "updated changes persistentChanges inContext"),
        Row(
            testDescription: "changed in a to-many relationship",
            change: { $1.mutableSetValue(forKey: "tags").add($0.make("Tag", "t")) },
            state: "updated changes persistentChanges inContext"),
        Row(
            testDescription: "changed from the other side",
            change: { $0.make("Tag", "t", ["books": NSSet(object: $1)]) },
            state: "updated changes persistentChanges inContext"),
        Row(
            testDescription: "changed, saved",
            change: {
                $1.setValue("x", forKey: "name")
                try $0.save()
            }, state: clean),
        Row(
            testDescription: "changed, rolled back",
            change: {
                $1.setValue("x", forKey: "name")
                $0.rollback()
            }, state: clean),
        Row(
            testDescription: "changed, refreshed",
            change: {
                $1.setValue("x", forKey: "name")
                $0.refresh($1, mergeChanges: false)
            }, state: "fault inTransition inContext"),
        Row(
            testDescription: "changed, refreshed with merging",
            change: {
                $1.setValue("x", forKey: "name")
                $0.refresh($1, mergeChanges: true)
            },
            state: "updated changes persistentChanges inContext"),
        Row(
            testDescription: "changed by primitive value", change: { $1.setPrimitiveValue("x", forKey: "name") },
            state: clean),
        Row(
            testDescription: "announced as changed",
            change: {
                $1.willChangeValue(forKey: "name")
                $1.didChangeValue(forKey: "name")
            }, state: "updated changes inContext"),
        Row(
            testDescription: "deleted", change: { $0.delete($1) },
            state: "deleted changes persistentChanges inContext"),
        Row(
            testDescription: "deleted, processed",
            change: {
                $0.delete($1)
                $0.processPendingChanges()
            }, state: "deleted changes persistentChanges inContext"),
        Row(
            testDescription: "changed, deleted",
            change: {
                $1.setValue("x", forKey: "name")
                $0.delete($1)
            }, state: "deleted changes persistentChanges inContext"),
        Row(
            testDescription: "deleted, saved",
            change: {
                $0.delete($1)
                try $0.save()
            }, state: ""),
        Row(
            testDescription: "deleted, rolled back",
            change: {
                $0.delete($1)
                $0.rollback()
            }, state: clean),
        Row(
            testDescription: "deleted, inserted again",
            change: {
                $0.delete($1)
                $0.insert($1)
            }, state: "updated changes inContext"),
        Row(
            testDescription: "deleted, refreshed",
            change: {
                $0.delete($1)
                $0.refresh($1, mergeChanges: false)
            }, state: "fault inTransition inContext"),
        Row(
            testDescription: "a fault", change: { $0.refresh($1, mergeChanges: false) },
            state: "fault inTransition inContext"),
        Row(
            testDescription: "a fault, deleted",
            change: {
                $0.refresh($1, mergeChanges: false)
                $0.delete($1)
            },
            state: "deleted fault changes persistentChanges inTransition inContext"),
        Row(
            testDescription: "a fault, fired",
            change: {
                $0.refresh($1, mergeChanges: false)
                _ = $1.text("name")
            }, state: clean),
        Row(
            testDescription: "a fault, changed",
            change: {
                $0.refresh($1, mergeChanges: false)
                $1.setValue("x", forKey: "name")
            },
            state: "updated changes persistentChanges inContext"),
    ]

    @Test("states", arguments: StoreKind.allCases, rows)
    func states(_ kind: StoreKind, _ row: Row) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            if !row.isNew { try stack.context.save() }
            try row.change(stack.context, book)
            expectEqual(ObjectState(book).description, row.state)
            expectEqual(stack.context.insertedObjects.contains(book), book.isInserted)
            expectEqual(stack.context.updatedObjects.contains(book), book.isUpdated)
            expectEqual(stack.context.deletedObjects.contains(book), book.isDeleted)
        }
    }

    @Test("asking for the state fires no fault", arguments: StoreKind.allCases)
    func noFiring(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma", ["author": stack.context.make("Author", "Jane")])
            try stack.context.save()
            stack.context.refresh(book, mergeChanges: false)
            _ = (
                book.changedValues(), book.hasChanges, book.hasPersistentChangedValues, book.entity, book.objectID,
                book.description
            )
            _ = (book.hasFault(forRelationshipNamed: "author"), book.hasFault(forRelationshipNamed: "tags"))
            stack.context.delete(book)
            expectTrue(book.isFault)
        }
    }

    @Test("an object without a context has values and no changes")
    func withoutContext() throws {
        try withStack(.memory) { stack in
            let book = NSManagedObject(entity: try requireValue(stack.model.entitiesByName["Book"]), insertInto: nil)
            book.setValue("Emma", forKey: "name")
            expectEqual(ObjectState(book).description, "temporary")
            expectEqual(book.text("name"), "Emma")
            expectEqual(book.number("pages"), 100)
        }
    }

    @Test("an object whose context is gone keeps its state of life", arguments: StoreKind.allCases)
    func withoutItsContext(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let (saved, changed): (NSManagedObject, NSManagedObject) = try {
            let context = stack.newContext()
            return try context.performAndWait {
                let saved = context.make("Book", "saved")
                let changed = context.make("Book", "changed")
                try context.save()
                changed.setValue("x", forKey: "name")
                return UnsafeSender((saved, changed))
            }.value
        }()
        expectEqual(ObjectState(saved).description, "")
        expectEqual(ObjectState(changed).description, "updated changes persistentChanges")
        expectEqual(saved.text("name"), "saved")
        expectEqual(changed.text("name"), "x")
    }
}
