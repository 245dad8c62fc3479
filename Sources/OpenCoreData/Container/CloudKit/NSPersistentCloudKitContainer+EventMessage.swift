// SPDX-License-Identifier: Apache-2.0

#if compiler(>=6.2)
    extension NSPersistentCloudKitContainer {
        /// The notification of an event as a message for any task.
        public struct EventChangedMessage: NotificationCenter.AsyncMessage, Sendable {
            public typealias Subject = NSPersistentCloudKitContainer
            public static var name: Notification.Name { eventChangedNotification }

            /// The event.
            public let event: NSPersistentCloudKitContainer.Event
            private let container: NSPersistentCloudKitContainer

            /// Makes the message of a notification; nil if the notification has another name, or no event.
            public static func makeMessage(_ notification: Notification) -> Self? {
                guard notification.name == name,
                    let container = notification.object as? NSPersistentCloudKitContainer,
                    let event = notification.userInfo?[eventNotificationUserInfoKey] as? Event
                else { return nil }
                return Self(event: event, container: container)
            }

            /// Makes the notification of a message.
            public static func makeNotification(_ message: Self) -> Notification {
                Notification(
                    name: name, object: message.container, userInfo: [eventNotificationUserInfoKey: message.event])
            }
        }
    }

    extension NotificationCenter.MessageIdentifier
    where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentCloudKitContainer.EventChangedMessage> {
        /// Events of a container.
        public static var eventChanged:
            NotificationCenter.BaseMessageIdentifier<NSPersistentCloudKitContainer.EventChangedMessage>
        { .init() }
    }
#endif
