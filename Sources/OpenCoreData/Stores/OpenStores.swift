// SPDX-License-Identifier: Apache-2.0

/// The stores of one class that the coordinators of the process have open. The mutex guards the list; stores are not
/// kept alive.
package final class OpenStores<Store: NSPersistentStore>: Sendable {
    private let identities = Locked<[StoreIdentity]>([])

    package init() {}

    package func add(_ store: Store) {
        identities.withLock { identities in
            identities.removeAll { $0.store == nil || $0 === store.identity }
            identities.append(store.identity)
        }
    }

    package func remove(_ store: Store) {
        identities.withLock { identities in identities.removeAll { $0.store == nil || $0 === store.identity } }
    }

    package var stores: [Store] {
        identities.withLock { $0 }.compactMap { $0.store as? Store }
    }
}
