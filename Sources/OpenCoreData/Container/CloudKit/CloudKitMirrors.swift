// SPDX-License-Identifier: Apache-2.0

/// The work that keeps a store in sync with the server of a CloudKit container.
package protocol CloudKitMirror: Sendable {
    /// Ends the work soon. The store stays open.
    func stop()

    /// Compares the model of the store with the server's, and waits for the answer.
    ///
    /// - Throws: the reason for which the server doesn't serve the model, or can't be asked, with what to do.
    func checkSchema() throws

    /// Prints the entities that travel, with their properties.
    func printSchema()
}

/// The servers that stand for containers of CloudKit, by the identifiers of the containers. The module
/// `CoreDataCloudKit` registers them.
package enum CloudKitMirrors {
    /// Makes the mirror of a store. It reports each event at its beginning and at its end.
    package typealias Make =
        @Sendable (
            _ store: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator,
            _ report: @escaping @Sendable (NSPersistentCloudKitContainer.EventValues) -> Void
        ) throws -> any CloudKitMirror

    /// The queue on which events are posted, one after the other.
    private static let queue = DispatchQueue(label: "NSPersistentCloudKitContainer.events")

    private struct Registrations {
        var makes: [String: Make] = [:]
        var firstIdentifier: String?
        /// The identifiers without a server that the log has named.
        var missing: Set<String> = []
    }

    private static let registrations = Locked(Registrations())

    /// Registers a server, or replaces the one that is registered for the identifier.
    ///
    /// - Parameter isFirst: whether stores that name no container are for this one, if none was registered before.
    package static func register(_ identifier: String, isFirst: Bool, _ make: @escaping Make) {
        registrations.withLock { registrations in
            registrations.makes[identifier] = make
            if isFirst, registrations.firstIdentifier == nil { registrations.firstIdentifier = identifier }
        }
    }

    /// The container that stands for the first one of a program's entitlements: the one that was registered first.
    package static var firstIdentifier: String? { registrations.withLock { $0.firstIdentifier } }

    private static func make(_ identifier: String) -> Make? {
        let (make, isNew) = registrations.withLock { registrations in
            let make = registrations.makes[identifier]
            return (make, make == nil && registrations.missing.insert(identifier).inserted)
        }
        if isNew {
            CoreDataLog.warning(
                """
                No server is registered for the CloudKit container \(identifier): nothing is mirrored. Its stores are \
                local, with persistent history.
                """)
        }
        return make
    }

    /// Begins to mirror a store.
    ///
    /// - Parameters:
    ///   - identifier: the identifier of the CloudKit container.
    ///   - object: gives the object of the notifications of events.
    /// - Returns: nil if no server is registered for the identifier, or if the store can't be mirrored: an event with
    ///   the error says why.
    package static func start(
        _ store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator, identifier: String,
        object: @escaping @Sendable () -> AnyObject?
    ) -> (any CloudKitMirror)? {
        guard let make = make(identifier) else { return nil }
        let events = coordinator.cloudKitEvents
        let report = { @Sendable (values: NSPersistentCloudKitContainer.EventValues) in
            let event = NSPersistentCloudKitContainer.Event(values)
            events.note(event, id: event.identifier)
            // An observer may wait for a thread that waits for the mirror.
            queue.async {
                NotificationCenter.default.post(
                    name: NSPersistentCloudKitContainer.eventChangedNotification, object: object(),
                    userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: event])
            }
        }
        do {
            return try make(store, coordinator, report)
        } catch {
            CoreDataLog.warning(
                "The store \(store.url?.lastPathComponent ?? "") isn't mirrored: \(error.localizedDescription)")
            let now = Date()
            report(
                NSPersistentCloudKitContainer.EventValues(
                    identifier: UUID(), storeIdentifier: store.identifier ?? "", type: .setup, startDate: now,
                    endDate: now, error: error))
            return nil
        }
    }
}
