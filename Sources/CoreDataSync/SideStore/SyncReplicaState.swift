// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The row with the replica's name, its place in the server's order and its place in the history of the app's store.
final class SyncReplicaState: NSManagedObject {
    var replica: UUID {
        get { value(forKey: "replica") as? UUID ?? UUID() }
        set { setValue(newValue, forKey: "replica") }
    }
    var account: String? {
        get { value(forKey: "account") as? String }
        set { setValue(newValue, forKey: "account") }
    }
    /// The position up to which the app's store has the server's changes; nil before the first import.
    var position: SyncPosition? {
        get {
            value(forKey: "number") == nil
                ? nil : SyncPosition(epoch: integer("epoch"), number: integer("number"), nonce: integer("nonce"))
        }
        set {
            setValue(newValue?.epoch, forKey: "epoch")
            setValue(newValue?.number, forKey: "number")
            setValue(newValue?.nonce, forKey: "nonce")
        }
    }
    /// Positions that the app's store had, the newest first, with growing gaps.
    var positions: [SyncPosition] {
        get { SyncJSON.decode([SyncPosition].self, value(forKey: "positions") as? Data) ?? [] }
        set { setValue(SyncJSON.encode(newValue), forKey: "positions") }
    }
    /// The number of the newest position whose changes the app's store has, if it has no position since the server was
    /// restored.
    var common: Int64 {
        get { integer("common") }
        set { setValue(newValue, forKey: "common") }
    }
    /// The number of the position whose changes a program sees when it changes an object.
    var base: Int64 { position?.number ?? common }
    /// Whether the next request is one for a session.
    var needsSession: Bool {
        get { boolean("needsSession") }
        set { setValue(newValue, forKey: "needsSession") }
    }
    /// Whether another store uses the replica's name, so that the replica takes another one before its next push.
    var isCopied: Bool {
        get { boolean("isCopied") }
        set { setValue(newValue, forKey: "isCopied") }
    }
    /// Whether the next import compares the app's store with a server that was restored.
    var isRestored: Bool {
        get { boolean("isRestored") }
        set { setValue(newValue, forKey: "isRestored") }
    }
    /// Whether the replica has looked at the app's store.
    var isBegun: Bool {
        get { boolean("isBegun") }
        set { setValue(newValue, forKey: "isBegun") }
    }
    /// The choice of the program for the objects that the replica doesn't know; nil after the first import.
    var firstStart: SyncFirstStart? {
        get { SyncJSON.decode(SyncFirstStart.self, value(forKey: "firstStart") as? Data) }
        set { setValue(newValue.flatMap { SyncJSON.encode($0) }, forKey: "firstStart") }
    }
    /// The number and the time of the transaction at the token, by which another store in the place of the app's is
    /// noticed.
    var newestTransaction: Int64 {
        get { integer("newestTransaction") }
        set { setValue(newValue, forKey: "newestTransaction") }
    }
    var newestTime: Double {
        get { (value(forKey: "newestTime") as? NSNumber)?.doubleValue ?? 0 }
        set { setValue(newValue, forKey: "newestTime") }
    }
    /// The UUID of the app's store.
    var store: String? {
        get { value(forKey: "store") as? String }
        set { setValue(newValue, forKey: "store") }
    }
    /// The name of the file of the app's store; nil for a store without a file.
    var storeFile: String? {
        get { value(forKey: "storeFile") as? String }
        set { setValue(newValue, forKey: "storeFile") }
    }
    /// The scopes of the objects, as the server tells them apart; nil for a server without scopes.
    var scopes: Int64? {
        get { (value(forKey: "scopes") as? NSNumber)?.int64Value }
        set { setValue(newValue.map { NSNumber(value: $0) }, forKey: "scopes") }
    }
    /// The version of the model by which the rows of the side store are made.
    var model: String? {
        get { value(forKey: "model") as? String }
        set { setValue(newValue, forKey: "model") }
    }
    /// Whether a preparation for a migration has noted all that programs have saved.
    var isPrepared: Bool {
        get { boolean("isPrepared") }
        set { setValue(newValue, forKey: "isPrepared") }
    }
    /// The properties that travel by that version, by entities.
    var names: [String: [String]] {
        get { SyncJSON.decode([String: [String]].self, value(forKey: "names") as? Data) ?? [:] }
        set { setValue(SyncJSON.encode(newValue), forKey: "names") }
    }
    /// The process that syncs, and until when it does, unless it says so again.
    var owner: UUID? {
        get { value(forKey: "owner") as? UUID }
        set { setValue(newValue, forKey: "owner") }
    }
    var ownedUntil: Double {
        get { (value(forKey: "ownedUntil") as? NSNumber)?.doubleValue ?? 0 }
        set { setValue(newValue, forKey: "ownedUntil") }
    }
    /// The imports whose transactions the replica hasn't met in the history yet.
    var unseenImports: Int64 {
        get { integer("unseenImports") }
        set { setValue(newValue, forKey: "unseenImports") }
    }
    /// The last transaction of the app's store whose changes are among the pending ones.
    var token: NSPersistentHistoryToken? {
        get { historyToken("token") }
        set { setHistoryToken(newValue, "token") }
    }
    var lastPush: Int64 {
        get { integer("lastPush") }
        set { setValue(newValue, forKey: "lastPush") }
    }
    var lastGroup: Int64 {
        get { integer("lastGroup") }
        set { setValue(newValue, forKey: "lastGroup") }
    }
    /// The seconds by which the server's clock is ahead.
    var timeOffset: Double {
        get { (value(forKey: "timeOffset") as? NSNumber)?.doubleValue ?? 0 }
        set { setValue(newValue, forKey: "timeOffset") }
    }

