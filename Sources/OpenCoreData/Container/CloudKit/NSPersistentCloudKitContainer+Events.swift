// SPDX-License-Identifier: Apache-2.0

extension NSPersistentCloudKitContainer {
    /// The kinds of events.
    public enum EventType: Int, Sendable {
        /// A store is prepared for CloudKit.
        case setup = 0
        /// Records are imported from CloudKit.
        case `import` = 1
        /// Changes are exported to CloudKit.
        case export = 2
    }

    /// The beginning or the end of a part of the work with CloudKit, or with the server that stands for it.
    ///
    /// Immutable: any thread may use an event.
    open class Event: NSObject, NSCopying, @unchecked Sendable {
        private let values: EventValues

        init(_ values: EventValues) {
            self.values = values
            super.init()
        }

        /// The identifier of the event: the same for its beginning and its end.
        open var identifier: UUID { values.identifier }
        /// The UUID of the store.
        open var storeIdentifier: String { values.storeIdentifier }
        /// The kind of the event.
        open var type: EventType { values.type }
        /// When the event began.
        open var startDate: Date { values.startDate }
        /// When the event ended; nil while it goes on.
        open var endDate: Date? { values.endDate }
        /// Whether the event has ended without an error.
        open var succeeded: Bool { values.endDate != nil && values.error == nil }
        /// The error of an event that has failed.
        open var error: (any Error)? { values.error }

        open func copy(with zone: NSZone? = nil) -> Any { self }
    }

    /// The values of an event.
    package struct EventValues: Sendable {
        let identifier: UUID
        let storeIdentifier: String
        let type: EventType
        let startDate: Date
        package var endDate: Date?
        package var error: (any Error)?

        package init(
            identifier: UUID, storeIdentifier: String, type: EventType, startDate: Date, endDate: Date? = nil,
            error: (any Error)? = nil
        ) {
            self.identifier = identifier
            self.storeIdentifier = storeIdentifier
            self.type = type
            self.startDate = startDate
            self.endDate = endDate
            self.error = error
        }
    }
}
