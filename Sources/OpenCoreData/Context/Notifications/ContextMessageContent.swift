#if compiler(>=6.2)
    /// A context and the `userInfo` of one of its notifications, of which its messages are made.
    ///
    /// A message for other tasks reads nothing but IDs from it.
    struct ContextMessageContent {
        let context: NSManagedObjectContext
        let userInfo: [AnyHashable: Any]

        init(_ context: NSManagedObjectContext, _ userInfo: [AnyHashable: Any]) {
            self.context = context
            self.userInfo = userInfo
        }

        init?(_ notification: Notification, _ name: Notification.Name) {
            guard notification.name == name, let context = notification.object as? NSManagedObjectContext else {
                return nil
            }
            self.init(context, notification.userInfo ?? [:])
        }

        func objects(_ key: String) -> Set<NSManagedObject> { userInfo[key] as? Set<NSManagedObject> ?? [] }
        func ids(_ key: String) -> Set<NSManagedObjectID> { userInfo[key] as? Set<NSManagedObjectID> ?? [] }
        var queryGeneration: NSQueryGenerationToken? {
            userInfo[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken
        }
        var historyToken: NSPersistentHistoryToken? {
            userInfo[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
        }
        func notification(_ name: Notification.Name) -> Notification {
            Notification(name: name, object: context, userInfo: userInfo)
        }
    }
#endif
