// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Of several processes that have the stores open one syncs. The others only save: the one finds that in the history.
extension SyncReplica {
    /// Makes this process the one that syncs, or says so again.
    ///
    /// No lock is held between calls: a process that ends without ``endLease()`` is followed by another one after
    /// ``Settings/leaseSeconds``. Clocks that are set back or ahead by more than that shorten or lengthen the wait, and
    /// do no harm beyond it: two processes that sync at once meet each other's saves as conflicts.
    ///
    /// - Returns: whether it is. Otherwise the process may ask again later.
    /// - Throws: errors of the side store.
    func takeLease() throws -> Bool { try renewLease() != .other }

    /// The process that syncs.
    enum Lease: Sendable {
        /// Another process.
        case other
        /// This one, and it wasn't before.
        case taken
        /// This one, and no other one since it took the lease.
        case kept
    }

    /// Makes this process the one that syncs, or says so again: see ``takeLease()``.
    func renewLease() throws -> Lease {
        try onQueue {
            for _ in 0..<3 {
                // A save of another process isn't seen before.
                side.reset()
                forgetState()
                let state = try state()
                let now = settings.now()
                let isFree = state.owner == nil || state.owner == process || state.ownedUntil < now
                guard isFree || state.ownedUntil > now + 2 * settings.leaseSeconds else { return .other }
                let isKept = state.owner == process
                state.owner = process
                state.ownedUntil = now + settings.leaseSeconds
                do {
                    try side.save()
                    return isKept ? .kept : .taken
                } catch let error as CocoaError where error.code == .managedObjectMerge {
                    side.rollback()
                }
            }
            return .other
        }
    }

    /// Lets another process sync at once.
    ///
    /// - Throws: errors of the side store.
    func endLease() throws {
        try onQueue {
            side.reset()
            forgetState()
            let state = try state()
            guard state.owner == process else { return }
            state.owner = nil
            try side.save()
        }
    }
}
