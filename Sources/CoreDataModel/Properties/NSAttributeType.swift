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
    /// Whether a value is valid for an attribute of this type. Numeric types accept every number. Transformable,
    /// composite and undefined types accept every value.
    func accepts(_ value: Any) -> Bool {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType,
            .booleanAttributeType, .decimalAttributeType:
            return value is NSNumber || value is Decimal
        case .stringAttributeType: return value is String
        case .dateAttributeType: return value is Date
        case .binaryDataAttributeType: return value is Data
        case .UUIDAttributeType: return value is UUID
        case .URIAttributeType: return value is URL
        case .transformableAttributeType, .compositeAttributeType, .undefinedAttributeType: return true
        // A model contains no object IDs.
        case .objectIDAttributeType: return false
        }
    }
}
