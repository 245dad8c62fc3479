// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

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
    /// The changed properties, and the number of the position whose changes the program saw when it changed each first.
    ///
    /// A deletion has the base of all properties under ``everyProperty``, and those of properties with an older one. An
    /// object that is inserted again before the server has answered has them: imports have left it alone since.
    var bases: [String: Int64] {
        get {
            var reader = SyncByteReader(value(forKey: "bases") as? Data ?? Data())
            var bases: [String: Int64] = [:]
            for _ in 0..<reader.count() { bases[reader.text()] = reader.integer() }
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

    /// The name under which a deletion has the base of the properties that it doesn't name.
    static let everyProperty = ""

    /// The properties that imports leave alone until the server has answered. A deletion has none.
    var maskedNames: Set<String> { kind == .delete ? [] : Set(bases.keys) }
}
