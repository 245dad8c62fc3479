// SPDX-License-Identifier: Apache-2.0

/// Converts values of properties in Swift to what key-value coding passes, and back.
enum PropertyValue {
    private static let numberTypes: Set<ObjectIdentifier> = [
        ObjectIdentifier(Int.self), ObjectIdentifier(Int8.self), ObjectIdentifier(Int16.self),
        ObjectIdentifier(Int32.self), ObjectIdentifier(Int64.self), ObjectIdentifier(UInt.self),
        ObjectIdentifier(UInt8.self), ObjectIdentifier(UInt16.self), ObjectIdentifier(UInt32.self),
        ObjectIdentifier(UInt64.self), ObjectIdentifier(Double.self), ObjectIdentifier(Float.self),
        ObjectIdentifier(Bool.self),
    ]

    /// A value of Swift as key-value coding returns it: numbers and enumerations of numbers as `NSNumber`.
    static func object(_ value: Any) -> Any? {
        guard let value = Values.unwrap(value) else { return nil }
        if numberTypes.contains(ObjectIdentifier(type(of: value))) { return value as? NSNumber }
        if let enumeration = value as? any RawRepresentable { return object(enumeration.rawValue) }
        return value
    }

    /// A value of key-value coding as a type of Swift; nil if it has a wrong type.
    static func typed<Value>(_ value: Any?, as type: Value.Type) -> Value? {
        let value = value is NSNull ? nil : value
        guard let value else { return (type as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value }
        if let numeric = type as? any NumberReadable.Type {
            return (value as? NSNumber).flatMap { numeric.init(reading: $0) } as? Value
        }
        if let number = value as? NSNumber, let enumeration = type as? any RawRepresentable.Type {
            return Self.enumeration(enumeration, number) as? Value
        }
        return value as? Value
    }

    private static func enumeration<Value: RawRepresentable>(_ type: Value.Type, _ number: NSNumber) -> Value? {
        typed(number, as: Value.RawValue.self).flatMap(Value.init(rawValue:))
    }
}

/// The types that a number converts to.
private protocol NumberReadable {
    init?(reading number: NSNumber)
}

extension NumberReadable where Self: FixedWidthInteger {
    init?(reading number: NSNumber) { self.init(exactly: number.int64Value) }
}

extension Int: NumberReadable {}
extension Int8: NumberReadable {}
extension Int16: NumberReadable {}
extension Int32: NumberReadable {}
extension Int64: NumberReadable {}
extension UInt: NumberReadable {}
extension UInt8: NumberReadable {}
extension UInt16: NumberReadable {}
extension UInt32: NumberReadable {}
extension UInt64: NumberReadable {
    init?(reading number: NSNumber) { self = number.uint64Value }
}
extension Double: NumberReadable {
    init?(reading number: NSNumber) { self = number.doubleValue }
}
extension Float: NumberReadable {
    init?(reading number: NSNumber) { self = number.floatValue }
}
extension Bool: NumberReadable {
    init?(reading number: NSNumber) { self = number.boolValue }
}
extension Optional: NumberReadable where Wrapped: NumberReadable {
    init?(reading number: NSNumber) { self = Wrapped(reading: number) }
}
