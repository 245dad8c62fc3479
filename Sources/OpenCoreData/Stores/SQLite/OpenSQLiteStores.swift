import Synchronization

/// The SQLite stores that the coordinators of the process have open. The mutex guards the list; stores are not kept
/// alive.
enum OpenSQLiteStores {
    private struct OpenStore {
        let identity: StoreIdentity
        var store: SQLiteStore? { identity.store as? SQLiteStore }
    }

    private static let list = Mutex<[OpenStore]>([])

    static func add(_ store: SQLiteStore) {
        list.withLock { stores in
            stores.removeAll { $0.store == nil }
            stores.append(OpenStore(identity: store.identity))
        }
    }

    static func remove(_ store: SQLiteStore) {
        list.withLock { stores in stores.removeAll { $0.store == nil || $0.identity === store.identity } }
    }

    /// The open stores whose file a URL names.
    static func stores(at url: URL) -> [SQLiteStore] {
        let open = list.withLock { stores in stores.compactMap(\.store) }
        return open.filter { $0.url?.namesSameStore(as: url) == true }
    }
}
