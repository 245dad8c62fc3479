// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The state of an object's attributes as a short text, to notice that it has changed.
enum ObjectState {
    static func text(of object: NSManagedObject) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for attribute in object.entity.attributesByName.values.sorted(by: { $0.name < $1.name })
        where FieldValue.isEditable(attribute) {
            let value = object.value(forKey: attribute.name)
            let text = value == nil ? "\0" : FieldValue.text(of: value, for: attribute)
            for byte in (attribute.name + "=" + text + "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return String(hash, radix: 16)
    }
}
