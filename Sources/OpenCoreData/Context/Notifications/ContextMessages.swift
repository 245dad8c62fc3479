// SPDX-License-Identifier: Apache-2.0

#if compiler(>=6.2)
    extension NSManagedObjectContext {
        /// `NSManagedObjectContextObjectsDidChange` as a message: a context of the main queue has processed changes.
        public struct ObjectsDidChangeMessage: NotificationCenter.MainActorMessage {
            public typealias Subject = NSManagedObjectContext
            public static var name: Notification.Name { .NSManagedObjectContextObjectsDidChange }

            private let content: ContextMessageContent
            /// The context.
            public let context: NSManagedObjectContext
            /// True if the context was reset, else nil.
            public var invalidatedAll: Bool? { content.userInfo[NSInvalidatedAllObjectsKey] == nil ? nil : true }
            /// The inserted objects.
            public var inserted: Set<NSManagedObject> { content.objects(NSInsertedObjectsKey) }
            /// The updated objects.
            public var updated: Set<NSManagedObject> { content.objects(NSUpdatedObjectsKey) }
            /// The deleted objects.
            public var deleted: Set<NSManagedObject> { content.objects(NSDeletedObjectsKey) }
            /// The refreshed objects.
            public var refreshed: Set<NSManagedObject> { content.objects(NSRefreshedObjectsKey) }
            /// The invalidated objects.
            public var invalidated: Set<NSManagedObject> { content.objects(NSInvalidatedObjectsKey) }

            /// The message of a notification; nil if the notification isn't a context's.
            public static func makeMessage(_ notification: Notification) -> Self? {
                ContextMessageContent(notification, name).map(Self.init)
            }
            /// The notification of a message.
            public static func makeNotification(_ message: Self) -> Notification { message.content.notification(name) }

            init(_ content: ContextMessageContent) {
                self.content = content
                context = content.context
            }
        }

        /// `NSManagedObjectContextWillSave` as a message: a context of the main queue is about to save.
        public struct WillSaveMessage: NotificationCenter.MainActorMessage {
            public typealias Subject = NSManagedObjectContext
            public static var name: Notification.Name { .NSManagedObjectContextWillSave }

            private let content: ContextMessageContent
            /// The context.
            public let context: NSManagedObjectContext

            /// The message of a notification; nil if the notification isn't a context's.
            public static func makeMessage(_ notification: Notification) -> Self? {
                ContextMessageContent(notification, name).map(Self.init)
            }
            /// The notification of a message.
            public static func makeNotification(_ message: Self) -> Notification { message.content.notification(name) }

            init(_ content: ContextMessageContent) {
                self.content = content
                context = content.context
            }
        }

        /// `NSManagedObjectContextDidSave` as a message: a context of the main queue has saved.
        public struct DidSaveMessage: NotificationCenter.MainActorMessage {
            public typealias Subject = NSManagedObjectContext
            public static var name: Notification.Name { .NSManagedObjectContextDidSave }

            private let content: ContextMessageContent
            /// The context.
            public let context: NSManagedObjectContext
            /// The context's query generation; nil if it isn't pinned.
            public let queryGeneration: NSQueryGenerationToken?
            /// The transactions of the save; nil if no store records its history.
            public let historyToken: NSPersistentHistoryToken?
            /// The inserted objects.
            public var inserted: Set<NSManagedObject> { content.objects(NSInsertedObjectsKey) }
            /// The updated objects.
            public var updated: Set<NSManagedObject> { content.objects(NSUpdatedObjectsKey) }
            /// The deleted objects.
            public var deleted: Set<NSManagedObject> { content.objects(NSDeletedObjectsKey) }

            /// The message of a notification; nil if the notification isn't a context's.
            public static func makeMessage(_ notification: Notification) -> Self? {
                ContextMessageContent(notification, name).map(Self.init)
            }
            /// The notification of a message.
            public static func makeNotification(_ message: Self) -> Notification { message.content.notification(name) }

            init(_ content: ContextMessageContent) {
                self.content = content
                context = content.context
                queryGeneration = content.queryGeneration
                historyToken = content.historyToken
            }
        }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.ObjectsDidChangeMessage> {
        /// Changes of a context of the main queue.
        public static var objectsDidChange:
            NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.ObjectsDidChangeMessage>
        { .init() }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.WillSaveMessage> {
        /// Saves of a context of the main queue, before they happen.
        public static var willSave: NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.WillSaveMessage> {
            .init()
        }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveMessage> {
        /// Saves of a context of the main queue.
        public static var didSave: NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveMessage> {
            .init()
        }
    }
#endif
