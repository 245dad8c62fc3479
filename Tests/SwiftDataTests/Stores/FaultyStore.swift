import SwiftDataStores

/// The mistake of a ``FaultyStore``.
enum Fault: Sendable {
    case none
    case validation
    case initializer
    case fetch
    case cachedSnapshots
    case save
    case erase
    case tooFewIdentifiers
    case foreignIdentifiers
    case sameIdentifiers
    case foreignResult
    case foreignSnapshots
    case foreignModels
    case negativeCount
    case endlessPreference
    case noSnapshots
    case wrongValues
    case reregisteredNames
}

/// The error of a ``FaultyStore``.
struct StoreFailure: Error, Equatable {
    let step: String
}

/// The snapshot of a model that has a name: a type of the program's own.
struct NameSnapshot: DataStoreSnapshot {
    let persistentIdentifier: PersistentIdentifier
    var name: String
    /// Whether the name is encoded as a number, which a model can't have.
    var isEncodedAsNumber = false

    private enum CodingKeys: String, CodingKey {
        case persistentIdentifier
        case name
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
        if isEncodedAsNumber {
            try container.encode(7, forKey: .name)
        } else {
            try container.encode(name, forKey: .name)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        persistentIdentifier = try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier)
        name = try container.decode(String.self, forKey: .name)
    }

    init(persistentIdentifier: PersistentIdentifier, name: String) {
        self.persistentIdentifier = persistentIdentifier
        self.name = name
    }

    init(from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]) {
        let lexicon = backingData as? any BackingData<Lexicon>
        persistentIdentifier = lexicon?.persistentModelID ?? backingData.persistentModelID!
        name = lexicon?.getValue(forKey: \Lexicon.name) ?? ""
    }

    func copy(
        persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> Self { NameSnapshot(persistentIdentifier: persistentIdentifier, name: name) }
}

struct FaultyConfiguration: DataStoreConfiguration {
    typealias Store = FaultyStore

    /// The fault of the store, and its contents.
    final class Behaviour {
        var fault: Fault
        var snapshots: [NameSnapshot] = []

        init(_ fault: Fault) { self.fault = fault }
    }

    let behaviour: Behaviour
    var name: String { "faulty" }
    var schema: Schema?

    init(fault: Fault) { behaviour = Behaviour(fault) }

    func validate() throws { if behaviour.fault == .validation { throw StoreFailure(step: "validate") } }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.behaviour === rhs.behaviour }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A store of names that makes mistakes.
final class FaultyStore: DataStore {
    typealias Configuration = FaultyConfiguration
    typealias Snapshot = NameSnapshot

    let configuration: FaultyConfiguration
    let schema: Schema
    let identifier = "faulty"
    private var behaviour: FaultyConfiguration.Behaviour { configuration.behaviour }
    private var fault: Fault { behaviour.fault }

    init(_ configuration: FaultyConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        if configuration.behaviour.fault == .initializer { throw StoreFailure(step: "init") }
        self.configuration = configuration
        schema = configuration.schema ?? Schema()
    }

    private func identifier(_ store: String, _ entity: String, _ key: String) throws -> PersistentIdentifier {
        try PersistentIdentifier.identifier(for: store, entityName: entity, primaryKey: key)
    }

    func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, NameSnapshot>
    where T: PersistentModel {
        var snapshots = behaviour.snapshots
        switch fault {
        case .fetch: throw StoreFailure(step: "fetch")
        case .endlessPreference: throw DataStoreError.preferInMemoryFilter
        case .noSnapshots: snapshots = []
        case .wrongValues: for index in snapshots.indices { snapshots[index].isEncodedAsNumber = true }
        case .foreignSnapshots:
            snapshots = [NameSnapshot(persistentIdentifier: try identifier("elsewhere", "Lexicon", "1"), name: "A")]
        case .foreignModels:
            snapshots = [NameSnapshot(persistentIdentifier: try identifier(identifier, "Almanac", "1"), name: "A")]
        default: if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        }
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: snapshots)
    }

    func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel {
        fault == .negativeCount ? -1 : try fetch(request).fetchedSnapshots.count
    }

    func cachedSnapshots(for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState) throws
        -> [PersistentIdentifier: NameSnapshot]
    {
        if fault == .cachedSnapshots { throw StoreFailure(step: "cachedSnapshots") }
        return [:]
    }

    func save(_ request: DataStoreSaveChangesRequest<NameSnapshot>) throws
        -> DataStoreSaveChangesResult<NameSnapshot>
    {
        if fault == .save { throw StoreFailure(step: "save") }
        var given: [PersistentIdentifier: PersistentIdentifier] = [:]
        var changed: [PersistentIdentifier: NameSnapshot] = [:]
        for (number, snapshot) in request.inserted.enumerated() {
            if fault == .tooFewIdentifiers, number > 0 { continue }
            let key = fault == .sameIdentifiers ? "same" : UUID().uuidString
            let permanent = try identifier(fault == .foreignIdentifiers ? "elsewhere" : identifier, "Lexicon", key)
            given[snapshot.persistentIdentifier] = permanent
            var saved = snapshot.copy(persistentIdentifier: permanent, remappedIdentifiers: nil)
            if fault == .reregisteredNames {
                saved.name = saved.name.uppercased()
                changed[permanent] = saved
            }
            behaviour.snapshots.append(saved)
        }
        return DataStoreSaveChangesResult(
            for: fault == .foreignResult ? "elsewhere" : identifier, remappedIdentifiers: given,
            snapshotsToReregister: changed)
    }

    func erase() throws { if fault == .erase { throw StoreFailure(step: "erase") } }
}
