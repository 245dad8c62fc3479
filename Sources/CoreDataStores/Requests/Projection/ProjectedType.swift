// SPDX-License-Identifier: Apache-2.0

/// The type of a value in a dictionary.
package enum ProjectedType {
    /// A value of an attribute's type. The slot is the attribute's; nil for computed values.
    case value(NSAttributeType, PropertySlot?)
    /// The ID of an object of this entity.
    case object(EntityLayout)

    static let integer = ProjectedType.value(.integer64AttributeType, nil)
    static let real = ProjectedType.value(.doubleAttributeType, nil)
    static let text = ProjectedType.value(.stringAttributeType, nil)
    static let unknown = ProjectedType.value(.undefinedAttributeType, nil)

    package var attributeType: NSAttributeType {
        switch self {
        case .value(let type, _): type
        case .object: .objectIDAttributeType
        }
    }

    var slot: PropertySlot? {
        if case .value(_, let slot) = self { return slot }
        return nil
    }

    /// The same type for computed values.
    var computed: ProjectedType {
        if case .value(let type, _?) = self { return .value(type, nil) }
        return self
    }

    var isInteger: Bool {
        switch attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType: true
        default: false
        }
    }

    /// Whether values can be computed with; assumed of an undefined type.
    var isNumber: Bool {
        switch attributeType {
        case .decimalAttributeType, .doubleAttributeType, .floatAttributeType, .undefinedAttributeType: true
        default: isInteger
        }
    }

    /// Whether values have an order.
    var isOrdered: Bool {
        switch attributeType {
        case .objectIDAttributeType, .transformableAttributeType, .compositeAttributeType: false
        default: !isStoredOutside
        }
    }

    /// Whether values may be in external files, where SQL can't compare them.
    package var isStoredOutside: Bool {
        slot?.leaves.contains { $0.attribute?.allowsExternalBinaryDataStorage ?? false } ?? false
    }

    // MARK: Conversion

    /// Whether values of another type can be converted to this type.
    package func converts(_ other: ProjectedType) -> Bool {
        let from = other.attributeType
        let to = attributeType
        if from == to || from == .undefinedAttributeType || to == .undefinedAttributeType { return true }
        switch to {
        case .stringAttributeType: return other.isNumber || from == .UUIDAttributeType || from == .URIAttributeType
        case .dateAttributeType: return other.isNumber
        case .UUIDAttributeType, .URIAttributeType: return from == .stringAttributeType
        default: return isNumber && (other.isNumber || from == .dateAttributeType || from == .stringAttributeType)
        }
    }

    /// A value converted to this type; nil if it can't be converted.
    package func value(of value: Any?) -> Any? {
        guard let value = Values.unwrap(value) else { return nil }
        switch attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return Self.integer(value)
        case .doubleAttributeType: return Self.number(value).map { NumberObjects.double($0.doubleValue) }
        case .floatAttributeType: return Self.number(value).map { NSNumber(value: $0.floatValue) }
        case .booleanAttributeType: return Self.number(value).map { NSNumber(value: $0.isTrue) }
        case .decimalAttributeType: return Self.decimal(value)
        case .dateAttributeType: return FunctionLibrary.cast(value, to: "NSDate")
        case .stringAttributeType: return value is String ? value : FunctionLibrary.cast(value, to: "NSString")
        case .UUIDAttributeType: return FunctionLibrary.cast(value, to: "NSUUID")
        case .URIAttributeType: return FunctionLibrary.cast(value, to: "NSURL")
        default: return Self.identity(value)
        }
    }

    private static func number(_ value: Any) -> NSNumber? { FunctionLibrary.cast(value, to: "NSNumber") as? NSNumber }

    private static func integer(_ value: Any) -> NSNumber? {
        guard let number = number(value) else { return nil }
        if !Numbers.isReal(number) { return NumberObjects.integer(number.int64Value) }
        let whole = number.doubleValue.rounded(.towardZero)
        // A number beyond 64 bits stays as it is.
        return Int64(exactly: whole).map(NumberObjects.integer) ?? number
    }

    /// A computed double has at most 15 significant digits.
    private static func decimal(_ value: Any) -> NSDecimalNumber? {
        guard let number = number(value) else { return nil }
        if let decimal = number as? NSDecimalNumber { return decimal }
        if !Numbers.isReal(number) { return HashableDecimalNumber(decimal: Decimal(number.int64Value)) }
        return Decimal(string: String(format: "%.15g", number.doubleValue)).map { HashableDecimalNumber(decimal: $0) }
    }

    /// Dictionaries contain the IDs of objects.
    private static func identity(_ value: Any) -> Any {
        (value as? any ComparableByIdentity)?.comparisonIdentity ?? value
    }
}
