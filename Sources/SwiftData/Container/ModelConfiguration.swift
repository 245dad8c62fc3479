// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The description of a container's store, and of its use.
///
/// ```swift
/// let configuration = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
/// let container = try ModelContainer(for: schema, configurations: configuration)
/// ```
///
/// The default file is `default.store` in the folder of the program's data. This folder has the name of the program,
/// and is in `$XDG_DATA_HOME` or `~/.local/share`.
///
/// **Extension.** With a URL of the scheme `postgresql`, the store is a schema of a PostgreSQL database. The program
/// imports `CoreDataPostgreSQL`.
public struct ModelConfiguration: Identifiable, Hashable, Sendable {
    /// The identifier is the URL.
    public typealias ID = URL

    /// The name of the configuration. The default file has this name.
    public let name: String
    /// The models of the store; nil for all of the container.
    public var schema: Schema?
    /// The place of the store.
    public let url: URL
    /// Whether the store is in memory alone.
    public let isStoredInMemoryOnly: Bool
    /// Whether models can be saved.
    public let allowsSave: Bool
    /// The requested group container. It has no effect: only Apple's platforms have group containers.
    public let groupContainer: GroupContainer
    /// The requested CloudKit database. It has no effect: only Apple's platforms have CloudKit.
    public let cloudKitDatabase: CloudKitDatabase

    /// The URL.
    public var id: URL { url }

    /// Describes the default store, or a store in memory.
    ///
    /// - Parameter isStoredInMemoryOnly: whether the store is in memory alone.
    public init(isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// Describes a store of some of the models.
    ///
    /// - Parameters:
    ///   - forTypes: the classes of the models.
    ///   - isStoredInMemoryOnly: whether the store is in memory alone.
    public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: Schema(forTypes), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// Describes a store in the folder of the program's data, or a store in memory.
    ///
    /// - Parameters:
    ///   - name: the name of the file without extension; nil for `default`.
    ///   - schema: the models of the store; nil for all of the container.
    ///   - isStoredInMemoryOnly: whether the store is in memory alone.
    ///   - allowsSave: whether models can be saved.
    ///   - groupContainer: has no effect off Apple's platforms.
    ///   - cloudKitDatabase: the container of CloudKit. The module `CoreDataCloudKit` registers a server that stands
    ///     for it; without one it has no effect off Apple's platforms.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
        groupContainer: GroupContainer = .automatic, cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.name = name ?? "default"
        self.schema = schema
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
        self.groupContainer = groupContainer
        self.cloudKitDatabase = cloudKitDatabase
        url =
            isStoredInMemoryOnly
            ? NSPersistentStoreDescription().url!
            : NSPersistentContainer.defaultDirectoryURL().appendingPathComponent("\(self.name).store")
    }

    /// Describes a store at a URL.
    ///
    /// - Parameters:
    ///   - name: the name of the configuration; nil for the name of the file.
    ///   - schema: the models of the store; nil for all of the container.
    ///   - url: the file, or the URL of a PostgreSQL database.
    ///   - allowsSave: whether models can be saved.
    ///   - cloudKitDatabase: the container of CloudKit. The module `CoreDataCloudKit` registers a server that stands
    ///     for it; without one it has no effect off Apple's platforms.
    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.name = name ?? url.deletingPathExtension().lastPathComponent
        self.schema = schema
        self.url = url
        isStoredInMemoryOnly = false
        self.allowsSave = allowsSave
        groupContainer = .none
        self.cloudKitDatabase = cloudKitDatabase
    }

    // MARK: Options of Apple's platforms

    /// The group container of an app. Only Apple's platforms have group containers.
    public struct GroupContainer: Hashable, Sendable {
        let identifier: String?
        let isNone: Bool

        /// The first group container of the app, if it has one.
        public static var automatic: GroupContainer { GroupContainer(identifier: nil, isNone: false) }
        /// No group container.
        public static var none: GroupContainer { GroupContainer(identifier: nil, isNone: true) }
        /// A group container by its identifier.
        public static func identifier(_ groupName: String) -> GroupContainer {
            GroupContainer(identifier: groupName, isNone: false)
        }
    }

    /// The CloudKit database that mirrors a store. Only Apple's platforms have CloudKit.
    public struct CloudKitDatabase: Hashable, Sendable {
        let identifier: String?
        let isNone: Bool

        /// The first database of the app, if it has one.
        public static var automatic: CloudKitDatabase { CloudKitDatabase(identifier: nil, isNone: false) }
        /// No database.
        public static var none: CloudKitDatabase { CloudKitDatabase(identifier: nil, isNone: true) }
        /// A private database by its name.
        public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
            CloudKitDatabase(identifier: privateDBName, isNone: false)
        }
    }

    /// Whether the configuration names a group container, which only Apple's platforms have.
    var namesGroup: Bool { groupContainer.identifier != nil }

    /// The identifier of the CloudKit container whose server the store syncs with, if one is registered.
    var cloudKitIdentifier: String? {
        guard !cloudKitDatabase.isNone, !isStoredInMemoryOnly, allowsSave, !isDatabaseServer else { return nil }
        return cloudKitDatabase.identifier ?? CloudKitMirrors.firstIdentifier
    }

    /// The place of the store in messages. The URL of a server may contain a password.
    var place: String { isDatabaseServer ? url.host ?? "" : url.path }

    var isDatabaseServer: Bool { ["postgresql", "postgres"].contains(url.scheme ?? "") }
}

extension ModelConfiguration: DataStoreConfiguration {
    /// The type of the store.
    public typealias Store = DefaultStore

    /// Checks the name of the file.
    ///
    /// - Throws: `SwiftDataError.configurationFileNameContainsInvalidCharacters` or
    ///   `SwiftDataError.configurationFileNameTooLong`.
    public func validate() throws {
        guard !isStoredInMemoryOnly, !isDatabaseServer else { return }
        let isDefaultPlace = url.deletingLastPathComponent().path == NSPersistentContainer.defaultDirectoryURL().path
        if name.contains("/") && !isDefaultPlace || name.contains("\0") {
            throw SwiftDataError(
                .configurationFileNameContainsInvalidCharacters,
                "The name '\(name)' can't name a file. Give the configuration a name without slashes.")
        }
        // Write-ahead logs have longer names than the store.
        if url.lastPathComponent.utf8.count > 250 {
            throw SwiftDataError(
                .configurationFileNameTooLong,
                "The file name '\(url.lastPathComponent)' is longer than 250 bytes. Give the file a shorter name.")
        }
    }
}

extension ModelConfiguration: CustomDebugStringConvertible {
    /// The configuration with its place.
    public var debugDescription: String {
        """
        ModelConfiguration - name: \(name), url: \(url.absoluteString), isStoredInMemoryOnly: \
        \(isStoredInMemoryOnly), allowsSave: \(allowsSave)
        """
    }
}
