#if compiler(>=6.2)
    extension NSManagedObjectContext {
        /// `NSManagedObjectContextDidMergeChangesObjectIDs` as a message: a context whose queue is the main one has
        /// merged what others have saved.
        public struct DidMergeChangesMessage: NotificationCenter.MainActorMessage {
            public typealias Subject = NSManagedObjectContext
            public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }

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

        /// `NSManagedObjectContextDidMergeChangesObjectIDs` as a message for any task: a context has merged what others
        /// have saved.
        public struct DidMergeChangesAsyncMessage: NotificationCenter.AsyncMessage, Sendable {
            public typealias Subject = NSManagedObjectContext
            public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }

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
    where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesMessage> {
        /// Merges of a context of the main queue.
        public static var didMergeChanges:
            NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesMessage>
        { .init() }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesAsyncMessage> {
        /// Merges of a context.
        public static var didMergeChangesAsync:
            NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesAsyncMessage>
        { .init() }
    }
#endif
