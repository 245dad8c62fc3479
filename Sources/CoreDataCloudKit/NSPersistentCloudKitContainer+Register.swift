// SPDX-License-Identifier: Apache-2.0

@_exported public import CoreData
@_exported public import CoreDataSync
import OpenCoreData

/// Servers in place of CloudKit: an extension of ours.
extension NSPersistentCloudKitContainer {
    /// Registers a server that stands for a container of CloudKit. An extension: call it once, before containers are
    /// made. The rest of the program is as on Apple's platforms.
    ///
    /// ```swift
    /// NSPersistentCloudKitContainer.register(
    ///     URL(string: "https://notes.example.org")!, for: "iCloud.org.example.notes"
    /// ) { try await account.token() }
    /// let container = NSPersistentCloudKitContainer(name: "Notes")
    /// container.loadPersistentStores { description, error in … }
    /// ```
    ///
    /// SQLite stores whose description has the container in its `cloudKitContainerOptions` sync with the server from
    /// when they are loaded until their `NSPersistentCloudKitContainer` is released; so does the store of the
    /// description that a new container has, if this container of CloudKit was registered first. The configurations of
    /// SwiftData do the same by `cloudKitDatabase`. Each store has a ``SyncEngine``, whose work is told by
    /// `eventChangedNotification`.
    ///
    /// The objects that a store has before it syncs for the first time go to the server. What the server refuses is
    /// kept: ``syncEngine(for:)`` has the problems, and decides where a store can't go on by itself.
    ///
    /// Any thread may call it. A second call for the same container replaces the server of stores that are loaded
    /// later.
    ///
    /// - Parameters:
    ///   - server: the URL of the server, without the path `sync`.
    ///   - containerIdentifier: the identifier of the container in CloudKit, as `iCloud.org.example.notes`.
    ///   - configuration: how the engines work. The URL of a side store has no effect: each store has another one.
    ///   - token: gives the token of the user: see ``SyncEngine``.
    public static func register(
        _ server: URL, for containerIdentifier: String,
        configuration: SyncEngine.Configuration = SyncEngine.Configuration(),
        token: @escaping @Sendable () async throws -> String
    ) {
        register(containerIdentifier, isFirst: true, configuration) { HTTPTransport(server, token: token) }
    }

    /// The engine that syncs a store of the container; nil if none does. An extension.
    ///
    /// - Parameter store: a store that the container has loaded.
    public func syncEngine(for store: NSPersistentStore) -> SyncEngine? { (mirror(of: store) as? SyncMirror)?.engine }

    /// The engine that syncs a store of the process, also one of SwiftData; nil if none does. An extension.
    ///
    /// - Parameter url: the URL of the store's file.
    public static func syncEngine(forStoreAt url: URL) -> SyncEngine? { SyncMirror.engine(forStoreAt: url) }

    /// Registers the way to a server.
    ///
    /// - Parameter isFirst: whether stores that name no container are for this one, if none was registered before.
    static func register(
        _ containerIdentifier: String, isFirst: Bool,
        _ configuration: SyncEngine.Configuration = SyncEngine.Configuration(),
        transport: @escaping @Sendable () -> any SyncTransport
    ) {
        CloudKitMirrors.register(containerIdentifier, isFirst: isFirst) { store, coordinator, report in
            try SyncMirror(store, coordinator, configuration, transport(), report)
        }
    }
}
