// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The identifiers of models in a custom store, and the object IDs that stand for them.
///
/// A managed object gets its ID before the store has given an identifier to the model. The ID stays; the identifier
/// follows with the result of the save.
final class BridgeIdentifiers: Sendable {
    private struct State {
        /// The names of new objects by their keys.
        var provisional: [Int64: String] = [:]
        /// The identifiers that the store has given to objects since the program runs.
        var given: [Int64: IdentifierParts] = [:]
        var ids: [IdentifierParts: NSManagedObjectID] = [:]
    }

    private let state = Locked(State())
    let storeIdentifier: String

    init(_ storeIdentifier: String) { self.storeIdentifier = storeIdentifier }

    // MARK: New objects

    func addProvisional(_ id: NSManagedObjectID, named name: String) {
        state.withLock { $0.provisional[id.key] = name }
    }

    /// Records the identifier that the store has given to a new object.
    func give(_ parts: IdentifierParts, to id: NSManagedObjectID) {
        state.withLock { state in
            state.provisional[id.key] = nil
            state.given[id.key] = parts
            // A store may have merged the new model into another model, whose ID remains.
            if state.ids[parts] == nil { state.ids[parts] = id }
        }
    }

    // MARK: Looking up

    /// The ID of the saved object that got an identifier; nil for the identifier of an object that was read.
    func given(_ parts: IdentifierParts) -> NSManagedObjectID? { state.withLock { $0.ids[parts] } }

    /// The parts of the identifier of an object.
    func parts(of id: NSManagedObjectID) -> IdentifierParts {
        let entity = id.entity.name ?? ""
        let (given, provisional) = state.withLock { ($0.given[id.key], $0.provisional[id.key]) }
        if let given { return given }
        if let provisional {
            return IdentifierParts(
                storeIdentifier: nil, entityName: entity, primaryKey: provisional, isTemporary: true)
        }
        return IdentifierParts(
            storeIdentifier: storeIdentifier, entityName: entity,
            primaryKey: id.storeIdentity?.references?.text(of: id.key) ?? "", isTemporary: false)
    }
}

extension PersistentIdentifier {
    /// The form of an object ID: its parts, for an object in a custom store.
    static func form(of id: NSManagedObjectID) -> Form {
        guard let identity = id.storeIdentity, identity.references != nil,
            let bridge = identity.store as? DataStoreBridge
        else { return .object(id) }
        return .parts(bridge.identifiers.parts(of: id))
    }
}
