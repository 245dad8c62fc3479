import Synchronization

/// The PostgreSQL stores that the coordinators of the process have open. The mutex guards the list; stores are not kept
/// alive.
enum OpenPostgreSQLStores {
    private struct WeakStore: @unchecked Sendable {
        weak var store: PostgreSQLStore?
    }

    private static let list = Mutex<[WeakStore]>([])

    static func add(_ store: PostgreSQLStore) {
        list.withLock { stores in
            stores.removeAll { $0.store == nil || $0.store === store }
            stores.append(WeakStore(store: store))
        }
    }

    static func remove(_ store: PostgreSQLStore) {
        list.withLock { stores in stores.removeAll { $0.store == nil || $0.store === store } }
    }

    /// The open stores with an address.
    static func stores(at location: PostgreSQLLocation) -> [PostgreSQLStore] {
        let open = list.withLock { stores in stores.compactMap(\.store) }
        return open.filter { (try? $0.requireOpen())?.location.address == location.address }
    }
}
