// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The server's knowledge of an object that it has, or had.
final class SyncRecord: NSManagedObject {
    var identity: UUID {
        get { value(forKey: "identity") as? UUID ?? UUID() }
        set { setValue(newValue, forKey: "identity") }
    }
    var entityName: String {
        get { value(forKey: "entityName") as? String ?? "" }
        set { setValue(newValue, forKey: "entityName") }
    }
    /// The last part of the object's URI.
    var key: Int64 {
        get { integer("key") }
        set { setValue(newValue, forKey: "key") }
    }
    var life: Int64 {
        get { integer("life") }
        set { setValue(newValue, forKey: "life") }
    }
    var isAlive: Bool {
        get { (value(forKey: "isAlive") as? NSNumber)?.boolValue ?? false }
        set { setValue(newValue, forKey: "isAlive") }
    }
    /// The newest position at which something of the object changed.
    var position: Int64 {
        get { integer("position") }
        set { setValue(newValue, forKey: "position") }
    }
    /// The object that this one was merged with.
    var target: UUID? {
        get { value(forKey: "target") as? UUID }
        set { setValue(newValue, forKey: "target") }
    }
    /// The edges that the object brings into the scopes of the server.
    var edges: SyncEdges {
        get { SyncEdges(value(forKey: "edges") as? Data ?? Data()) }
        set { setValue(newValue == SyncEdges() ? nil : newValue.data, forKey: "edges") }
    }
    var stamps: SyncStamps {
        get { SyncStamps(value(forKey: "stamps") as? Data ?? Data()) }
        set { setValue(newValue.data, forKey: "stamps") }
    }
}

/// An edge of the scopes that came or went.
final class SyncEdgeRecord: NSManagedObject {
    var parent: UUID { value(forKey: "parent") as? UUID ?? UUID() }
    var child: UUID { value(forKey: "child") as? UUID ?? UUID() }
    var isAdded: Bool { (value(forKey: "isAdded") as? NSNumber)?.boolValue ?? false }
    var position: Int64 { integer("position") }
    /// In seconds since the reference date.
    var time: Double { (value(forKey: "time") as? NSNumber)?.doubleValue ?? 0 }
}

/// A save that changed synced objects.
final class SyncSaveRecord: NSManagedObject {
    var number: Int64 {
        get { integer("number") }
        set { setValue(newValue, forKey: "number") }
    }
    var nonce: Int64 {
        get { integer("nonce") }
        set { setValue(newValue, forKey: "nonce") }
    }
}

/// A replica that has asked.
final class SyncReplicaRecord: NSManagedObject {
    /// The small number that stamps have in place of the UUID.
    var number: Int64 {
        get { integer("number") }
        set { setValue(newValue, forKey: "number") }
    }
    var answeredPush: Int64 {
        get { integer("answeredPush") }
        set { setValue(newValue, forKey: "answeredPush") }
    }
}

/// The answer to a push.
final class SyncAnswerRecord: NSManagedObject {
    var push: Int64 { integer("push") }
    var digest: Data { value(forKey: "digest") as? Data ?? Data() }
    var body: Data { value(forKey: "body") as? Data ?? Data() }
    /// The newest position when the push was ended; 0 before that.
    var position: Int64 {
        get { integer("position") }
        set { setValue(newValue, forKey: "position") }
    }
    /// How often the server has begun the group behind those that have a result.
    var tries: Int64 {
        get { integer("tries") }
        set { setValue(newValue, forKey: "tries") }
    }
}

/// The row with the counters of the server.
final class SyncServerState: NSManagedObject {
    var epoch: Int64 {
        get { integer("epoch") }
        set { setValue(newValue, forKey: "epoch") }
    }
    /// The newest position.
    var number: Int64 {
        get { integer("number") }
        set { setValue(newValue, forKey: "number") }
    }
    var nonce: Int64 {
        get { integer("nonce") }
        set { setValue(newValue, forKey: "nonce") }
    }
    var replicaCount: Int64 {
        get { integer("replicaCount") }
        set { setValue(newValue, forKey: "replicaCount") }
    }

    /// The last transaction of the store whose changes have a position; nil before the first look.
    var token: NSPersistentHistoryToken? {
        get { historyToken("token") }
        set { setHistoryToken(newValue, "token") }
    }
    /// The number that the save of the row gets in the history, if no other save comes first.
    var transaction: Int64 {
        get { integer("transaction") }
        set { setValue(newValue, forKey: "transaction") }
    }
    /// Tells which scopes the edges are of; 0 for a server without scopes.
    var scopes: Int64 {
        get { integer("scopes") }
        set { setValue(newValue, forKey: "scopes") }
    }
    /// The number of the newest position at which an object died whose record was forgotten.
    var horizon: Int64 {
        get { integer("horizon") }
        set { setValue(newValue, forKey: "horizon") }
    }
    /// The number of the position that the newest backup has.
    var backup: Int64 {
        get { integer("backup") }
        set { setValue(newValue, forKey: "backup") }
    }

    var position: SyncPosition { SyncPosition(epoch: epoch, number: number, nonce: nonce) }
}
