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
    /// The scopes of the objects, as the server tells them apart; nil for a server without scopes.
    var scopes: Int64? {
        get { (value(forKey: "scopes") as? NSNumber)?.int64Value }
        set { setValue(newValue.map { NSNumber(value: $0) }, forKey: "scopes") }
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
}

/// An object of the app's store, and its UUID.
final class SyncKnownObject: NSManagedObject {
    var identity: UUID {
        get { value(forKey: "identity") as? UUID ?? UUID() }
        set { setValue(newValue, forKey: "identity") }
    }
    var entityName: String {
        get { value(forKey: "entityName") as? String ?? "" }
        set { setValue(newValue, forKey: "entityName") }
    }
    /// The number in the object's URI; 0 for an object that was deleted.
    var key: Int64 {
        get { integer("key") }
        set { setValue(newValue, forKey: "key") }
    }
    /// The life of which the server has told; 0 for an object that the server doesn't have yet.
    var life: Int64 {
        get { integer("life") }
        set { setValue(newValue, forKey: "life") }
    }
    /// The ``SyncDigest`` of the object when it was last sent or imported.
    var digest: Int64 {
        get { integer("digest") }
        set { setValue(newValue, forKey: "digest") }
    }
    /// The values of sums and members that the server has, or will have when it has the pushes under way.
    var merged: [String: SyncValue] {
        get {
            guard let data = value(forKey: "merged") as? Data else { return [:] }
            var reader = SyncByteReader(data)
            return reader.values()
        }
        set {
            // No value is the same as an empty one.
            let values = newValue.filter { $0.value != .null && $0.value != .objects([]) }
            var writer = SyncByteWriter()
            writer.write(values)
            setValue(values.isEmpty ? nil : writer.data, forKey: "merged")
        }
    }
}

/// A change of a program that the server doesn't have yet.
final class SyncPendingObject: NSManagedObject {
    var identity: UUID {
        get { value(forKey: "identity") as? UUID ?? UUID() }
        set { setValue(newValue, forKey: "identity") }
    }
    var entityName: String {
        get { value(forKey: "entityName") as? String ?? "" }
        set { setValue(newValue, forKey: "entityName") }
    }
    var kind: SyncObjectChange.Kind {
        get { (value(forKey: "kind") as? String).flatMap(SyncObjectChange.Kind.init) ?? .update }
        set { setValue(newValue.rawValue, forKey: "kind") }
    }
    /// The saves that share a changed object have one number.
    var group: Int64 {
        get { integer("group") }
        set { setValue(newValue, forKey: "group") }
    }
    /// The number of the push that has the change; 0 before it is frozen.
    var push: Int64 {
        get { integer("push") }
        set { setValue(newValue, forKey: "push") }
    }
    /// When the program saved it last, in seconds since the reference date.
    var time: Double {
        get { (value(forKey: "time") as? NSNumber)?.doubleValue ?? 0 }
        set { setValue(newValue, forKey: "time") }
    }
    /// The changed properties, and the number of the position that the store had when each was first changed.
    var bases: [String: Int64] {
        get {
            var reader = SyncByteReader(value(forKey: "bases") as? Data ?? Data())
            var bases: [String: Int64] = [:]
            for _ in 0..<max(reader.integer(), 0) { bases[reader.text()] = reader.integer() }
            return bases
        }
        set {
            var writer = SyncByteWriter()
            writer.write(Int64(newValue.count))
            for (name, base) in newValue {
                writer.write(name)
                writer.write(base)
            }
            setValue(writer.data, forKey: "bases")
        }
    }
}

