import OpenCoreData

/// Changes the store through one context, which remembers how to undo its saves.
// Unchecked: the context's queue guards the undo manager.
final class StoreEditor: @unchecked Sendable {
    private let context: NSManagedObjectContext
    private let undoManager = UndoManager()

    init(coordinator: NSPersistentStoreCoordinator) {
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = "coredata store browse"
        context.stalenessInterval = 0
        // Objects that another process has changed meanwhile are not overwritten.
        context.mergePolicy = NSErrorMergePolicy
        undoManager.groupsByEvent = false
        context.performAndWait { context.undoManager = undoManager }
    }

    /// Changes an object and saves.
    ///
    /// - Parameter seen: the state of the object that the form showed.
    func change(_ id: NSManagedObjectID, seen: String?, _ body: (NSManagedObject) throws -> Void) throws {
        try context.performAndWait {
            let object = try fresh(id)
            guard seen == nil || seen == ObjectState.text(of: object) else {
                throw BrowserFault(409, "The object has been changed since the form was shown. Load the page again.")
            }
            try save { try body(object) }
        }
    }

    func delete(_ id: NSManagedObjectID) throws {
        try context.performAndWait {
            let object = try fresh(id)
            try save { context.delete(object) }
        }
    }

    /// Passes the effects of a deletion to a block. Nothing is saved.
    func preview<Result>(of id: NSManagedObjectID?, _ body: (DeletePreview) throws -> Result) throws -> Result {
        guard let id else { throw BrowserFault.notFound }
        let scratch = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        scratch.persistentStoreCoordinator = context.persistentStoreCoordinator
        return try scratch.performAndWait {
            guard let object = try Self.object(id, in: scratch) else { throw BrowserFault.notFound }
            return try body(DeletePreview(of: object, in: scratch))
        }
    }

    /// Takes the last save back. False if there is none.
    func undo() throws -> Bool {
        try context.performAndWait {
            guard undoManager.canUndo else { return false }
            undoManager.undo()
            do {
                try context.save()
            } catch {
                context.rollback()
                throw Self.fault(error)
            }
            return true
        }
    }

    private func fresh(_ id: NSManagedObjectID) throws -> NSManagedObject {
        guard let object = try Self.object(id, in: context) else {
            throw BrowserFault(404, "The object has been deleted.")
        }
        context.refresh(object, mergeChanges: false)
        return object
    }

    /// The object with an ID, nil if it was deleted.
    private static func object(_ id: NSManagedObjectID, in context: NSManagedObjectContext) throws -> NSManagedObject? {
        do { return try context.existingObject(with: id) } catch let error as NSError
            where error.code == NSManagedObjectReferentialIntegrityError
        { return nil }
    }

    private func save(_ body: () throws -> Void) throws {
        undoManager.beginUndoGrouping()
        do {
            try body()
            context.processPendingChanges()
            undoManager.endUndoGrouping()
        } catch {
            undoManager.endUndoGrouping()
            withdraw()
            throw error
        }
        do {
            try context.save()
        } catch {
            withdraw()
            throw Self.fault(error)
        }
    }

    /// Takes back what wasn't saved, and its place in the undo stack.
    private func withdraw() {
        if undoManager.canUndo { undoManager.undoNestedGroup() }
        context.rollback()
    }

    private static func fault(_ error: any Error) -> BrowserFault {
        BrowserFault(422, "Nothing was saved. " + ValidationMessages.of(error).joined(separator: " "))
    }
}
