// SPDX-License-Identifier: Apache-2.0

/// Saves of other contexts that a context without a queue merges when its user asks for it: a context of SwiftData.
extension NSManagedObjectContext {
    /// Lets the saves of other contexts of the coordinator be collected, for ``mergeCollectedSaves()``.
    package final func collectSaves() {
        handle.collectedSaves.withLock { $0 = $0 ?? [] }
        mergeSource?.subscribe(self)
    }

    /// Merges the collected saves. Called where the context is used.
    package final func mergeCollectedSaves() {
        guard handle.hasCollectedSaves.exchange(false, ordering: .relaxed) else { return }
        let saves = handle.collectedSaves.withLock { saves in
            defer { saves = saves.map { _ in [] } }
            return saves ?? []
        }
        for save in saves { merge(save) }
    }

    /// Collects a save, if the context collects saves. If the context merges nothing for long, a mark that invalidates
    /// all objects replaces the collected saves.
    final func collect(_ changes: MergedChanges) -> Bool {
        handle.collectedSaves.withLock { saves in
            guard let collected = saves else { return false }
            if collected.count < 1000 {
                saves?.append(changes)
            } else {
                var all = MergedChanges()
                all.invalidatesAll = true
                saves = [all]
            }
            handle.hasCollectedSaves.store(true, ordering: .relaxed)
            return true
        }
    }
}
