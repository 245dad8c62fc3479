// SPDX-License-Identifier: Apache-2.0

import CoreData

extension SyncEngine {
    /// Gives objects the names of their CloudKit records as identities, once, before the store syncs for the first
    /// time: devices that have mirrored the same objects by `NSPersistentCloudKitContainer` agree on them then, and
    /// none comes twice. In an app for Apple's platforms:
    ///
    ///     let names = container.recordIDs(for: objectIDs).mapValues(\.recordName)
    ///     try await engine.adopt(recordNames: names)
    ///     try await engine.begin(.upload)
    ///
    /// `coredata sync adopt-cloudkit` does the same for a file. Objects with an identifying attribute have its value as
    /// identity, whatever their record; objects without a record get a random one. The next call replaces the names.
    ///
    /// - Parameter recordNames: the names of the records, by permanent IDs of objects of the engine's store.
    /// - Throws: ``SyncEngineError/unadoptable(_:)`` if the store syncs already, or if two objects have one name;
    ///   ``SyncEngineError/otherProcess``, and errors of the stores.
    public func adopt(recordNames: [NSManagedObjectID: String]) async throws {
        try await whileStopped { _ = try $0.adopt(recordNames) }
    }
}
