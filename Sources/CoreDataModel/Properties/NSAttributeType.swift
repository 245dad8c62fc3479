// SPDX-License-Identifier: Apache-2.0

/// The types of attributes, with Apple's raw values.
public enum NSAttributeType: UInt, Sendable {
    /// No type. Only transient attributes can have it.
    case undefinedAttributeType = 0
    /// A signed integer of 16 bits.
    case integer16AttributeType = 100
    /// A signed integer of 32 bits.
    case integer32AttributeType = 200
    /// A signed integer of 64 bits.
    case integer64AttributeType = 300
    /// An `NSDecimalNumber`.
    case decimalAttributeType = 400
    /// A `Double`.
    case doubleAttributeType = 500
    /// A `Float`.
    case floatAttributeType = 600
    /// A `String`.
    case stringAttributeType = 700
    /// A `Bool`.
    case booleanAttributeType = 800
    /// A `Date`.
    case dateAttributeType = 900
    /// `Data`.
    case binaryDataAttributeType = 1000
    /// A `UUID`.
    case UUIDAttributeType = 1100
    /// A `URL`.
    case URIAttributeType = 1200
    /// Any object that a value transformer converts to data.
    case transformableAttributeType = 1800
    /// An object ID. Only expression descriptions can have it, as their result type.
    case objectIDAttributeType = 2000
    /// A composite of other attributes (`NSCompositeAttributeDescription`).
    case compositeAttributeType = 2100
}

extension NSAttributeType {
    /// The class of the values of an attribute of this type; nil if the type doesn't determine it.
    var defaultValueClassName: String? {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType:
            return "NSNumber"
        case .decimalAttributeType: return "NSDecimalNumber"
        case .stringAttributeType: return "NSString"
        case .dateAttributeType: return "NSDate"
        case .binaryDataAttributeType: return "NSData"
        case .UUIDAttributeType: return "NSUUID"
        case .URIAttributeType: return "NSURL"
        case .objectIDAttributeType: return "NSManagedObjectID"
        case .compositeAttributeType: return "NSDictionary"
        case .undefinedAttributeType, .transformableAttributeType: return nil
        }
    }
}

extension NSAttributeType {
    /// The values of an integer type; all integers for other types.
    package var integerRange: ClosedRange<Int64> {
        switch self {
        case .integer16AttributeType: Int64(Int16.min)...Int64(Int16.max)
        case .integer32AttributeType: Int64(Int32.min)...Int64(Int32.max)
        default: Int64.min...Int64.max
        }
    }

    /// Whether an attribute of this type can have a value, by the value's class. Types of numbers and Booleans accept
    /// every number, as Core Data does; `Decimal` is one. The elements of a composite value are not looked at.
    package func accepts(_ value: Any) -> Bool {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType, .decimalAttributeType:
            value is NSNumber
        case .stringAttributeType: value is String
        case .dateAttributeType: value is Date
        case .binaryDataAttributeType: value is Data
        case .UUIDAttributeType: value is UUID
        case .URIAttributeType: value is URL
        case .compositeAttributeType: value is [String: Any]
        case .transformableAttributeType, .undefinedAttributeType: true
        // A model contains no object IDs.
        case .objectIDAttributeType: false
        }
    }
}
