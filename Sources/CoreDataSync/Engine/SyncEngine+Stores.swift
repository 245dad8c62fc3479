// SPDX-License-Identifier: Apache-2.0

import CoreData

extension SyncEngine {
    /// The configuration of the store; nil for one with all entities.
    ///
    /// - Throws: ``SyncEngineError/sharedEntities(_:)`` if another store may have one of its entities.
    static func configurationName(
        of store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator
    ) throws -> String? {
        let others = coordinator.persistentStores.filter { $0 !== store }
        let model = coordinator.managedObjectModel
        func entities(_ store: NSPersistentStore) -> Set<String> {
            let entities = model.entities(forConfigurationName: store.configurationName) ?? model.entities
            return Set(entities.compactMap(\.name))
        }
        let own = entities(store)
        guard others.allSatisfy({ own.isDisjoint(with: entities($0)) }) else {
            throw SyncEngineError.sharedEntities(store.url)
        }
        return model.configuration(named: store.configurationName)
    }
}

extension SyncReplicaError {
    var engineError: SyncEngineError {
        switch self {
        case .accountChanged: .accountChanged
        case .needsFirstStart: .needsFirstStart
        case .storesDiffer: .storesDiffer
        case .otherProcess: .otherProcess
        case .sharedSideStore(let file): .sharedSideStore(file)
        case .unrepeatable(let text): .refused(text)
        case .unadoptable(let text): .unadoptable(text)
        }
    }
}
