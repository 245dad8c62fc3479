import SwiftData

/// A store that is a JSON file: an array of snapshots, which each save writes as a whole.
public struct JSONFileConfiguration: DataStoreConfiguration {
    public typealias Store = JSONFileStore

    public var name: String
    public var schema: Schema?
    public var url: URL

    public init(name: String, schema: Schema? = nil, url: URL) {
        self.name = name
        self.schema = schema
        self.url = url
    }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name && lhs.url == rhs.url }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Reads all snapshots for each fetch. The container evaluates predicates and sorts.
public final class JSONFileStore: DataStore {
    public typealias Configuration = JSONFileConfiguration
    public typealias Snapshot = DefaultSnapshot

    public let configuration: JSONFileConfiguration
    public let schema: Schema
    public let identifier: String

    public init(_ configuration: JSONFileConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        guard let schema = configuration.schema else { throw SwiftDataError.unknownSchema }
        self.configuration = configuration
        self.schema = schema
        identifier = configuration.url.lastPathComponent
    }

    // MARK: Fetching

    public func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, DefaultSnapshot>
    where T: PersistentModel {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let names = names(of: T.self)
        let all = try read().filter { names.contains($0.persistentIdentifier.entityName) }
        let rest = all.dropFirst(request.descriptor.fetchOffset ?? 0)
        let snapshots = request.descriptor.fetchLimit.map { rest.prefix($0) } ?? rest
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(snapshots))
    }

    /// The names of an entity and of those that inherit from it.
    private func names<T: PersistentModel>(of type: T.Type) -> Set<String> {
        var names: Set<String> = [Schema.entityName(for: type)]
        var count = 0
        while names.count != count {
            count = names.count
            for entity in schema.entities where entity.superentityName.map(names.contains) == true {
                names.insert(entity.name)
            }
        }
        return names
    }

    // MARK: Saving

    public func save(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>) throws
        -> DataStoreSaveChangesResult<DefaultSnapshot>
    {
        var given: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.inserted {
            given[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
        }
        var changed: [PersistentIdentifier: DefaultSnapshot] = [:]
        for snapshot in request.updated {
            changed[snapshot.persistentIdentifier] = snapshot.copy(
                persistentIdentifier: snapshot.persistentIdentifier, remappedIdentifiers: given)
        }
        let deleted = Set(request.deleted.map(\.persistentIdentifier))
        var snapshots = try read().filter { !deleted.contains($0.persistentIdentifier) }
            .map { changed[$0.persistentIdentifier] ?? $0 }
        for snapshot in request.inserted {
            guard let permanent = given[snapshot.persistentIdentifier] else { continue }
            snapshots.append(snapshot.copy(persistentIdentifier: permanent, remappedIdentifiers: given))
        }
        try write(snapshots)
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: given)
    }

    public func erase() throws {
        if FileManager.default.fileExists(atPath: configuration.url.path) {
            try FileManager.default.removeItem(at: configuration.url)
        }
    }

    // MARK: The file

    private func read() throws -> [DefaultSnapshot] {
        guard FileManager.default.fileExists(atPath: configuration.url.path) else { return [] }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .deferredToDate
        return try decoder.decode([DefaultSnapshot].self, from: Data(contentsOf: configuration.url))
    }

    private func write(_ snapshots: [DefaultSnapshot]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(snapshots).write(to: configuration.url, options: .atomic)
    }
}
