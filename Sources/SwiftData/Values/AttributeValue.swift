// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// **Extension.** A type that Core Data stores as one of its attribute types: a number, a Boolean, a string, a date,
/// data, a UUID, a URL, a decimal, or an optional of these.
///
/// Accessors that `@Model` makes call the requirements, and so read and write such values without a look-up.
public protocol AttributeValue: Codable {
    /// The value of a property; nil if there is none.
    static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Self?
    /// Sets the value of a property.
    static func write(_ value: Self, _ property: PersistentProperty, of storage: ModelStorage)
    /// The value in the form of `NSManagedObject.value(forKey:)`; nil for nil.
    var storedValue: Any? { get }
    /// Makes a value from its form in `NSManagedObject.value(forKey:)`; nil for a value of another type.
    init?(storedValue: Any?)
}

// MARK: Integers

extension AttributeValue where Self: FixedWidthInteger {
    /// The value of an integer attribute.
    @inlinable
    @inline(__always)
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Self? {
        storage.integer(property).map { Self(truncatingIfNeeded: $0) }
    }

    /// Sets an integer attribute.
    @inlinable
    @inline(__always)
    public static func write(_ value: Self, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.setInteger(Int64(truncatingIfNeeded: value), property) { storage.setOther(value, property) }
    }

    /// The value as a number object.
    public var storedValue: Any? { NSNumber(value: Int64(truncatingIfNeeded: self)) }

    /// The integer of a number object.
    public init?(storedValue: Any?) {
        guard let number = Numbers.number(storedValue) else { return nil }
        self.init(truncatingIfNeeded: number.int64Value)
    }
}

extension Int: AttributeValue {}
extension Int8: AttributeValue {}
extension Int16: AttributeValue {}
extension Int32: AttributeValue {}
extension Int64: AttributeValue {}
extension UInt: AttributeValue {}
extension UInt8: AttributeValue {}
extension UInt16: AttributeValue {}
extension UInt32: AttributeValue {}
extension UInt64: AttributeValue {}

// MARK: Numbers

extension Bool: AttributeValue {
    /// The value of a Boolean attribute.
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Bool? {
        storage.with { $0.value(at: property.handle) }
    }

    /// Sets a Boolean attribute.
    public static func write(_ value: Bool, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.with({ $0.setValue(value, at: property.handle) }) { storage.setOther(value, property) }
    }

    /// The value as a number object.
    public var storedValue: Any? { NSNumber(value: self) }

    /// The Boolean of a number object.
    public init?(storedValue: Any?) {
        guard let number = Numbers.number(storedValue) else { return nil }
        self = number.boolValue
    }
}

extension Double: AttributeValue {
    /// The value of a Double attribute.
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Double? {
        storage.with { $0.value(at: property.handle) }
    }

    /// Sets a Double attribute.
    public static func write(_ value: Double, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.with({ $0.setValue(value, at: property.handle) }) { storage.setOther(value, property) }
    }

    /// The value as a number object.
    public var storedValue: Any? { NSNumber(value: self) }

    /// The number of a number object.
    public init?(storedValue: Any?) {
        guard let number = Numbers.number(storedValue) else { return nil }
        self = number.doubleValue
    }
}

extension Float: AttributeValue {
    /// The value of a Float attribute.
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Float? {
        storage.with { $0.value(at: property.handle) }
    }

    /// Sets a Float attribute.
    public static func write(_ value: Float, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.with({ $0.setValue(value, at: property.handle) }) { storage.setOther(value, property) }
    }

    /// The value as a number object.
    public var storedValue: Any? { NSNumber(value: self) }

    /// The number of a number object.
    public init?(storedValue: Any?) {
        guard let number = Numbers.number(storedValue) else { return nil }
        self = number.floatValue
    }
}

extension Decimal: AttributeValue {
    /// The value of a decimal attribute.
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Decimal? {
        storage.with { $0.value(at: property.handle) }
    }

    /// Sets a decimal attribute.
    public static func write(_ value: Decimal, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.with({ $0.setValue(value, at: property.handle) }) { storage.setOther(value, property) }
    }

    /// The value as a number object.
    public var storedValue: Any? { NSDecimalNumber(decimal: self) }

    /// The decimal of a number object.
    public init?(storedValue: Any?) {
        guard let number = Numbers.number(storedValue) else { return nil }
        self = number.decimalValue
    }
}

// MARK: Values that are stored as they are

extension AttributeValue {
    /// The value itself.
    public var storedValue: Any? { self }

    /// The value, if it is of the type.
    public init?(storedValue: Any?) {
        guard let value = storedValue as? Self else { return nil }
        self = value
    }
}

extension Date: AttributeValue {
    /// The value of a date attribute.
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Date? {
        storage.with { $0.value(at: property.handle) }
    }

    /// Sets a date attribute.
    public static func write(_ value: Date, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.with({ $0.setValue(value, at: property.handle) }) { storage.setOther(value, property) }
    }
}

extension String: AttributeValue {
    /// The value of a string attribute.
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> String? {
        storage.with { $0.value(at: property.handle) }
    }

    /// Sets a string attribute.
    public static func write(_ value: String, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.with({ $0.setValue(value, at: property.handle) }) { storage.setOther(value, property) }
    }
}

extension Data: AttributeValue {
    /// The value of a binary attribute.
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Data? {
        storage.with { $0.value(at: property.handle) }
    }

    /// Sets a binary attribute.
    public static func write(_ value: Data, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.with({ $0.setValue(value, at: property.handle) }) { storage.setOther(value, property) }
    }
}

extension UUID: AttributeValue {
    /// The value of a UUID attribute.
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> UUID? {
        storage.with { $0.value(at: property.handle) }
    }

    /// Sets a UUID attribute.
    public static func write(_ value: UUID, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.with({ $0.setValue(value, at: property.handle) }) { storage.setOther(value, property) }
    }
}

extension URL: AttributeValue {
    /// The value of a URI attribute.
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> URL? {
        storage.with { $0.value(at: property.handle) }
    }

    /// Sets a URI attribute.
    public static func write(_ value: URL, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.with({ $0.setValue(value, at: property.handle) }) { storage.setOther(value, property) }
    }
}

// MARK: Optionals

extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// The value of an attribute, which may be nil.
    @inlinable
    @inline(__always)
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Wrapped?? {
        .some(Wrapped.read(property, of: storage))
    }

    /// Sets an attribute, or removes its value.
    @inlinable
    @inline(__always)
    public static func write(_ value: Wrapped?, _ property: PersistentProperty, of storage: ModelStorage) {
        if let value {
            Wrapped.write(value, property, of: storage)
        } else {
            storage.removeValue(of: property)
        }
    }

    /// The value in the form of `NSManagedObject.value(forKey:)`; nil for nil.
    public var storedValue: Any? { flatMap(\.storedValue) }

    /// Makes a value from its form in `NSManagedObject.value(forKey:)`.
    public init?(storedValue: Any?) {
        guard storedValue != nil else {
            self = .none
            return
        }
        guard let wrapped = Wrapped(storedValue: storedValue) else { return nil }
        self = .some(wrapped)
    }
}

/// Values in the forms of Core Data's attribute types.
enum PlainValues {
    /// A value of a program in the form of an attribute; nil for a value of another type.
    static func stored(_ value: Any, _ type: NSAttributeType) -> Any? {
        switch type {
        case .stringAttributeType: value as? String
        case .dateAttributeType: value as? Date
        case .binaryDataAttributeType: value as? Data
        case .UUIDAttributeType: value as? UUID
        case .URIAttributeType: value as? URL
        default: (value as? any AttributeValue)?.storedValue
        }
    }
}