    /// Notes that a transaction, and all before it, are among the pending changes.
    func note(_ transaction: NSPersistentHistoryTransaction) {
        token = transaction.token
        newestTransaction = transaction.transactionNumber
        newestTime = transaction.timestamp.timeIntervalSinceReferenceDate
    }

    /// Whether the history of the app's store has the transaction at the token, by number and time. The history may
    /// have been deleted up to it, or ended by a migration.
    ///
    /// - Parameters:
    ///   - app: a context of the app's store.
    ///   - stores: the app's store; nil if it is the only one of the context.
    ///   - version: the version of the app's model.
    /// - Returns: false if another store is in the place of the app's, or if it was set back.
    func isOfHistory(in app: NSManagedObjectContext, _ stores: [NSPersistentStore]?, version: String) throws -> Bool {
        guard newestTransaction > 0 else { return true }
        guard let first = try oldestTransaction(in: app, stores, from: newestTransaction) else {
            // A migration has ended the history, or nothing was saved since.
            return model != version
                || app.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: stores) == token
        }
        // The program may have deleted the transaction, and not one behind it.
        if first.transactionNumber != newestTransaction
            || first.timestamp.timeIntervalSinceReferenceDate == newestTime
        {
            return true
        }
        // A mapping model may have copied the store.
        return try model != version && (isHistoryNew(in: app, stores) ?? false)
    }

    /// Whether the history of the app's store has begun since the replica has seen the store last; nil if there is
    /// none.
    func isHistoryNew(in app: NSManagedObjectContext, _ stores: [NSPersistentStore]?) throws -> Bool? {
        try oldestTransaction(in: app, stores, from: 0).map { first in
            first.transactionNumber <= newestTransaction
                && first.timestamp.timeIntervalSinceReferenceDate > newestTime
        }
    }

    /// The oldest transaction of the app's store from a number on.
    private func oldestTransaction(
        in app: NSManagedObjectContext, _ stores: [NSPersistentStore]?, from number: Int64
    ) throws -> NSPersistentHistoryTransaction? {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        request.resultType = .transactionsOnly
        request.affectedStores = stores
        request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
        request.fetchRequest?.predicate = NSPredicate(format: "transactionNumber >= %ld", number)
        request.fetchRequest?.fetchLimit = 1
        let result = try app.execute(request) as? NSPersistentHistoryResult
        return (result?.result as? [NSPersistentHistoryTransaction])?.first
    }
}
