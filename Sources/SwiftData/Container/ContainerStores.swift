// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The stores of a container.
final class ContainerStores: @unchecked Sendable {
    // Sendable: the configurations are constant, the stores are behind a lock.
    let configurations: [ModelConfiguration]
    /// The open stores, by the names of their configurations.
    private let open = Locked<[String: NSPersistentStore]>([:])
    /// Whether there are several stores.
    private var isShared = false
    /// The mirrors that sync the stores with the servers of CloudKit containers.
    private let mirrors = Locked<[any CloudKitMirror]>([])

    deinit { for mirror in mirrors.withLock({ $0 }) { mirror.stop() } }

    /// Checks the configurations.
    init(_ configurations: [ModelConfiguration], schema: Schema, isShared: Bool) throws {
        self.configurations = configurations
        self.isShared = isShared
        var names: Set<String> = []
        var urls: Set<URL> = []
        for configuration in configurations {
            try configuration.validate()
            let isNewPlace = configuration.isStoredInMemoryOnly || urls.insert(configuration.url).inserted
            guard names.insert(configuration.name).inserted, isNewPlace else {
                throw SwiftDataError(
                    .duplicateConfiguration,
                    """
                    Two configurations have the name '\(configuration.name)' or the place \(configuration.place). Give \
                    each its own.
                    """)
            }
            for entity in configuration.schema?.entities ?? [] where schema.entitiesByName[entity.name] == nil {
                throw SwiftDataError(
                    .configurationSchemaNotFoundInContainerSchema,
                    """
                    The configuration '\(configuration.name)' has the model \(entity.name), the container hasn't. Its \
                    models are: \(schema.entities.map(\.name).joined(separator: ", ")). Add the class to them.
                    """)
            }
            if configuration.namesGroup {
                CoreDataLog.warning(
                    """
                    The configuration '\(configuration.name)' names a group container. There are none on this \
                    platform: the store is in \(configuration.url.path).
                    """)
            }
        }
    }

    /// A store that is open already.
    init(_ configuration: ModelConfiguration, open store: NSPersistentStore?) {
        configurations = [configuration]
        if let store { open.withLock { $0[configuration.name] = store } }
    }

    /// Opens the stores.
    ///
    /// - Parameter unreadable: the stores of unknown versions, which are opened without a migration.
    func open(in coordinator: NSPersistentStoreCoordinator, withoutMigrating unreadable: [UnreadableStore]) throws {
        for configuration in configurations {
            do {
                let migrates = !unreadable.contains { $0.configuration.name == configuration.name }
                let store = try add(configuration, migrates: migrates, to: coordinator)
                open.withLock { $0[configuration.name] = store }
            } catch let error as SwiftDataError {
                throw error
            } catch {
                throw Self.unopenable(configuration, error)
            }
        }
        for configuration in configurations { mirror(configuration, in: coordinator) }
    }

    /// Begins to sync the store of a configuration that has a CloudKit database.
    private func mirror(_ configuration: ModelConfiguration, in coordinator: NSPersistentStoreCoordinator) {
        guard let identifier = configuration.cloudKitIdentifier, let store = store(named: configuration.name) else {
            return
        }
        let mirror = CloudKitMirrors.start(store, in: coordinator, identifier: identifier) { nil }
        if let mirror { mirrors.withLock { $0.append(mirror) } }
    }

    static func unopenable(_ configuration: ModelConfiguration, _ cause: any Error) -> SwiftDataError {
        SwiftDataError(
            .loadIssueModelContainer,
            "The store '\(configuration.name)' at \(configuration.place) can't be opened: \(reason(cause))")
    }

    private func add(
        _ configuration: ModelConfiguration, migrates: Bool, to coordinator: NSPersistentStoreCoordinator
    ) throws -> NSPersistentStore {
        let description = Self.description(of: configuration, isOnly: !isShared)
        if !migrates { description.shouldMigrateStoreAutomatically = false }
        try description.createFolder()
        var failure: (any Error)?
        coordinator.addPersistentStore(with: description) { failure = $1 }
        if let failure = failure as NSError?, configuration.isDatabaseServer,
            failure.code == NSPersistentStoreInvalidTypeError
        {
            throw SwiftDataError(
                .loadIssueModelContainer,
                """
                Stores on a PostgreSQL server need the module CoreDataPostgreSQL: import it, and refer to \
                NSPostgreSQLStoreType before the container is made.
                """)
        }
        if let failure { throw failure }
        guard let store = coordinator.persistentStores.last else {
            throw SwiftDataError(.loadIssueModelContainer, "The store '\(configuration.name)' was not opened.")
        }
        return store
    }

    static func description(of configuration: ModelConfiguration, isOnly: Bool) -> NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription()
        description.url = configuration.url
        if !isOnly { description.configuration = configuration.name }
        description.isReadOnly = !configuration.allowsSave
        if configuration.isDatabaseServer { description.type = "PostgreSQL" }
        if configuration.allowsSave {
            description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        }
        return description
    }

    /// The text of a store's error, with the causes below it.
    static func reason(_ error: any Error) -> String {
        let error = error as NSError
        let reason = error.userInfo[NSLocalizedFailureReasonErrorKey] as? String
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? NSError).map { " \(self.reason($0))" } ?? ""
        let text = error.localizedDescription
        return text + (reason.map { text.contains($0) ? "" : " \($0)" } ?? "") + cause
    }

    // MARK: Looking up

    func store(named name: String) -> NSPersistentStore? { open.withLock { $0[name] } }

    func name(ofStore identifier: String) -> String? {
        open.withLock { open in open.first { $0.value.identifier == identifier }?.key }
    }

    /// Deletes the files of the stores.
    func erase(from coordinator: NSPersistentStoreCoordinator) throws {
        let stores = open.withLock { open in
            defer { open = [:] }
            return Array(open.values)
        }
        for store in stores {
            let (url, type) = (coordinator.url(for: store), store.type)
            let isInMemory = configurations.contains { $0.isStoredInMemoryOnly && $0.url == url }
            try coordinator.remove(store)
            if isInMemory { continue }
            try coordinator.destroyPersistentStore(at: url, ofType: type)
            guard url.isFileURL else { continue }
            // Core Data leaves an empty store.
            for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: url.path + suffix) {
                try FileManager.default.removeItem(atPath: url.path + suffix)
            }
        }
    }
}
