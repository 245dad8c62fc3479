// SPDX-License-Identifier: Apache-2.0

/// The rows that a context has saved or merged while an asynchronous fetch runs: the fetch may have read them before.
///
/// Used on the context's queue alone.
final class ChangesDuringFetch {
    fileprivate struct Key: Hashable {
        let store: Int
        let root: UInt32
        let key: Int64
    }

    fileprivate var keys: Set<Key> = []
    /// Whether every row may have changed.
    fileprivate var includesAll = false

    /// Whether a result may have a row as it was before the changes.
    func mayBeNewer(than result: StoreFetchResult) -> Bool {
        if includesAll { return true }
        if keys.isEmpty { return false }
        return result.parts.contains { part in
            guard case .rows(let list) = part.content else { return false }
            let (store, root) = (part.store.ordinal, list.layout.root)
            return list.buffers.contains { buffer in
                (0..<buffer.count).contains {
                    keys.contains(Key(store: store, root: root, key: buffer[$0].primaryKey))
                }
            }
        }
    }
}

extension NSManagedObjectContext {
    /// Records saved objects for the asynchronous fetches that run now.
    final func recordChanges(_ saved: SavedObjectIDs) {
        guard !reading.changesDuringFetches.isEmpty else { return }
        for ids in [saved.inserted, saved.updated, saved.deleted] { for id in ids { recordChange(of: id) } }
    }

    /// Records a row that the store has changed by itself.
    final func recordChange(of reference: ObjectReference, store: any SnapshotStore) {
        guard !reading.changesDuringFetches.isEmpty, let layouts = handle.coordinator?.layouts else { return }
        record(
            .init(store: store.identity.ordinal, root: layouts[reference.layout].root, key: reference.key))
    }

    /// Records merged changes for the asynchronous fetches that run now.
    final func recordChanges(_ merged: MergedChanges) {
        guard !reading.changesDuringFetches.isEmpty else { return }
        if merged.invalidatesAll { for changes in reading.changesDuringFetches { changes.includesAll = true } }
        for ids in [merged.inserted, merged.updated, merged.deleted, merged.refreshed, merged.invalidated] {
            for id in ids { recordChange(of: id) }
        }
    }

    private func recordChange(of id: NSManagedObjectID) {
        let id = resolvedID(for: id)
        guard let store = registry.table(for: id).store else { return }
        record(.init(store: store.ordinal, root: registry.layout(of: id).root, key: id.key))
    }

    private func record(_ key: ChangesDuringFetch.Key) {
        for changes in reading.changesDuringFetches { changes.keys.insert(key) }
    }
}
