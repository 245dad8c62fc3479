#if compiler(>=6.2)
    /// What a notification of a context says in object IDs: the messages that hold nothing else are made of it.
    struct ObjectIDsMessageContent: Sendable {
        let context: NSManagedObjectContext
        let inserted: Set<NSManagedObjectID>
        let updated: Set<NSManagedObjectID>
        let deleted: Set<NSManagedObjectID>
        let refreshed: Set<NSManagedObjectID>
        let invalidated: Set<NSManagedObjectID>
        let queryGeneration: NSQueryGenerationToken?

        init(_ content: ContextMessageContent) {
            context = content.context
            inserted = content.ids(NSInsertedObjectIDsKey)
            updated = content.ids(NSUpdatedObjectIDsKey)
            deleted = content.ids(NSDeletedObjectIDsKey)
            refreshed = content.ids(NSRefreshedObjectIDsKey)
            invalidated = content.ids(NSInvalidatedObjectIDsKey)
            queryGeneration = content.queryGeneration
        }

        func notification(_ name: Notification.Name) -> Notification {
            var userInfo: [AnyHashable: Any] = [:]
            for (key, ids) in [
                (NSInsertedObjectIDsKey, inserted), (NSUpdatedObjectIDsKey, updated), (NSDeletedObjectIDsKey, deleted),
                (NSRefreshedObjectIDsKey, refreshed),
                (NSInvalidatedObjectIDsKey, invalidated),
            ] where !ids.isEmpty {
                userInfo[key] = ids
            }
            if let queryGeneration { userInfo[NSManagedObjectContextQueryGenerationKey] = queryGeneration }
            return Notification(name: name, object: context, userInfo: userInfo)
        }
    }
#endif
