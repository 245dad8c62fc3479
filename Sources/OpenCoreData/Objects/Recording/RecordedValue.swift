// SPDX-License-Identifier: Apache-2.0

/// Makes values for accessors of recording objects whose types are not optional. The values are never used.
enum RecordedValue {
    static func value<Value>(_ type: Value.Type, for key: String) -> Value {
        if let object = type as? NSManagedObject.Type {
            return object.init(entity: RecordingModel.entity, insertInto: nil) as! Value
        }
        if let value = objects.lazy.compactMap({ $0() as? Value }).first { return value }
        if _isPOD(type) { return zero(type) }
        programmingError(
            """
            The key of a key path that ends at '\(key)' can't be found out: no value of the type \(type) can be \
            made up.
            """,
            remedy: "Declare the property as optional, or give the key as a string.")
    }

    private static let objects: [@Sendable () -> Any] = [
        { NSNumber(value: 0) }, { NSDecimalNumber.zero }, { NSMutableString(string: "") },
        { NSDate(timeIntervalSinceReferenceDate: 0) }, { NSMutableData(data: Data()) }, { NSUUID() },
        { NSURL(fileURLWithPath: "/") }, { NSMutableArray(array: []) }, { NSMutableDictionary() }, { NSMutableSet() },
        { NSMutableOrderedSet(array: []) },
        { NSMutableAttributedString(string: "") }, { "" },
    ]

    /// A value whose bytes are all zero: zero, or the first case of an enumeration, for the types of transformable
    /// attributes and enumerations.
    private static func zero<Value>(_ type: Value.Type) -> Value {
        withUnsafeTemporaryAllocation(
            byteCount: max(MemoryLayout<Value>.size, 1), alignment: MemoryLayout<Value>.alignment
        ) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return bytes.load(as: Value.self)
        }
    }
}
