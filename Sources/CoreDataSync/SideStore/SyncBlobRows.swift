// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The knowledge of a replica of a large value of an object.
struct SyncKnownBlob: Hashable {
    let blob: SyncBlob
    /// Whether the object has no value yet, or an empty one, in place of this one.
    var isLater = false
}

extension [String: SyncKnownBlob] {
    init(_ reader: inout SyncByteReader) {
        self = [:]
        for _ in 0..<reader.count() {
            let name = reader.text()
            self[name] = SyncKnownBlob(blob: reader.blob(), isLater: reader.integer() != 0)
        }
    }

    func write(to writer: inout SyncByteWriter) {
        writer.write(Int64(count))
        for (name, known) in self {
            writer.write(name)
            writer.write(known.blob)
            writer.write(Int64(known.isLater ? 1 : 0))
        }
    }
}

/// The bytes of a large value that a push or a problem has. Those of a push are kept until it is forgotten: the server
/// may ask for them. Those of a problem that an import brings are kept with its plan until then.
final class SyncOutgoingBlob: NSManagedObject {
    var bytes: Data {
        get { value(forKey: "bytes") as? Data ?? Data() }
        set { setValue(newValue, forKey: "bytes") }
    }
}

/// A large value that an object waits for.
final class SyncLaterBlob: NSManagedObject {
    var identity: UUID { value(forKey: "identity") as? UUID ?? UUID() }
    var name: String { value(forKey: "name") as? String ?? "" }
    var digest: Data? { value(forKey: "digest") as? Data }
}

// MARK: Placeholders

extension SyncProperty {
    /// The value of an object, with what is known of a large value: an object that waits for one has nothing yet, or an
    /// empty value.
    func value(
        of object: NSManagedObject, known: SyncKnownBlob?, _ identity: (NSManagedObjectID) throws -> UUID?
    ) throws -> SyncValue {
        guard mayBeBlob, let known else { return try value(of: object, identity) }
        if known.isLater {
            return object.hasPlaceholder(self) ? .blob(known.blob) : try value(of: object, identity)
        }
        return try value(of: object, blob: known.blob, identity)
    }
}

extension NSManagedObject {
    /// Whether the object has nothing, or an empty value, as one that waits for a large value has.
    func hasPlaceholder(_ property: SyncProperty?) -> Bool {
        guard let property else { return false }
        return (value(forKey: property.key) as? Data)?.isEmpty ?? true
    }
}
