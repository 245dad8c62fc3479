#if compiler(>=6.2)
    import CoreData
    import Testing

    @Suite("Notifications as typed messages")
    @MainActor
    struct NotificationMessageTests {
        /// The messages that observers have received.
        @MainActor private final class Record { var lines: [String] = [] }

        private func mainContext(_ stack: TestStack) -> NSManagedObjectContext {
            let context = NSManagedObjectContext(.mainQueue)
            context.persistentStoreCoordinator = stack.coordinator
            return context
        }

        @Test("a context of the main queue posts changes and saves to the main actor, in order")
        func mainActor() throws {
            let stack = try TestStack(.sqlite)
            let context = mainContext(stack)
            let told = Record()
            let tokens = [
                NotificationCenter.default.addObserver(of: context, for: .objectsDidChange) {
                    told.lines.append(
                        """
                        change \($0.inserted.count) \($0.updated.count) \($0.deleted.count) \($0.refreshed.count) \
                        \($0.invalidatedAll == true)
                        """
                    )
                },
                NotificationCenter.default.addObserver(of: context, for: .willSave) {
                    told.lines.append("willSave \($0.context.insertedObjects.count)")
                },
                NotificationCenter.default.addObserver(of: context, for: .didSave) {
                    told.lines.append("didSave \($0.inserted.count) \($0.updated.count) \($0.deleted.count)")
                },
                NotificationCenter.default.addObserver(of: context, for: .didSaveObjectIDs) {
                    told.lines.append(
                        "didSaveIDs \($0.insertedIDs.count) \($0.updatedIDs.count) \($0.deletedIDs.count)")
                },
            ]
            context.make("Tag", "a")
            try context.save()
            context.reset()
            expectEqual(
                told.lines,
                [
                    "change 1 0 0 0 false", "willSave 1", "didSave 1 0 0", "didSaveIDs 1 0 0", "change 0 0 0 0 true",
                ])
            for token in tokens { NotificationCenter.default.removeObserver(token) }
        }

        @Test("a save in any context reaches observers in tasks, with IDs")
        func asynchronous() async throws {
            let stack = try TestStack(.sqlite)
            let context = stack.context
            let (stream, continuation) = AsyncStream.makeStream(of: Set<NSManagedObjectID>.self)
            let token = NotificationCenter.default.addObserver(of: context, for: .didSaveObjectIDsAsync) {
                continuation.yield($0.insertedIDs)
            }
            let id = try await context.perform {
                let tag = context.make("Tag", "a")
                try context.save()
                return tag.objectID
            }
            var iterator = stream.makeAsyncIterator()
            let told = await iterator.next()
            expectEqual(told, [id])
            NotificationCenter.default.removeObserver(token)
        }

        @Test("a merge has a message, too")
        func merge() throws {
            let stack = try TestStack(.sqlite)
            let context = mainContext(stack)
            let other = mainContext(stack)
            let tag = other.make("Tag", "a")
            try other.save()
            let told = Record()
            let token = NotificationCenter.default.addObserver(of: context, for: .didMergeChanges) {
                told.lines += $0.insertedIDs.map { $0.uriRepresentation().absoluteString }
            }
            context.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: other, userInfo: [NSInsertedObjectsKey: Set([tag])]))
            expectEqual(told.lines, [tag.objectID.uriRepresentation().absoluteString])
            NotificationCenter.default.removeObserver(token)
        }

        @Test("stores that are added and removed")
        func stores() throws {
            let folder = try TemporaryFolder()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            let told = Record()
            let token = NotificationCenter.default.addObserver(of: coordinator, for: .storesDidChange) {
                told.lines.append("\($0.addedStores.count) \($0.removedStores.count) \($0.uuidChangedStores == nil)")
            }
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("a.sqlite"), options: nil)
            try coordinator.remove(store)
            expectEqual(told.lines, ["1 0 true", "0 1 true"])
            NotificationCenter.default.removeObserver(token)
        }

        @Test("messages and notifications become each other")
        func conversion() throws {
            let stack = try TestStack(.memory)
            let context = mainContext(stack)
            let tag = context.make("Tag", "a")
            try context.save()
            let notification = Notification(
                name: .NSManagedObjectContextDidSaveObjectIDs, object: context,
                userInfo: [NSUpdatedObjectIDsKey: Set([tag.objectID])])
            let message = try requireValue(NSManagedObjectContext.DidSaveObjectIDsMessage.makeMessage(notification))
            let isSame = message.context === context
            expectTrue(isSame)
            expectEqual(message.updatedIDs, [tag.objectID])
            expectEmpty(message.insertedIDs)
            let back = NSManagedObjectContext.DidSaveObjectIDsMessage.makeNotification(message)
            expectEqual(back.name, notification.name)
            #expect(back.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> == [tag.objectID])
            #expect(NSManagedObjectContext.DidSaveMessage.makeMessage(notification) == nil)
        }
    }
#endif
