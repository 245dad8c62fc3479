// SPDX-License-Identifier: Apache-2.0

#if compiler(>=6.2)
    /// The messages that hold object IDs: of saves and of merges, for the main actor and for any task.
    extension NSManagedObjectContext {
        /// **Extension.** The changes of a save or a merge of a context, as object IDs.
        public struct ObjectIDs: Sendable {
            /// The context.
            public let context: NSManagedObjectContext
            /// The IDs of the inserted objects.
            public var inserted: Set<NSManagedObjectID> { saved?.inserted ?? reported[0] }
            /// The IDs of the updated objects.
            public var updated: Set<NSManagedObjectID> { saved?.updated ?? reported[1] }
            /// The IDs of the deleted objects.
            public var deleted: Set<NSManagedObjectID> { saved?.deleted ?? reported[2] }
            /// The IDs of the refreshed objects.
            public var refreshed: Set<NSManagedObjectID> { reported[3] }
            /// The IDs of the invalidated objects.
            public var invalidated: Set<NSManagedObjectID> { reported[4] }
            /// The context's query generation; nil if it isn't pinned.
            public let queryGeneration: NSQueryGenerationToken?
            /// The transactions of the changes; nil if no store records its history.
            public let historyToken: NSPersistentHistoryToken?
            /// The IDs of a save. Their sets are made when the reader of a message asks for them.
            private let saved: SavedObjectIDs?
            /// The IDs of a notification, in the order of the properties.
            private let reported: [Set<NSManagedObjectID>]

            init(_ content: ContextMessageContent) {
                context = content.context
                saved = content.savedIDs
                reported =
                    content.savedIDs == nil
                    ? [
                        content.ids(NSInsertedObjectIDsKey), content.ids(NSUpdatedObjectIDsKey),
                        content.ids(NSDeletedObjectIDsKey), content.ids(NSRefreshedObjectIDsKey),
                        content.ids(NSInvalidatedObjectIDsKey),
                    ] : [[], [], [], [], []]
                queryGeneration = content.queryGeneration
                historyToken = content.historyToken
            }

            fileprivate func notification(_ name: Notification.Name) -> Notification {
                var userInfo: [AnyHashable: Any] = [:]
                for (key, ids) in [
                    (NSInsertedObjectIDsKey, inserted), (NSUpdatedObjectIDsKey, updated),
                    (NSDeletedObjectIDsKey, deleted), (NSRefreshedObjectIDsKey, refreshed),
                    (NSInvalidatedObjectIDsKey, invalidated),
                ] where !ids.isEmpty {
                    userInfo[key] = ids
                }
                if let queryGeneration { userInfo[NSManagedObjectContextQueryGenerationKey] = queryGeneration }
                if let historyToken { userInfo[NSPersistentHistoryTokenKey] = historyToken }
                return Notification(name: name, object: context, userInfo: userInfo)
            }
        }

        /// **Extension.** A message that holds object IDs: the members of the four messages are declared here.
        public protocol ObjectIDsMessage: Sendable {
            /// The name of the notification with the same meaning.
            static var name: Notification.Name { get }
            /// The context and the IDs.
            var objectIDs: ObjectIDs { get }
            /// Makes a message.
            init(objectIDs: ObjectIDs)
        }

        /// `NSManagedObjectContextDidSaveObjectIDs` as a message: a context of the main queue has saved.
        public struct DidSaveObjectIDsMessage: NotificationCenter.MainActorMessage, ObjectIDsMessage {
            public typealias Subject = NSManagedObjectContext
            public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

            public let objectIDs: ObjectIDs

            public init(objectIDs: ObjectIDs) { self.objectIDs = objectIDs }
        }

        /// `NSManagedObjectContextDidSaveObjectIDs` as a message for any task: a context has saved.
        public struct DidSaveObjectIDsAsyncMessage: NotificationCenter.AsyncMessage, ObjectIDsMessage {
            public typealias Subject = NSManagedObjectContext
            public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

            public let objectIDs: ObjectIDs

            public init(objectIDs: ObjectIDs) { self.objectIDs = objectIDs }
        }

        /// `NSManagedObjectContextDidMergeChangesObjectIDs` as a message: a context of the main queue has merged
        /// changes of another context or process.
        public struct DidMergeChangesMessage: NotificationCenter.MainActorMessage, ObjectIDsMessage {
            public typealias Subject = NSManagedObjectContext
            public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }

            public let objectIDs: ObjectIDs

            public init(objectIDs: ObjectIDs) { self.objectIDs = objectIDs }
        }

        /// `NSManagedObjectContextDidMergeChangesObjectIDs` as a message for any task: a context has merged changes of
        /// another context or process.
        public struct DidMergeChangesAsyncMessage: NotificationCenter.AsyncMessage, ObjectIDsMessage {
            public typealias Subject = NSManagedObjectContext
            public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }

            public let objectIDs: ObjectIDs

            public init(objectIDs: ObjectIDs) { self.objectIDs = objectIDs }
        }
    }

    extension NSManagedObjectContext.ObjectIDsMessage {
        /// The context.
        public var context: NSManagedObjectContext { objectIDs.context }
        /// The IDs of the inserted objects.
        public var insertedIDs: Set<NSManagedObjectID> { objectIDs.inserted }
        /// The IDs of the updated objects.
        public var updatedIDs: Set<NSManagedObjectID> { objectIDs.updated }
        /// The IDs of the deleted objects.
        public var deletedIDs: Set<NSManagedObjectID> { objectIDs.deleted }
        /// The IDs of the refreshed objects.
        public var refreshedIDs: Set<NSManagedObjectID> { objectIDs.refreshed }
        /// The IDs of the invalidated objects.
        public var invalidatedIDs: Set<NSManagedObjectID> { objectIDs.invalidated }
        /// The context's query generation; nil if it isn't pinned.
        public var queryGeneration: NSQueryGenerationToken? { objectIDs.queryGeneration }
        /// The transactions of the changes; nil if no store records its history.
        public var historyToken: NSPersistentHistoryToken? { objectIDs.historyToken }

        init(_ content: ContextMessageContent) { self.init(objectIDs: NSManagedObjectContext.ObjectIDs(content)) }

        /// The message of a notification; nil if the notification isn't a context's.
        public static func makeMessage(_ notification: Notification) -> Self? {
            ContextMessageContent(notification, name).map { Self($0) }
        }
        /// The notification of a message.
        public static func makeNotification(_ message: Self) -> Notification { message.objectIDs.notification(name) }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsMessage> {
        /// Saves of a context of the main queue, with object IDs.
        public static var didSaveObjectIDs:
            NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsMessage>
        {
            .init()
        }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsAsyncMessage> {
        /// Saves of a context, with object IDs.
        public static var didSaveObjectIDsAsync:
            NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsAsyncMessage>
        {
            .init()
        }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesMessage> {
        /// Merges of a context of the main queue.
        public static var didMergeChanges:
            NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesMessage>
        {
            .init()
        }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesAsyncMessage> {
        /// Merges of a context.
        public static var didMergeChangesAsync:
            NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesAsyncMessage>
        {
            .init()
        }
    }
#endif
