// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncService {
    /// The travelling properties of all living objects, by the objects' UUIDs.
    package func contents() throws -> [UUID: [String: SyncValue]] {
        try context.performAndWait {
            forget()
            let request = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
            request.predicate = NSPredicate(format: "isAlive == YES")
            let states = try states(of: Set(try context.fetch(request).map(\.identity)))
            return Dictionary(uniqueKeysWithValues: states.map { ($0.object, $0.values) })
        }
    }
}

extension SyncService {
    /// The results of the groups of a push that have one; nil if the server doesn't know the push.
    package func storedResults(of push: SyncPush) throws -> [SyncGroupResult]? {
        try context.performAndWait {
            forget()
            guard let replica = try replicaRecord(push.replica) else { return nil }
            guard let record = try answerRecord(replica.number, push: push.number) else { return nil }
            return try JSONDecoder().decode([SyncGroupResult].self, from: record.body)
        }
    }

    /// The number of a replica that has pushed; nil for another one.
    package func number(of replica: UUID) throws -> Int64? {
        try context.performAndWait {
            forget()
            return try replicaRecord(replica)?.number
        }
    }

    /// The position with a number; nil if there is none.
    package func position(_ number: Int64) throws -> SyncPosition? {
        try context.performAndWait {
            forget()
            guard let nonce = try nonce(number) else { return nil }
            return SyncPosition(epoch: try state().epoch, number: number, nonce: nonce)
        }
    }
}
