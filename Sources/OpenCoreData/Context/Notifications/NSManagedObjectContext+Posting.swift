// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    /// Posts a notification of this context, unless no object is reported. The sets are made if there is an observer.
    final func post(
        _ name: Notification.Name, inserted: ChangedObjects, updated: ChangedObjects, deleted: ChangedObjects,
        refreshed: ChangedObjects? = nil, areMerged: Bool = false, historyToken: NSPersistentHistoryToken? = nil
    ) {
        if inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed?.isEmpty != false { return }
        post(name, historyToken: historyToken) {
            var userInfo: [AnyHashable: Any] = [:]
            if !inserted.isEmpty { userInfo[NSInsertedObjectsKey] = inserted.set }
            if !updated.isEmpty { userInfo[NSUpdatedObjectsKey] = updated.set }
            if !deleted.isEmpty { userInfo[NSDeletedObjectsKey] = deleted.set }
            if let refreshed, !refreshed.isEmpty { userInfo[NSRefreshedObjectsKey] = refreshed.set }
            // Programs look for this key of Apple's, which has no public name, to recognize merged changes.
            if areMerged { userInfo["NSObjectsChangedByMergeChangesKey"] = Set<NSManagedObject>() }
            return userInfo
        }
    }

    /// Posts a notification of this context, and then the messages with the same meaning. A pinned context adds its
    /// query generation.
    final func post(_ name: Notification.Name, _ userInfo: [AnyHashable: Any]) {
        // The notification of a save without changes has an empty dictionary.
        guard !userInfo.isEmpty || queryGenerationToken != nil || name == .NSManagedObjectContextDidSave else {
            DeferredNotification.post(name, object: self) { nil }
            #if compiler(>=6.2)
                postMessages(name, ContextMessageContent(self, userInfo))
            #endif
            return
        }
        post(name, historyToken: nil) { userInfo }
    }

    /// Posts a notification of this context, and then the messages with the same meaning. A pinned context adds its
    /// query generation.
    ///
    /// - Parameters:
    ///   - historyToken: the transactions of the changes in the history of the stores.
    ///   - savedIDs: the IDs of a save, for the messages about it.
    ///   - userInfo: makes the dictionary if there is an observer.
    final func post(
        _ name: Notification.Name, historyToken: NSPersistentHistoryToken?, savedIDs: SavedObjectIDs? = nil,
        _ userInfo: @escaping () -> [AnyHashable: Any]
    ) {
        let queryGeneration = queryGenerationToken
        let deferred = DeferredUserInfo {
            var userInfo = userInfo()
            if let historyToken {
                userInfo[NSPersistentHistoryTokenKey] = historyToken
                // Apple's notification has the token under this key, which has no public name.
                if name == .NSManagedObjectContextDidSave { userInfo["newChangeToken"] = historyToken }
            }
            if let queryGeneration { userInfo[NSManagedObjectContextQueryGenerationKey] = queryGeneration }
            return userInfo
        }
        DeferredNotification.post(name, object: self) { deferred.dictionary }
        #if compiler(>=6.2)
            postMessages(
                name,
                ContextMessageContent(
                    self, deferred, savedIDs: savedIDs, queryGeneration: queryGeneration, historyToken: historyToken))
        #endif
    }

    #if compiler(>=6.2)
        /// Posts the messages of a notification. Apple's Foundation makes them itself, Foundation on Linux doesn't.
        private final func postMessages(_ name: Notification.Name, _ content: ContextMessageContent) {
            switch name {
            case .NSManagedObjectContextObjectsDidChange: postOnMainActor { ObjectsDidChangeMessage(content) }
            case .NSManagedObjectContextWillSave: postOnMainActor { WillSaveMessage(content) }
            case .NSManagedObjectContextDidSave: postOnMainActor { DidSaveMessage(content) }
            case .NSManagedObjectContextDidSaveObjectIDs:
                postOnMainActor { DidSaveObjectIDsMessage(content) }
                postAsynchronously { DidSaveObjectIDsAsyncMessage(content) }
            case .NSManagedObjectContextDidMergeChangesObjectIDs:
                postOnMainActor { DidMergeChangesMessage(content) }
                postAsynchronously { DidMergeChangesAsyncMessage(content) }
            default: break
            }
        }

        /// Posts a message of the main actor, for a context of the main queue.
        private final func postOnMainActor<Message: NotificationCenter.MainActorMessage>(_ message: () -> Message)
        where Message.Subject == NSManagedObjectContext {
            guard queue.type == .mainQueueConcurrencyType, MainQueue.isCurrent else { return }
            let message = UncheckedSendableBox(message())
            MainActor.assumeIsolated { NotificationCenter.default.post(message.value, subject: self) }
        }

        /// Posts a message. Each observer runs in a separate task.
        private final func postAsynchronously<Message: NotificationCenter.AsyncMessage>(_ message: () -> Message)
        where Message.Subject == NSManagedObjectContext {
            let message = message()
            ObserverLookup.withLock { NotificationCenter.default.post(message, subject: self) }
        }
    #endif
}

/// The `userInfo` of a notification, made when it is first read. Used on the context's queue.
final class DeferredUserInfo {
    private let make: () -> [AnyHashable: Any]
    private var made: [AnyHashable: Any]?

    init(_ make: @escaping () -> [AnyHashable: Any]) { self.make = make }

    var dictionary: [AnyHashable: Any] {
        if let made { return made }
        let new = make()
        made = new
        return new
    }
}