/// A push whose bytes no longer change.
final class SyncOutgoingPush: NSManagedObject {
    /// The name of the replica in the push.
    var replica: UUID {
        get { value(forKey: "replica") as? UUID ?? UUID() }
        set { setValue(newValue, forKey: "replica") }
    }
    var number: Int64 {
        get { integer("number") }
        set { setValue(newValue, forKey: "number") }
    }
    var body: Data {
        get { bytes("body") ?? Data() }
        set { setBytes(newValue, "body") }
    }
    /// How often the push was sent.
    var attempts: Int64 {
        get { integer("attempts") }
        set { setValue(newValue, forKey: "attempts") }
    }
    /// The most that the bases of the push count for on a server that was restored.
    var newestBase: Int64? {
        get { value(forKey: "newestBase") == nil ? nil : integer("newestBase") }
        set { setValue(newValue, forKey: "newestBase") }
    }
    /// When the app's store had all that the push brought. The push is kept until a backup of the server has it.
    var endTime: Double? {
        get { (value(forKey: "endTime") as? NSNumber)?.doubleValue }
        set { setValue(newValue, forKey: "endTime") }
    }
    /// The values of merged properties that the server had, as far as the replica knew, before the push.
    var former: [UUID: [String: SyncValue]] {
        get {
            var reader = SyncByteReader(bytes("former") ?? Data())
            return reader.objects { $0.values() }
        }
        set {
            var writer = SyncByteWriter()
            writer.write(newValue) { $0.write($1) }
            setBytes(newValue.isEmpty ? nil : writer.data, "former")
        }
    }
    /// The position of the answer; nil without one.
    private(set) var answerPosition: SyncPosition? {
        get {
            value(forKey: "answerNumber") == nil
                ? nil
                : SyncPosition(
                    epoch: integer("answerEpoch"), number: integer("answerNumber"), nonce: integer("answerNonce"))
        }
        set {
            setValue(newValue?.epoch, forKey: "answerEpoch")
            setValue(newValue?.number, forKey: "answerNumber")
            setValue(newValue?.nonce, forKey: "answerNonce")
        }
    }
    /// The answer without its states.
    private var answerHead: SyncPushAnswer? { SyncJSON.decode(SyncPushAnswer.self, value(forKey: "answer") as? Data) }
    var answer: SyncPushAnswer? {
        get {
            guard var answer = answerHead else { return nil }
            var reader = SyncByteReader(bytes("corrections") ?? Data())
            answer.corrections = reader.states()
            return answer
        }
        set {
            var head = newValue
            head?.corrections = []
            answerPosition = newValue?.position
            setValue(head.flatMap { SyncJSON.encode($0) }, forKey: "answer")
            setBytes(newValue.map { SyncStates.data($0.corrections) }, "corrections")
        }
    }
    /// Ends the push. Its bytes are kept until a backup of the server has it.
    func end(at time: Double) {
        endTime = time
        setBytes(nil, "corrections")
    }

    /// The end of each group, as the answer says.
    var results: [SyncGroupResult] { answerHead?.results ?? [] }
}

/// Bytes of another row, in a row of their own: a fetch of that one doesn't read them.
final class SyncStoredBytes: NSManagedObject {
    fileprivate var data: Data? {
        get { value(forKey: "data") as? Data }
        set { setValue(newValue, forKey: "data") }
    }
}

extension NSManagedObject {
    func bytes(_ key: String) -> Data? { (value(forKey: key) as? SyncStoredBytes)?.data }

    func setBytes(_ data: Data?, _ key: String) {
        if let row = value(forKey: key) as? SyncStoredBytes {
            guard let data else {
                setValue(nil, forKey: key)
                managedObjectContext?.delete(row)
                return
            }
            row.data = data
        } else if let data, let context = managedObjectContext {
            let row = NSEntityDescription.insertNewObject(forEntityName: "StoredBytes", into: context)
            row.setValue(data, forKey: "data")
            setValue(row, forKey: key)
        }
    }
}

/// A page of the server's changes that isn't in the app's store yet.
final class SyncIncomingPage: NSManagedObject {
    var sequence: Int64 {
        get { integer("sequence") }
        set { setValue(newValue, forKey: "sequence") }
    }
    /// The page without its objects.
    var head: SyncChanges? { SyncJSON.decode(SyncChanges.self, value(forKey: "head") as? Data) }
    var objects: [SyncObjectState] {
        var reader = SyncByteReader(bytes("body") ?? Data())
        return reader.states()
    }

    func set(_ changes: SyncChanges) {
        var head = changes
        head.objects = []
        setValue(SyncJSON.encode(head), forKey: "head")
        setBytes(SyncStates.data(changes.objects), "body")
    }
}

/// A state of the server that the app's store can't have yet, or not whole. Each import tries again.
final class SyncHeldState: NSManagedObject {
    var identity: UUID { value(forKey: "identity") as? UUID ?? UUID() }
    var text: String { value(forKey: "text") as? String ?? "" }
    var state: SyncObjectState? { SyncJSON.decode(SyncObjectState.self, value(forKey: "body") as? Data) }

    func hold(_ state: SyncObjectState, because text: String) {
        setValue(state.object, forKey: "identity")
        setValue(SyncJSON.encode(state), forKey: "body")
        setValue(text, forKey: "text")
    }
}

/// A change of the program that the server refused, with its values.
final class SyncProblemRecord: NSManagedObject {
    func set(_ change: SyncObjectChange, because text: String) {
        setValue(change.object, forKey: "identity")
        setValue(SyncJSON.encode(change), forKey: "body")
        setValue(text, forKey: "text")
    }
}

extension NSManagedObject {
    fileprivate func boolean(_ key: String) -> Bool { (value(forKey: key) as? NSNumber)?.boolValue ?? false }
}

/// The bytes of states in the side store.
enum SyncStates {
    static func data(_ states: [SyncObjectState]) -> Data {
        var writer = SyncByteWriter()
        writer.write(Int64(states.count))
        for state in states { writer.write(state) }
        return writer.data
    }
}

/// The JSON in which the side store keeps small values.
enum SyncJSON {
    static func encode(_ value: some Encodable) -> Data? { try? JSONEncoder().encode(value) }

    static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data?) -> Value? {
        data.flatMap { try? JSONDecoder().decode(type, from: $0) }
    }
}
