// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// A push whose bytes no longer change.
final class SyncOutgoingPush: NSManagedObject {
    /// The name of the replica in the push.
    var replica: UUID {
        get { value(forKey: "replica") as? UUID ?? UUID() }
        set { setValue(newValue, forKey: "replica") }
    }
    /// The version of the model by which the bytes were made.
    var model: String? {
        get { value(forKey: "model") as? String }
        set { setValue(newValue, forKey: "model") }
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
