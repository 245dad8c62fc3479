// SPDX-License-Identifier: Apache-2.0

#if compiler(>=6.2)
    extension NSPersistentStoreCoordinator {
        /// `NSPersistentStoreCoordinatorStoresDidChange` as a message of the main actor: stores were added or removed
        /// on the main queue.
        public struct StoresDidChangeMessage: NotificationCenter.MainActorMessage {
            public typealias Subject = NSPersistentStoreCoordinator
            public static var name: Notification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

            private let content: StoresMessageContent
            /// The coordinator.
            public let persistentStoreCoordinator: NSPersistentStoreCoordinator
            /// The stores that were added.
            public var addedStores: [NSPersistentStore] { content.added }
            /// The stores that were removed.
            public var removedStores: [NSPersistentStore] { content.removed }
            /// The store before and after its UUID has changed; nil if none has.
            public var uuidChangedStores: (oldValue: NSPersistentStore, newValue: NSPersistentStore)? {
                content.uuidChanged
            }

            /// Makes the message of a notification; nil if the notification has another name or object.
            public static func makeMessage(_ notification: Notification) -> Self? {
                StoresMessageContent(notification).map(Self.init)
            }
            /// Makes the notification of a message.
            public static func makeNotification(_ message: Self) -> Notification { message.content.notification }

            init(_ content: StoresMessageContent) {
                self.content = content
                persistentStoreCoordinator = content.coordinator
            }
        }

        /// `NSPersistentStoreCoordinatorStoresDidChange` as a message for any task.
        public struct StoresDidChangeAsyncMessage: NotificationCenter.AsyncMessage, Sendable {
            public typealias Subject = NSPersistentStoreCoordinator
            public static var name: Notification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

            private let content: StoresMessageContent
            /// The coordinator.
            public let persistentStoreCoordinator: NSPersistentStoreCoordinator
            /// The stores that were added.
            public var addedStores: [NSPersistentStore] { content.added }
            /// The stores that were removed.
            public var removedStores: [NSPersistentStore] { content.removed }
            /// The store before and after its UUID has changed; nil if none has.
            public var uuidChangedStores: (oldValue: NSPersistentStore, newValue: NSPersistentStore)? {
                content.uuidChanged
            }

            /// Makes the message of a notification; nil if the notification has another name or object.
            public static func makeMessage(_ notification: Notification) -> Self? {
                StoresMessageContent(notification).map(Self.init)
            }
            /// Makes the notification of a message.
            public static func makeNotification(_ message: Self) -> Notification { message.content.notification }

            init(_ content: StoresMessageContent) {
                self.content = content
                persistentStoreCoordinator = content.coordinator
            }
        }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.StoresDidChangeMessage> {
        /// Changes of a coordinator's stores on the main queue.
        public static var storesDidChange:
            NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.StoresDidChangeMessage>
        { .init() }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage> {
        /// Changes of a coordinator's stores.
        public static var storesDidChangeAsync:
            NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage>
        { .init() }
    }

    /// The contents of the notification. Stores and coordinators may be used from any thread, hence Sendable.
    struct StoresMessageContent: Sendable {
        let coordinator: NSPersistentStoreCoordinator
        let added: [NSPersistentStore]
        let removed: [NSPersistentStore]
        let uuidChanged: (oldValue: NSPersistentStore, newValue: NSPersistentStore)?

        init(_ coordinator: NSPersistentStoreCoordinator, _ userInfo: [AnyHashable: Any]) {
            func stores(_ key: String) -> [NSPersistentStore] { userInfo[key] as? [NSPersistentStore] ?? [] }
            self.coordinator = coordinator
            added = stores(NSAddedPersistentStoresKey)
            removed = stores(NSRemovedPersistentStoresKey)
            let changed = stores(NSUUIDChangedPersistentStoresKey)
            uuidChanged = changed.count >= 2 ? (changed[0], changed[1]) : nil
        }

        init?(_ notification: Notification) {
            guard notification.name == .NSPersistentStoreCoordinatorStoresDidChange,
                let coordinator = notification.object as? NSPersistentStoreCoordinator
            else { return nil }
            self.init(coordinator, notification.userInfo ?? [:])
        }

        var notification: Notification {
            var userInfo: [AnyHashable: Any] = [:]
            if !added.isEmpty { userInfo[NSAddedPersistentStoresKey] = added }
            if !removed.isEmpty { userInfo[NSRemovedPersistentStoresKey] = removed }
            if let uuidChanged {
                userInfo[NSUUIDChangedPersistentStoresKey] = [uuidChanged.oldValue, uuidChanged.newValue]
            }
            return Notification(
                name: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, userInfo: userInfo)
        }
    }
#endif

extension NSPersistentStoreCoordinator {
    /// Posts the notification that stores were added or removed, then the messages of the same meaning.
    final func postStoresDidChange(_ userInfo: [AnyHashable: Any]) {
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: userInfo)
        #if compiler(>=6.2)
            let content = StoresMessageContent(self, userInfo)
            if MainQueue.isCurrent {
                MainActor.assumeIsolated {
                    NotificationCenter.default.post(StoresDidChangeMessage(content), subject: self)
                }
            }
            NotificationCenter.default.post(StoresDidChangeAsyncMessage(content), subject: self)
        #endif
    }
}
