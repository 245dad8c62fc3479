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

    /// The beginning or the end of a part of the work with CloudKit. There are none here, since nothing is mirrored.
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
        open var succeeded: Bool { values.succeeded }
        /// The error of an event that has failed.
        open var error: (any Error)? { values.error }

        open func copy(with zone: NSZone? = nil) -> Any { self }
    }

    struct EventValues: Sendable {
        let identifier: UUID
        let storeIdentifier: String
        let type: EventType
        let startDate: Date
        let endDate: Date?
        let succeeded: Bool
        let error: (any Error)?
    }
}
