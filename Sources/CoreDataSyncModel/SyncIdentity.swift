// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire
import Digests

/// The UUIDs of objects whose entity has an identifying attribute.
package enum SyncIdentity {
    /// The UUID of an object of a hierarchy with a value of its identifying attribute; nil without a value.
    ///
    /// It is made of the name of the hierarchy and of the value, so that objects of two hierarchies may have one value.
    package static func uuid(_ rootName: String, _ value: Any?) -> UUID? {
        switch value {
        case let uuid as UUID: make(rootName, "u" + uuid.uuidString)
        case let text as String: make(rootName, "t" + text)
        default: nil
        }
    }

    /// The UUID of an object that had a CloudKit record: the name of the record, as Apple's framework makes names, or a
    /// UUID made of another name.
    package static func uuid(ofRecord name: String) -> UUID { UUID(uuidString: name) ?? make("", "r" + name) }

    private static func make(_ rootName: String, _ text: String) -> UUID {
        let bytes = SHA256.hash(Array((rootName + "\u{0}" + text).utf8))
        // RFC 9562, version 8: the bits are the program's own.
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6] & 0x0f | 0x80, bytes[7],
                bytes[8] & 0x3f | 0x80, bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
