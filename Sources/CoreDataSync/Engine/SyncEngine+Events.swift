// SPDX-License-Identifier: Apache-2.0

extension SyncEngine.Event {
    /// The event of a replica's event.
    init(_ event: SyncEvent) {
        switch event {
        case .historyDeleted: self = .historyDeleted
        case .serverRestored: self = .serverRestored
        case .copied: self = .copied
        case .problems: self = .problems
        case .sameIdentity(let object): self = .sameIdentity(object: object)
        case .importChanged(let object, let property): self = .importChanged(object: object, property: property)
        }
    }
}
