// SPDX-License-Identifier: Apache-2.0

#if compiler(>=6.2)
    /// A context and the `userInfo` of one of its notifications: the content of the context's messages.
    ///
    /// A message for other tasks reads nothing but IDs from it.
    struct ContextMessageContent {
        let context: NSManagedObjectContext
        private let deferredUserInfo: DeferredUserInfo
        /// The IDs of a save.
        let savedIDs: SavedObjectIDs?
        let queryGeneration: NSQueryGenerationToken?
        let historyToken: NSPersistentHistoryToken?

        init(
            _ context: NSManagedObjectContext, _ userInfo: DeferredUserInfo, savedIDs: SavedObjectIDs?,
            queryGeneration: NSQueryGenerationToken?, historyToken: NSPersistentHistoryToken?
        ) {
            self.context = context
            deferredUserInfo = userInfo
            self.savedIDs = savedIDs
            self.queryGeneration = queryGeneration
            self.historyToken = historyToken
        }

        init(_ context: NSManagedObjectContext, _ userInfo: [AnyHashable: Any]) {
            self.init(
                context, DeferredUserInfo { userInfo }, savedIDs: nil,
                queryGeneration: userInfo[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken,
                historyToken: userInfo[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
        }

        init?(_ notification: Notification, _ name: Notification.Name) {
            guard notification.name == name, let context = notification.object as? NSManagedObjectContext else {
                return nil
            }
            self.init(context, notification.userInfo ?? [:])
        }

        var userInfo: [AnyHashable: Any] { deferredUserInfo.dictionary }

        func objects(_ key: String) -> Set<NSManagedObject> { userInfo[key] as? Set<NSManagedObject> ?? [] }
        func ids(_ key: String) -> Set<NSManagedObjectID> { userInfo[key] as? Set<NSManagedObjectID> ?? [] }
        func notification(_ name: Notification.Name) -> Notification {
            Notification(name: name, object: context, userInfo: userInfo)
        }
    }
#endif
