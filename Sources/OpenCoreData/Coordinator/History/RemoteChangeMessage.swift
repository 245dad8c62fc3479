// SPDX-License-Identifier: Apache-2.0

#if compiler(>=6.2)
    extension NSPersistentStoreCoordinator {
        /// `NSPersistentStoreRemoteChange` as a message for any task: a store was written to.
        public struct RemoteChangeMessage: NotificationCenter.AsyncMessage, Sendable {
            public typealias Subject = NSPersistentStoreCoordinator
            public static var name: Notification.Name { .NSPersistentStoreRemoteChange }

            /// The coordinator.
            public let persistentStoreCoordinator: NSPersistentStoreCoordinator
            /// The UUID of the store.
            public let storeUUID: String
            /// The URL of the store.
            public let storeURL: URL
            /// The newest transaction of the store; nil for a store without persistent history.
            public let historyToken: NSPersistentHistoryToken?

            /// Makes the message of a notification; nil if the notification has another name or object.
            public static func makeMessage(_ notification: Notification) -> Self? {
                guard notification.name == name,
                    let coordinator = notification.object as? NSPersistentStoreCoordinator
                else { return nil }
                return Self(coordinator, notification.userInfo ?? [:])
            }

            /// Makes the notification of a message.
            public static func makeNotification(_ message: Self) -> Notification {
                var userInfo: [AnyHashable: Any] = [
                    NSStoreUUIDKey: message.storeUUID, NSPersistentStoreURLKey: message.storeURL,
                ]
                if let token = message.historyToken { userInfo[NSPersistentHistoryTokenKey] = token }
                return Notification(name: name, object: message.persistentStoreCoordinator, userInfo: userInfo)
            }

            init?(_ coordinator: NSPersistentStoreCoordinator, _ userInfo: [AnyHashable: Any]) {
                guard let uuid = userInfo[NSStoreUUIDKey] as? String,
                    let url = userInfo[NSPersistentStoreURLKey] as? URL
                else { return nil }
                persistentStoreCoordinator = coordinator
                storeUUID = uuid
                storeURL = url
                historyToken = userInfo[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
            }
        }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.RemoteChangeMessage> {
        /// Writes to the stores of a coordinator, by any process.
        public static var remoteChange:
            NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.RemoteChangeMessage>
        { .init() }
    }
#endif
