import CoreData
import Testing

@Suite("What is called when changes are saved, in order")
struct SaveSequenceTests {
    @Test("inserting and saving", arguments: StoreKind.allCases)
    func inserting(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let parent = stack.context.makeLogged("Parent", "p")
            expectEqual(log.take(), ["new awakeFromInsert"])
            stack.context.processPendingChanges()
            expectEqual(log.take(), ["DidChange inserted: p"])
            try stack.context.save()
            expectEqual(
                log.take(), ["WillSave", "p willSave", "p validateForInsert", "p didSave", "DidSave inserted: p"])
            try stack.context.save()
            expectEqual(log.take(), ["DidSave"])
            expectFalse(parent.hasChanges)
        }
    }

    @Test("inserting and saving without a break: the change is told first", arguments: StoreKind.allCases)
    func insertingAtOnce(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            _ = stack.context.makeLogged("Parent", "p")
            try stack.context.save()
            expectEqual(
                log.take(),
                [
                    "new awakeFromInsert", "DidChange inserted: p", "WillSave", "p willSave", "p validateForInsert",
                    "p didSave", "DidSave inserted: p",
                ])
        }
    }

    @Test("changing and saving", arguments: StoreKind.allCases)
    func updating(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let parent = stack.context.makeLogged("Parent", "p")
            try stack.context.save()
            _ = log.take()
            parent.setValue("q", forKey: "name")
            expectEqual(log.take(), [])
            try stack.context.save()
            expectEqual(
                log.take(),
                [
                    "DidChange updated: q", "WillSave", "q willSave", "q validateForUpdate", "q didSave",
                    "DidSave updated: q",
                ])
        }
    }

    @Test(
        "deleting: the object is prepared at once, what a rule deletes with it when changes are processed",
        arguments: StoreKind.allCases)
    func deleting(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let parent = stack.context.makeLogged("Parent", "p")
            let child = stack.context.makeLogged("Child", "c", ["parent": parent])
            _ = stack.context.makeLogged("Child", "d", ["parent": parent])
            _ = stack.context.makeLogged("Toy", "t", ["owner": child])
            try stack.context.save()
            _ = log.take()
            stack.context.delete(parent)
            expectEqual(log.take(), ["p prepareForDeletion"])
            stack.context.processPendingChanges()
            expectEqual(
                log.take(),
                [
                    "c prepareForDeletion", "d prepareForDeletion", "t prepareForDeletion",
                    "DidChange deleted: c,d,p,t",
                ])
            try stack.context.save()
            expectEqual(
                log.take(),
                [
                    "WillSave", "p willSave", "c willSave", "d willSave", "t willSave",
                    "p validateForDelete", "c validateForDelete", "d validateForDelete", "t validateForDelete",
                    "p didSave", "c didSave", "d didSave", "t didSave", "DidSave deleted: c,d,p,t",
                ])
        }
    }

    @Test(
        "a context that propagates deletions only when saving tells and validates what they reach as well",
        arguments: StoreKind.allCases)
    func latePropagation(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            stack.context.propagatesDeletesAtEndOfEvent = false
            let parent = stack.context.makeLogged("Parent", "p")
            _ = stack.context.makeLogged("Child", "c", ["parent": parent])
            try stack.context.save()
            _ = log.take()
            stack.context.delete(parent)
            try stack.context.save()
            expectEqual(
                log.take(),
                [
                    "p prepareForDeletion", "DidChange deleted: p", "WillSave", "c prepareForDeletion",
                    "DidChange deleted: c", "p willSave", "c willSave",
                    "p validateForDelete", "c validateForDelete", "p didSave", "c didSave", "DidSave deleted: c,p",
                ])
        }
    }

    @Test(
        "inserting, changing and deleting in one save: deletions are validated first, insertions told first",
        arguments: StoreKind.allCases)
    func mixed(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let changed = stack.context.makeLogged("Parent", "changed")
            let deleted = stack.context.makeLogged("Parent", "deleted")
            try stack.context.save()
            _ = stack.context.makeLogged("Parent", "new")
            changed.setValue("x", forKey: "note")
            stack.context.delete(deleted)
            stack.context.processPendingChanges()
            _ = log.take()
            try stack.context.save()
            expectEqual(
                log.take(),
                [
                    "WillSave", "new willSave", "changed willSave", "deleted willSave",
                    "deleted validateForDelete", "new validateForInsert", "changed validateForUpdate",
                    "new didSave", "changed didSave", "deleted didSave",
                    "DidSave inserted: new updated: changed deleted: deleted",
                ])
        }
    }

    @Test("an object that is inserted and deleted before a save is never saved", arguments: StoreKind.allCases)
    func insertedAndDeleted(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let parent = stack.context.makeLogged("Parent", "p")
            stack.context.delete(parent)
            try stack.context.save()
            expectEqual(log.take(), ["new awakeFromInsert", "p prepareForDeletion", "DidSave"])
            expectEqual(parent.managedObjectContext, nil)
            expectFalse(parent.isInserted)
            expectFalse(parent.isDeleted)
            expectFalse(stack.context.hasChanges)
        }
    }

    @Test(
        "a save that validation stops has told willSave, and tells it again when it is tried again",
        arguments: StoreKind.allCases)
    func invalid(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let parent = stack.context.makeLogged("Parent", "p")
            parent.setValue(nil, forKey: "name")
            expectEqual(thrownError { try stack.context.save() }?.code, 1570)
            expectEqual(
                log.take(),
                [
                    "new awakeFromInsert", "DidChange inserted: new", "WillSave", "new willSave",
                    "new validateForInsert",
                ])
            expectTrue(parent.isInserted)
            expectTrue(parent.objectID.isTemporaryID)
            expectEqual(stack.context.insertedObjects, [parent])
            parent.setValue("mended", forKey: "name")
            try stack.context.save()
            expectEqual(
                log.take(),
                [
                    "DidChange updated: mended", "WillSave", "mended willSave", "mended validateForInsert",
                    "mended didSave", "DidSave inserted: mended",
                ])
        }
    }

    @Test("didSave finds the object saved; a deleted one still says that it is", arguments: StoreKind.allCases)
    func stateInDidSave(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let inserted = stack.context.makeLogged("Parent", "i")
            func report(_ object: LoggedObject) {
                object.note(
                    """
                    inserted \(object.isInserted) updated \(object.isUpdated) deleted \(object.isDeleted) changes \
                    \(object.hasChanges) 
                    """
                        + "temporary \(object.objectID.isTemporaryID) context \(object.managedObjectContext != nil)")
            }
            inserted.whenSaved = report
            try stack.context.save()
            expectContains(
                log.take(), "i inserted false updated false deleted false changes false temporary false context true")
            stack.context.delete(inserted)
            try stack.context.save()
            expectContains(
                log.take(), "i inserted false updated false deleted true changes true temporary false context true")
            expectEqual(inserted.managedObjectContext, nil)
            expectFalse(inserted.isDeleted)
        }
    }

    @Test("what didSave changes is left for the next save", arguments: StoreKind.allCases)
    func changingInDidSave(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let parent = stack.context.makeLogged("Parent", "p")
            let other = stack.context.makeLogged("Parent", "o")
            try stack.context.save()
            parent.whenSaved = {
                $0.whenSaved = nil
                other.setValue("touched", forKey: "note")
            }
            parent.setValue("x", forKey: "note")
            _ = log.take()
            try stack.context.save()
            expectEqual(
                log.take(),
                [
                    "DidChange updated: p", "WillSave", "p willSave", "p validateForUpdate", "p didSave",
                    "DidSave updated: p",
                ])
            expectTrue(other.hasChanges)
            expectEqual(stack.context.updatedObjects, [other])
            try stack.context.save()
            expectEqual(
                log.take(),
                [
                    "DidChange updated: o", "WillSave", "o willSave", "o validateForUpdate", "o didSave",
                    "DidSave updated: o",
                ])
        }
    }

    @Test("what didSave sets in a deleted object is no change", arguments: StoreKind.allCases)
    func changingDeletedInDidSave(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let parent = stack.context.makeLogged("Parent", "p")
            try stack.context.save()
            parent.whenSaved = { $0.setValue("late", forKey: "note") }
            stack.context.delete(parent)
            try stack.context.save()
            _ = log.take()
            expectFalse(stack.context.hasChanges)
            stack.context.processPendingChanges()
            expectEqual(log.take(), [])
        }
    }

    @Test("who observes a change notification may save in it", arguments: StoreKind.allCases)
    func savingObserver(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let context = stack.context
            let save = UnsafeSender { try? context.save() }
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { _ in save.value() }
            defer { NotificationCenter.default.removeObserver(token) }
            _ = context.makeLogged("Parent", "p")
            context.processPendingChanges()
            expectFalse(context.hasChanges)
            // Which observer comes first is not said.
            let told = log.take().filter { !$0.hasPrefix("DidChange") }
            expectEqual(
                told,
                [
                    "new awakeFromInsert", "WillSave", "p willSave", "p validateForInsert", "p didSave",
                    "DidSave inserted: p",
                ])
        }
    }
}
