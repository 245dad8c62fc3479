// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The changes that an import makes in the side store after the app's store is saved. The side store has them before
/// that save: after an interruption, the history of the app's store tells whether they are to be made.
struct SyncImportPlan: Codable {
    /// The entries of each object aren't JSON: see `bytes`.
    private enum CodingKeys: CodingKey {
        case position, scopes, endedPush, fillsPlaceholders, hasChanges, adopted, held, problems, repeated, revived
    }

    struct Key {
        let entityName: String
        let key: Int64
    }

    let position: SyncPosition
    /// The scopes of the objects, as the last page says; nil for a server without scopes.
    let scopes: Int64?
    /// The push that the import ends.
    var endedPush: Int64?
    /// The objects that the import inserts.
    var keys: [UUID: Key] = [:]
    var lives: [UUID: Int64] = [:]
    /// The values of merged properties that the server has.
    var merged: [UUID: [String: SyncValue]] = [:]
    var deleted: Set<UUID> = []
    /// The large values that the import has set, and placeholders for others; nil where it has set something else.
    var blobs: [UUID: [String: SyncKnownBlob?]] = [:]
    /// Whether the import only gives objects values that they waited for.
    var fillsPlaceholders = false
    var digests: [UUID: Int64] = [:]
    /// Whether the import changes the app's store.
    var hasChanges = false
    /// Objects of the program that become objects of the server, and those.
    var adopted: [UUID: UUID] = [:]
    /// Objects of the ended push whose groups are sent again.
    var repeated: Set<UUID> = []
    /// Objects that the server has deleted, and that are sent whole since the program has changed them.
    var revived: Set<UUID> = []
    /// States that the app's store can't have now, and why. The rest of the held ones is released.
    var held: [UUID: Held] = [:]
    /// Changes of the program that can't be sent any more, and why.
    var problems: [Problem] = []

    struct Held: Codable {
        let state: SyncObjectState
        let text: String

        static let changedByClass = "A class of the app has changed the value."
    }

    struct Problem: Codable {
        let change: SyncObjectChange
        let text: String
    }
}

extension SyncImportPlan {
    /// The part of the plan that has an entry for each object.
    var bytes: Data {
        get {
            var writer = SyncByteWriter()
            writer.write(keys) {
                $0.write($1.entityName)
                $0.write($1.key)
            }
            writer.write(lives) { $0.write($1) }
            writer.write(merged) { $0.write($1) }
            writer.write(digests) { $0.write($1) }
            writer.write(Int64(deleted.count))
            for identity in deleted { writer.write(identity) }
            writer.write(blobs) { writer, values in
                values.compactMapValues { $0 }.write(to: &writer)
                let others = values.filter { $0.value == nil }.keys
                writer.write(Int64(others.count))
                for name in others { writer.write(name) }
            }
            return writer.data
        }
        set {
            var reader = SyncByteReader(newValue)
            keys = reader.objects { Key(entityName: $0.text(), key: $0.integer()) }
            lives = reader.objects { $0.integer() }
            merged = reader.objects { $0.values() }
            digests = reader.objects { $0.integer() }
            deleted = Set((0..<reader.count()).map { _ in reader.uuid() })
            blobs = reader.objects { reader in
                var values: [String: SyncKnownBlob?] = [String: SyncKnownBlob](&reader).mapValues { $0 }
                for _ in 0..<reader.count() { values.updateValue(nil, forKey: reader.text()) }
                return values
            }
        }
    }
}

/// The row of the side store that has the plan of an import under way.
final class SyncPlanRecord: NSManagedObject {
    var plan: SyncImportPlan? {
        get {
            guard var plan = SyncJSON.decode(SyncImportPlan.self, value(forKey: "head") as? Data),
                let body = bytes("body")
            else { return nil }
            plan.bytes = body
            return plan
        }
        set {
            setValue(newValue.flatMap { SyncJSON.encode($0) }, forKey: "head")
            setBytes(newValue?.bytes, "body")
        }
    }
    /// Whether the history has the save of the import.
    var isSaved: Bool {
        get { (value(forKey: "isSaved") as? NSNumber)?.boolValue ?? false }
        set { setValue(newValue, forKey: "isSaved") }
    }
}
