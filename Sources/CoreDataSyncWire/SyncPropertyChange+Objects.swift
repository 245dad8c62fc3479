// SPDX-License-Identifier: Apache-2.0

import Foundation

extension SyncPropertyChange.Change {
    /// The change with other objects.
    public func mapped(_ object: (UUID) -> UUID) -> Self {
        switch self {
        case .value(.object(let identity)): .value(.object(object(identity)))
        case .value(.objects(let identities)): .value(.objects(identities.map(object)))
        case .members(let added, let removed): .members(added: added.map(object), removed: removed.map(object))
        case .moves(let moves):
            .moves(
                moves.map { SyncMove(object: object($0.object), predecessors: $0.predecessors.map(object)) })
        case .value, .difference: self
        }
    }

    /// The objects that the change refers to.
    public var objects: [UUID] {
        switch self {
        case .value(.object(let object)): [object]
        case .value(.objects(let objects)): objects
        case .members(let added, let removed): added + removed
        case .moves(let moves): moves.flatMap { [$0.object] + $0.predecessors }
        case .value, .difference: []
        }
    }
}
