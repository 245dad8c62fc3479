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

extension Bool: AttributeValue {
    /// The value of a Boolean attribute.
    @inlinable
    @inline(__always)
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Bool? {
        storage.integer(property).map { $0 != 0 }
    }

    /// Sets a Boolean attribute.
    @inlinable
    @inline(__always)
    public static func write(_ value: Bool, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.setInteger(value ? 1 : 0, property) { storage.setOther(value, property) }
    }

    /// The value as a number object.
    public var storedValue: Any? { NSNumber(value: self) }

    /// The Boolean of a number object.
    public init?(storedValue: Any?) {
        guard let number = Numbers.number(storedValue) else { return nil }
        self = number.boolValue
    }
}

// MARK: Real numbers and dates

extension Double: AttributeValue {
    /// The value of a Double attribute.
    @inlinable
    @inline(__always)
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Double? {
        storage.real(property)
    }

    /// Sets a Double attribute.
    @inlinable
    @inline(__always)
    public static func write(_ value: Double, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.setReal(value, property) { storage.setOther(value, property) }
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
    @inlinable
    @inline(__always)
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Float? {
        storage.real(property).map { Float($0) }
    }

    /// Sets a Float attribute.
    @inlinable
    @inline(__always)
    public static func write(_ value: Float, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.setReal(Double(value), property) { storage.setOther(value, property) }
    }

    /// The value as a number object.
    public var storedValue: Any? { NSNumber(value: self) }

    /// The number of a number object.
    public init?(storedValue: Any?) {
        guard let number = Numbers.number(storedValue) else { return nil }
        self = number.floatValue
    }
}

extension Date: AttributeValue {
    /// The value of a date attribute.
    @inlinable
    @inline(__always)
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Date? {
        storage.date(property).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    /// Sets a date attribute.
    @inlinable
    @inline(__always)
    public static func write(_ value: Date, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.setDate(value.timeIntervalSinceReferenceDate, property) { storage.setOther(value, property) }
    }

    /// The date.
    public var storedValue: Any? { self }

    /// The date.
    public init?(storedValue: Any?) {
        guard let date = storedValue as? Date else { return nil }
        self = date
    }
}

// MARK: Strings

extension String: AttributeValue {
    /// The value of a string attribute.
    @inlinable
    @inline(__always)
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> String? {
        storage.string(property)
    }

    /// Sets a string attribute.
    @inlinable
    @inline(__always)
    public static func write(_ value: String, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.setString(value, property) { storage.setOther(value, property) }
    }

    /// The string.
    public var storedValue: Any? { self }

    /// The string.
    public init?(storedValue: Any?) {
        guard let text = storedValue as? String else { return nil }
        self = text
    }
}

// MARK: Objects

extension Data: AttributeValue {
    /// The value of a binary attribute.
    @inlinable
    @inline(__always)
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Data? {
        storage.data(property)
    }

    /// Sets a binary attribute.
    @inlinable
    @inline(__always)
    public static func write(_ value: Data, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.setData(value, property) { storage.setOther(value, property) }
    }

    /// The data.
    public var storedValue: Any? { self }

    /// The data.
    public init?(storedValue: Any?) {
        guard let data = storedValue as? Data else { return nil }
        self = data
    }
}

extension UUID: AttributeValue {
    /// The value of a UUID attribute.
    @inlinable
    @inline(__always)
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> UUID? {
        storage.uuid(property)
    }

    /// Sets a UUID attribute.
    @inlinable
    @inline(__always)
    public static func write(_ value: UUID, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.setUUID(value, property) { storage.setOther(value, property) }
    }

    /// The UUID.
    public var storedValue: Any? { self }

    /// The UUID.
    public init?(storedValue: Any?) {
        guard let uuid = storedValue as? UUID else { return nil }
        self = uuid
    }
}

extension URL: AttributeValue {
    /// The value of a URI attribute.
    @inlinable
    @inline(__always)
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> URL? {
        storage.url(property)
    }

    /// Sets a URI attribute.
    @inlinable
    @inline(__always)
    public static func write(_ value: URL, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.setURL(value, property) { storage.setOther(value, property) }
    }

    /// The URL.
    public var storedValue: Any? { self }

    /// The URL.
    public init?(storedValue: Any?) {
        guard let url = storedValue as? URL else { return nil }
        self = url
    }
}

extension Decimal: AttributeValue {
    /// The value of a decimal attribute.
    @inlinable
    @inline(__always)
    public static func read(_ property: PersistentProperty, of storage: ModelStorage) -> Decimal? {
        storage.decimal(property)
    }

    /// Sets a decimal attribute.
    @inlinable
    @inline(__always)
    public static func write(_ value: Decimal, _ property: PersistentProperty, of storage: ModelStorage) {
        if !storage.setDecimal(value, property) { storage.setOther(value, property) }
    }

    /// The value as a number object.
    public var storedValue: Any? { NSDecimalNumber(decimal: self) }

    /// The decimal of a number object.
    public init?(storedValue: Any?) {
        guard let number = Numbers.number(storedValue) else { return nil }
        self = number.decimalValue
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
