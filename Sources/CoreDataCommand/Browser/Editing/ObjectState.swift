// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The state of an object's attributes as a short text, to notice that it has changed.
enum ObjectState {
    static func text(of object: NSManagedObject) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for field in FormField.editable(of: object.entity) {
            let value = field.value(of: object)
            let text = value == nil ? "\0" : FieldValue.text(of: value, for: field.attribute)
            for byte in (field.key + "=" + text + "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return String(hash, radix: 16)
    }
}
