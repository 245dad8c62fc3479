// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncService {
    /// The travelling properties of all living objects, by the objects' UUIDs.
    package func contents() throws -> [UUID: [String: SyncValue]] {
        try context.performAndWait {
            context.reset()
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
            context.reset()
            guard let replica = try replicaRecord(push.replica) else { return nil }
            let request = NSFetchRequest<SyncAnswerRecord>(entityName: "SyncAnswer")
            request.predicate = NSPredicate(format: "replica == %ld AND push == %ld", replica.number, push.number)
            guard let record = try context.fetch(request).first else { return nil }
            return try JSONDecoder().decode([SyncGroupResult].self, from: record.body)
        }
    }

    /// The number of a replica that has pushed; nil for another one.
    package func number(of replica: UUID) throws -> Int64? {
        try context.performAndWait {
            context.reset()
            return try replicaRecord(replica)?.number
        }
    }

    /// The position with a number; nil if there is none.
    package func position(_ number: Int64) throws -> SyncPosition? {
        try context.performAndWait {
            context.reset()
            guard let nonce = try nonce(number) else { return nil }
            return SyncPosition(epoch: try state().epoch, number: number, nonce: nonce)
        }
    }
}
