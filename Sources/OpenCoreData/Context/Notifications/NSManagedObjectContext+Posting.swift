extension NSManagedObjectContext {
    /// Posts a notification of this context, unless all sets are empty.
    final func post(
        _ name: Notification.Name, inserted: Set<NSManagedObject>, updated: Set<NSManagedObject>,
        deleted: Set<NSManagedObject>,
        refreshed: Set<NSManagedObject> = [], historyToken: NSPersistentHistoryToken? = nil
    ) {
        var userInfo: [AnyHashable: Any] = [:]
        if !inserted.isEmpty { userInfo[NSInsertedObjectsKey] = inserted }
        if !updated.isEmpty { userInfo[NSUpdatedObjectsKey] = updated }
        if !deleted.isEmpty { userInfo[NSDeletedObjectsKey] = deleted }
        if !refreshed.isEmpty { userInfo[NSRefreshedObjectsKey] = refreshed }
        if userInfo.isEmpty { return }
        if let historyToken { userInfo[NSPersistentHistoryTokenKey] = historyToken }
        post(name, userInfo)
    }

    /// Posts a notification of this context, and then the messages with the same meaning. A pinned context adds its
    /// query generation.
    final func post(_ name: Notification.Name, _ userInfo: [AnyHashable: Any]) {
        var userInfo = userInfo
        if let token = queryGenerationToken { userInfo[NSManagedObjectContextQueryGenerationKey] = token }
        // The notification of a save without changes has an empty dictionary.
        let hasUserInfo = !userInfo.isEmpty || name == .NSManagedObjectContextDidSave
        NotificationCenter.default.post(name: name, object: self, userInfo: hasUserInfo ? userInfo : nil)
        #if compiler(>=6.2)
            postMessages(name, ContextMessageContent(self, userInfo))
        #endif
    }

    #if compiler(>=6.2)
        /// Posts the messages of a notification. Apple's Foundation makes them by itself, that on Linux doesn't.
        private final func postMessages(_ name: Notification.Name, _ content: ContextMessageContent) {
            switch name {
            case .NSManagedObjectContextObjectsDidChange: postOnMainActor { ObjectsDidChangeMessage(content) }
            case .NSManagedObjectContextWillSave: postOnMainActor { WillSaveMessage(content) }
            case .NSManagedObjectContextDidSave: postOnMainActor { DidSaveMessage(content) }
            case .NSManagedObjectContextDidSaveObjectIDs:
                postOnMainActor { DidSaveObjectIDsMessage(content) }
                NotificationCenter.default.post(DidSaveObjectIDsAsyncMessage(content), subject: self)
            case .NSManagedObjectContextDidMergeChangesObjectIDs:
                postOnMainActor { DidMergeChangesMessage(content) }
                NotificationCenter.default.post(DidMergeChangesAsyncMessage(content), subject: self)
            default: break
            }
        }

        /// Posts a message of the main actor, for a context of the main queue.
        private final func postOnMainActor<Message: NotificationCenter.MainActorMessage>(_ message: () -> Message)
        where Message.Subject == NSManagedObjectContext {
            guard concurrencyType == .mainQueueConcurrencyType, MainQueue.isCurrent else { return }
            let message = UncheckedSendableBox(message())
            MainActor.assumeIsolated { NotificationCenter.default.post(message.value, subject: self) }
        }
    #endif
}
