// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

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
    /// The knowledge of the large values of the object, by the names of the attributes. A change of the program ends
    /// it.
    var blobs: [String: SyncKnownBlob] {
        get {
            guard let data = value(forKey: "blobs") as? Data else { return [:] }
            var reader = SyncByteReader(data)
            return [String: SyncKnownBlob](&reader)
        }
        set {
            var writer = SyncByteWriter()
            newValue.write(to: &writer)
            setValue(newValue.isEmpty ? nil : writer.data, forKey: "blobs")
        }
    }

    /// Whether the object has, or had, large values.
    var hasBlobs: Bool { value(forKey: "blobs") != nil }

    /// Forgets what is known of large values that a program has changed.
    func forgetBlobs(_ names: some Sequence<String>) {
        let known = blobs
        guard !known.isEmpty else { return }
        var staying = known
        for name in names { staying[name] = nil }
        if staying.count < known.count { blobs = staying }
    }

    /// Forgets what is known of the large values of an object, apart from those that it waits for.
    ///
    /// - Parameter object: nil for an object that isn't in the store.
    /// - Returns: the names of the values that it waits for.
    @discardableResult
    func keepPlaceholders(of object: NSManagedObject?, _ entity: SyncEntity) -> Set<String> {
        let known = blobs
        guard !known.isEmpty else { return [] }
        let waiting = known.filter { name, known in
            known.isLater && object.map { $0.hasPlaceholder(entity.properties[name]) } ?? true
        }
        if waiting.count < known.count { blobs = waiting }
        return Set(waiting.keys)
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
