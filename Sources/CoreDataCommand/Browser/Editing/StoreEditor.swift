// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Changes the store through one context, which remembers how to undo its saves.
// Unchecked: the context's queue guards the undo manager.
final class StoreEditor: @unchecked Sendable {
    private let context: NSManagedObjectContext
    private let undoManager = UndoManager()
    /// How many steps can be redone. The undo manager's own redo steps also include changes that were refused.
    private var redoCount = 0
    /// The page of the object that a step of the undo manager changes.
    private static let target = UndoManager.UserInfoKey("target")

    init(coordinator: NSPersistentStoreCoordinator) {
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = "coredata store browse"
        context.stalenessInterval = 0
        // A save doesn't overwrite objects that another process has changed since they were read.
        context.mergePolicy = NSErrorMergePolicy
        undoManager.groupsByEvent = false
        context.performSynchronously { context.undoManager = undoManager }
    }

    /// Changes an object and saves.
    ///
    /// - Parameter seen: the state of the object that the form showed.
    /// - Returns: false if the block changed nothing.
    func change(_ id: NSManagedObjectID, seen: String?, _ body: (NSManagedObject) throws -> Void) throws -> Bool {
        try context.performSynchronously {
            let object = try fresh(id)
            guard seen == nil || seen == ObjectState.text(of: object) else {
                throw FormRefusal(
                    status: 409,
                    [
                        .init(
                            key: nil,
                            text: """
                                The object has been changed since the form was shown. The fields have what was typed; \
                                beside them stands what the store has now. Save again to keep what was typed.
                                """)
                    ])
            }
            return try save(
                "change of \(ObjectLabel.text(of: object))", .object(.init(id)),
                refusal: { FormRefusal($0, saving: object) }
            ) { try body(object) }
        }
    }

    /// Makes an object and saves it.
    func create(_ entity: String, _ body: (NSManagedObject) throws -> Void) throws -> NSManagedObjectID {
        try context.performSynchronously {
            context.refreshAllObjects()
            var made: NSManagedObject?
            _ = try save(
                "new \(entity)", .table(entity: entity),
                refusal: { error in made.map { FormRefusal(error, saving: $0) } ?? error }
            ) {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                made = object
                try body(object)
            }
            guard let made else { throw WebFault.notFound }
            return made.objectID
        }
    }

    /// Deletes objects in one save, which is one step of undo.
    func delete(_ ids: [NSManagedObjectID]) throws {
        try context.performSynchronously {
            let objects = try ids.map(fresh)
            guard let first = objects.first else { throw WebFault(422, "Nothing was chosen.") }
            let name =
                objects.count == 1
                ? "deletion of \(ObjectLabel.text(of: first))" : "deletion of \(Amount.text(objects.count, "object"))"
            let table = BrowserRoute.table(entity: first.entity.name ?? "")
            let back = objects.count == 1 ? .object(.init(first.objectID)) : table
            _ = try save(name, table, refusal: { Self.fault($0, title: "This can’t be deleted", back: back) }) {
                for object in objects where !object.isDeleted { context.delete(object) }
            }
        }
    }

    /// Passes the effects of a deletion to a block. Nothing is saved.
    func preview<Result>(of ids: [NSManagedObjectID?], _ body: (DeletePreview) throws -> Result) throws -> Result {
        let scratch = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        scratch.persistentStoreCoordinator = context.persistentStoreCoordinator
        return try scratch.performSynchronously {
            let objects = try ids.map { id in
                guard let id, let object = try Self.object(id, in: scratch) else { throw WebFault.notFound }
                return object
            }
            return try body(DeletePreview(of: objects, in: scratch))
        }
    }

    // MARK: Undo

    /// The names of the next undo step and the next redo step; nil for none.
    var steps: (undo: String?, redo: String?) {
        context.performSynchronously {
            (
                undoManager.canUndo ? undoManager.undoActionName : nil,
                redoCount > 0 ? undoManager.redoActionName : nil
            )
        }
    }

    /// Undoes the last save.
    ///
    /// - Returns: the page of the changed object; nil if there is no save to undo.
    func undo() throws -> BrowserRoute? {
        try context.performSynchronously {
            guard undoManager.canUndo else { return nil }
            let target = try step(
                undoManager.undoActionUserInfoValue(forKey: Self.target), undoManager.undo, back: undoManager.redo)
            redoCount += 1
            return target
        }
    }

    /// Redoes the save that `undo` has undone.
    func redo() throws -> BrowserRoute? {
        try context.performSynchronously {
            guard redoCount > 0 else { return nil }
            let target = try step(
                undoManager.redoActionUserInfoValue(forKey: Self.target), undoManager.redo, back: undoManager.undo)
            redoCount -= 1
            return target
        }
    }

    private func step(_ target: Any?, _ step: () -> Void, back: () -> Void) throws -> BrowserRoute {
        step()
        do {
            try context.save()
        } catch {
            // The step stays where it was.
            let fault = Self.fault(error, title: "This step can’t be taken", back: target as? BrowserRoute)
            back()
            discard()
            throw fault
        }
        return target as? BrowserRoute ?? .start
    }

    // MARK: Saving

    private func fresh(_ id: NSManagedObjectID) throws -> NSManagedObject {
        guard let object = try Self.object(id, in: context) else {
            throw WebFault(404, "The object has been deleted.")
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

    /// - Parameter refusal: the error in place of the save's error.
    /// - Returns: false if the block changed nothing.
    private func save(
        _ name: String, _ target: BrowserRoute, refusal: (any Error) -> any Error, _ body: () throws -> Void
    ) throws -> Bool {
        redoCount = 0
        undoManager.beginUndoGrouping()
        undoManager.setActionName(name)
        undoManager.setActionUserInfoValue(target, forKey: Self.target)
        do {
            try body()
            context.processPendingChanges()
            undoManager.endUndoGrouping()
        } catch {
            undoManager.endUndoGrouping()
            withdraw()
            throw error
        }
        guard context.hasChanges else {
            withdraw()
            return false
        }
        do {
            try context.save()
        } catch {
            let refusal = refusal(error)
            withdraw()
            throw refusal
        }
        return true
    }

    /// Undoes the changes that weren't saved, and removes them from the undo stack.
    private func withdraw() {
        if undoManager.canUndo { undoManager.undoNestedGroup() }
        discard()
    }

    /// Forgets the changes that undoing has left. A rollback would empty the undo stack.
    private func discard() {
        context.processPendingChanges()
        undoManager.disableUndoRegistration()
        for object in context.insertedObjects { context.delete(object) }
        for object in context.updatedObjects { context.refresh(object, mergeChanges: false) }
        context.processPendingChanges()
        undoManager.enableUndoRegistration()
    }

    private static func fault(_ error: any Error, title: String, back: BrowserRoute?) -> WebFault {
        WebFault(
            422, "Nothing was saved. " + ValidationMessages.named(error).joined(separator: " "), title: title,
            back: back?.path())
    }
}
