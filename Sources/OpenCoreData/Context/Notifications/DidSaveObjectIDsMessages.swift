#if compiler(>=6.2)
    extension NSManagedObjectContext {
        /// `NSManagedObjectContextDidSaveObjectIDs` as a message: a context whose queue is the main one has saved.
        public struct DidSaveObjectIDsMessage: NotificationCenter.MainActorMessage {
            public typealias Subject = NSManagedObjectContext
            public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

            private let content: ObjectIDsMessageContent
            /// The context.
            public var context: NSManagedObjectContext { content.context }
            /// The IDs of the new objects.
            public var insertedIDs: Set<NSManagedObjectID> { content.inserted }
            /// The IDs of the changed objects.
            public var updatedIDs: Set<NSManagedObjectID> { content.updated }
            /// The IDs of the deleted objects.
            public var deletedIDs: Set<NSManagedObjectID> { content.deleted }
            /// The IDs of the refreshed objects.
            public var refreshedIDs: Set<NSManagedObjectID> { content.refreshed }
            /// The IDs of the invalidated objects.
            public var invalidatedIDs: Set<NSManagedObjectID> { content.invalidated }
            /// The context's query generation, nil if it isn't pinned.
            public var queryGeneration: NSQueryGenerationToken? { content.queryGeneration }

            /// The message of a notification; nil if that isn't a context's.
            public static func makeMessage(_ notification: Notification) -> Self? {
                ContextMessageContent(notification, name).map(Self.init)
            }
            /// The notification of a message.
            public static func makeNotification(_ message: Self) -> Notification { message.content.notification(name) }

            init(_ content: ContextMessageContent) { self.content = ObjectIDsMessageContent(content) }
        }

        /// `NSManagedObjectContextDidSaveObjectIDs` as a message for any task: a context has saved.
        public struct DidSaveObjectIDsAsyncMessage: NotificationCenter.AsyncMessage, Sendable {
            public typealias Subject = NSManagedObjectContext
            public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

            private let content: ObjectIDsMessageContent
            /// The context.
            public var context: NSManagedObjectContext { content.context }
            /// The IDs of the new objects.
            public var insertedIDs: Set<NSManagedObjectID> { content.inserted }
            /// The IDs of the changed objects.
            public var updatedIDs: Set<NSManagedObjectID> { content.updated }
            /// The IDs of the deleted objects.
            public var deletedIDs: Set<NSManagedObjectID> { content.deleted }
            /// The IDs of the refreshed objects.
            public var refreshedIDs: Set<NSManagedObjectID> { content.refreshed }
            /// The IDs of the invalidated objects.
            public var invalidatedIDs: Set<NSManagedObjectID> { content.invalidated }
            /// The context's query generation, nil if it isn't pinned.
            public var queryGeneration: NSQueryGenerationToken? { content.queryGeneration }

            /// The message of a notification; nil if that isn't a context's.
            public static func makeMessage(_ notification: Notification) -> Self? {
                ContextMessageContent(notification, name).map(Self.init)
            }
            /// The notification of a message.
            public static func makeNotification(_ message: Self) -> Notification { message.content.notification(name) }

            init(_ content: ContextMessageContent) { self.content = ObjectIDsMessageContent(content) }
        }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsMessage> {
        /// Saves of a context of the main queue, with object IDs.
        public static var didSaveObjectIDs:
            NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsMessage>
        { .init() }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsAsyncMessage> {
        /// Saves of a context, with object IDs.
        public static var didSaveObjectIDsAsync:
            NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsAsyncMessage>
        { .init() }
    }
#endif
