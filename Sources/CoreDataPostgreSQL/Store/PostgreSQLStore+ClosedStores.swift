// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLStore: StoreAddressing {
    static func address(of url: URL) -> String? {
        guard let scheme = url.scheme?.lowercased(), PostgreSQLLocation.schemes.contains(scheme) else { return nil }
        // A URL that can't be parsed names a store that no other URL names.
        return (try? PostgreSQLLocation(url: url))?.address ?? publicURL(of: url).absoluteString
    }

    static func publicURL(of url: URL) -> URL {
        (try? PostgreSQLURL(url))?.publicURL ?? URL(string: "postgresql:") ?? URL(fileURLWithPath: "/")
    }

    static func location(_ url: URL, options: [AnyHashable: Any]?) -> URL {
        PostgreSQLLocation.url(url, options: options)
    }
}

/// The operations on a store that need no coordinator.
///
/// The URL of an open store has no password. Give the URL with which the store was added, or have libpq find the
/// password in its files.
extension PostgreSQLStore: ReplaceableStore {
    static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        try PostgreSQLClosedStore(url, options).read { try $0.metadata().dictionary }
    }

    static func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {
        let store = try PostgreSQLClosedStore(url, options)
        try store.checkWritable()
        try store.write { access in
            try access.connection.transaction {
                let old = try access.metadata()
                try PostgreSQLStoreMetadata(identifier: old.identifier, replacedBy: metadata)
                    .writeKeepingModel(on: access.connection, access.dialect)
            }
        }
    }

    static func cachedModel(at url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel {
        try PostgreSQLClosedStore(url, options).read { try $0.cachedModel() }
    }

    static func contents(at url: URL, options: [AnyHashable: Any]?) throws -> StoreLocationContents {
        try PostgreSQLClosedStore(url, options).contents()
    }

    static func checkDestroying(at url: URL, options: [AnyHashable: Any]?) throws {
        let store = try PostgreSQLClosedStore(url, options)
        try store.checkWritable()
        guard try store.contents() == .store else { return }
        try store.read { try $0.checkRemovable() }
    }

    static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
        let store = try PostgreSQLClosedStore(url, options)
        try store.checkWritable()
        // A schema without a store belongs to another program.
        guard try store.contents() == .store else { return }
        // Before stores that are open are closed.
        try store.read { try $0.checkRemovable() }
        for store in openStores(at: store.location) { store.database.close(.destroyed) }
        try store.change { try $0.removeStore(keepsSchema: false) }
    }

    static func removeIncompleteCopy(
        at url: URL, options: [AnyHashable: Any]?, former: StoreLocationContents, identifier: String?
    ) throws {
        guard let identifier else { return }
        let store = try PostgreSQLClosedStore(url, options)
        let isCopy = try store.read { try $0.contents() == .store && $0.metadata().identifier == identifier }
        guard isCopy else { return }
        for store in openStores(at: store.location) { store.database.close(.destroyed) }
        try store.change { try $0.removeStore(identifier, keepsSchema: former != .missing) }
    }

    static func checkReplacing(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
        let target = try PostgreSQLClosedStore(destination, options)
        try target.checkWritable()
        let origin = try PostgreSQLClosedStore(source, sourceOptions)
        let replaces = try target.contents() == .store
        let mayBeSource = replaces && target.location.schema == origin.location.schema
        try origin.read { origin in
            _ = try origin.completeMetadata()
            guard mayBeSource, try target.write({ try $0.hasDatabase(of: origin) }) else { return }
            // The copy would wait for its own transaction, without an end.
            throw NSPersistentStoreCoordinator.replacementByItself(target.location.publicURL)
        }
        if replaces { try target.read { try $0.checkRemovable() } }
    }

    static func replace(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
        let target = try PostgreSQLClosedStore(destination, options)
        try target.checkWritable()
        for store in openStores(at: target.location) { store.database.close(.replaced) }
        let origin = try PostgreSQLClosedStore(source, sourceOptions)
        let replaces = try target.contents() == .store
        try PostgreSQLRepetition.run(while: { PostgreSQLError.isSerializationFailure($0 as NSError) }) { _ in
            try copyStore(origin, to: target, replaces: replaces)
        }
    }

    static func replace(
        at destination: URL, options: [AnyHashable: Any]?, sourceOptions: [AnyHashable: Any]?,
        byMaking make: () throws -> URL?
    ) throws {
        guard let source = try make() else { return }
        try replace(at: destination, options: options, from: source, sourceOptions: sourceOptions)
    }

    /// Copies a store. Each failure names the store it comes from.
    private static func copyStore(
        _ source: PostgreSQLClosedStore, to target: PostgreSQLClosedStore, replaces: Bool
    ) throws {
        try target.write { target in
            try PostgreSQLStoreErrors.converting(source.location.publicURL, .reading) {
                try source.withAccess { source in
                    try PostgreSQLSchemaCopy(from: source, to: target, replaces: replaces).run()
                }
            }
        }
    }
}

/// While a store is copied into a new store on the server, the metadata of the new store has a mark: a copy takes many
/// transactions.
extension PostgreSQLStore: SharedLocationStore {
    func didCopy() throws {
        let open = try database.requireOpen()
        try PostgreSQLStoreErrors.converting(open.location.publicURL, .writing) {
            try PostgreSQLRepetition.run {
                try database.withSession(open) { session in
                    try session.connection.transaction {
                        try PostgreSQLStoreMetadata.lock(session.connection, session.dialect)
                        let metadata = try PostgreSQLStoreMetadata(on: session.connection, session.dialect)
                        guard let metadata, metadata.isIncompleteCopy else { return }
                        try metadata.completed().write(on: session.connection, session.dialect)
                    }
                }
            }
        }
        forgetMetadata(PostgreSQLStoreMetadata.copyKey)
    }

    static func removeAbandonedCopy(at url: URL, options: [AnyHashable: Any]?) throws -> Bool {
        let store = try PostgreSQLClosedStore(url, options)
        guard !store.location.isReadOnly else { return false }
        let identifier = try store.read { access -> String? in
            let metadata = try access.metadata()
            return metadata.isIncompleteCopy ? metadata.identifier : nil
        }
        guard let identifier else { return false }
        try store.change { try $0.removeStore(identifier, keepsSchema: true) }
        return true
    }
}

extension PostgreSQLStore: MovableStore {
    func move(to url: URL) throws {
        guard let coordinator = persistentStoreCoordinator else { return }
        let url = Self.location(url, options: options)
        guard try PostgreSQLClosedStore(url, options).contents() == .store else {
            throw PostgreSQLClosedStore.missing(Self.publicURL(of: url))
        }
        try open(url, for: coordinator)
    }
}

extension PostgreSQLStore {
    static let openStores = OpenStores<PostgreSQLStore>()

    /// The open stores with an address.
    fileprivate static func openStores(at location: PostgreSQLLocation) -> [PostgreSQLStore] {
        openStores.stores.filter { (try? $0.database.requireOpen())?.location.address == location.address }
    }
}
