// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel

/// Changes of programs that waited for the server at a moment, as far as they still do.
struct SyncBacklog: Sendable {
    /// The rows of the changes. A row stays the same until the server has its change.
    fileprivate(set) var rows: Set<NSManagedObjectID>
    /// Whether the replica has to ask first what a restored server has lost.
    fileprivate let needsSession: Bool
    fileprivate let returnCount: Int
    /// Whether later changes wait, too.
    fileprivate(set) var hasLater = false

    /// Whether the server has all changes.
    var isEmpty: Bool { rows.isEmpty && !needsSession }
}

extension SyncReplica {
    /// The changes that wait for the server now, with those that programs have saved since the last look.
    func backlog() throws -> SyncBacklog {
        try onQueue {
            try drainHistory()
            return try makeBacklog()
        }
    }

    /// The part of a backlog that still waits for the server.
    func rest(of backlog: SyncBacklog) throws -> SyncBacklog {
        try onQueue {
            let present = try makeBacklog()
            // Changes that were sent before are pending again, in other rows: all that is pending counts.
            guard backlog.returnCount == present.returnCount, !backlog.needsSession else { return present }
            var rest = present
            rest.rows.formIntersection(backlog.rows)
            rest.hasLater = rest.rows.count < present.rows.count
            return rest
        }
    }

    private func makeBacklog() throws -> SyncBacklog {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "PendingObject")
        request.resultType = .managedObjectIDResultType
        return SyncBacklog(
            rows: Set(try side.fetch(request)), needsSession: try state().needsSession, returnCount: returnCount)
    }
}
