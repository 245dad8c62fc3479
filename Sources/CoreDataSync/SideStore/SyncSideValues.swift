// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension NSManagedObject {
    func boolean(_ key: String) -> Bool { (value(forKey: key) as? NSNumber)?.boolValue ?? false }
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
