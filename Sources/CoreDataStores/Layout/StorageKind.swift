// SPDX-License-Identifier: Apache-2.0

/// The representation of a property's value in its cell.
@usableFromInline package enum StorageKind: UInt8, Sendable {
    case integer16, integer32, integer64, boolean, double, float, date
    case string
    case decimal, data, uuid, uri, transformable, objectID, undefined, composite
    case toOne
    case toMany, fetched

    init(_ type: NSAttributeType) {
        switch type {
        case .integer16AttributeType: self = .integer16
        case .integer32AttributeType: self = .integer32
        case .integer64AttributeType: self = .integer64
        case .decimalAttributeType: self = .decimal
        case .doubleAttributeType: self = .double
        case .floatAttributeType: self = .float
        case .stringAttributeType: self = .string
        case .booleanAttributeType: self = .boolean
        case .dateAttributeType: self = .date
        case .binaryDataAttributeType: self = .data
        case .UUIDAttributeType: self = .uuid
        case .URIAttributeType: self = .uri
        case .transformableAttributeType: self = .transformable
        case .objectIDAttributeType: self = .objectID
        case .compositeAttributeType: self = .composite
        default: self = .undefined
        }
    }

    /// The family of representations.
    @usableFromInline package enum CellFamily: Sendable { case scalar, string, object, reference, composite, none }

    @inlinable package var family: CellFamily {
        switch self {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date: .scalar
        case .string: .string
        case .decimal, .data, .uuid, .uri, .transformable, .objectID, .undefined: .object
        case .composite: .composite
        case .toOne: .reference
        case .toMany, .fetched: .none
        }
    }

    /// The values of an integer attribute of 16 or 32 bits; nil for all others.
    package var integerRange: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        default: nil
        }
    }

    @inlinable package var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }
}
