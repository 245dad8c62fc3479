// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

extension SyncProperty {
    /// The value of an attribute as messages contain it.
    ///
    /// - Throws: ``SyncValueError`` for a value that no message can contain.
    package func syncValue(_ value: Any?, entity: String) throws -> SyncValue {
        guard let value, !(value is NSNull) else { return .null }
        guard case .attribute(let type) = kind else { throw error(entity, "It is no attribute.") }
        let result: SyncValue? =
            switch type {
            case .booleanAttributeType: (value as? NSNumber).map { .boolean($0.boolValue) }
            case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
                (value as? NSNumber).map { .integer($0.int64Value) }
            case .doubleAttributeType, .floatAttributeType: (value as? NSNumber).map { .double($0.doubleValue) }
            case .decimalAttributeType: (value as? NSDecimalNumber).map { .decimal($0.decimalValue) }
            case .stringAttributeType: (value as? String).map(SyncValue.text)
            case .dateAttributeType: (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
            case .UUIDAttributeType: (value as? UUID).map(SyncValue.uuid)
            case .URIAttributeType: (value as? URL).map { .uri($0.absoluteString) }
            case .binaryDataAttributeType:
                (value as? Data).map { isBlob($0) ? .blob(SyncBlob(of: $0)) : .data($0) }
            case .transformableAttributeType: (transformer?.transformedValue(value) as? Data).map(SyncValue.data)
            default: nil
            }
        guard let result else { throw error(entity, "A message can't contain the value \(value).") }
        return result
    }

    /// The value of an attribute from a message.
    ///
    /// - Throws: ``SyncValueError`` for a value of another type, or a number beyond the range of the attribute.
    package func value(_ value: SyncValue, entity: String) throws -> Any? {
        guard case .attribute(let type) = kind else { throw error(entity, "It is no attribute.") }
        switch (value, type) {
        case (.null, _): return nil
        case (.boolean(let value), .booleanAttributeType): return NSNumber(value: value)
        case (.integer(let value), .integer16AttributeType) where Int16(exactly: value) != nil,
            (.integer(let value), .integer32AttributeType) where Int32(exactly: value) != nil,
            (.integer(let value), .integer64AttributeType):
            return NSNumber(value: value)
        case (.double(let value), .doubleAttributeType): return NSNumber(value: value)
        case (.double(let value), .floatAttributeType) where value.isNaN || Double(Float(value)) == value:
            return NSNumber(value: Float(value))
        case (.decimal(let value), .decimalAttributeType): return NSDecimalNumber(decimal: value)
        case (.text(let value), .stringAttributeType): return value
        case (.date(let value), .dateAttributeType): return Date(timeIntervalSinceReferenceDate: value)
        case (.uuid(let value), .UUIDAttributeType): return value
        case (.uri(let value), .URIAttributeType):
            guard let url = URL(string: value) else { throw error(entity, "“\(value)” is no URL.") }
            return url
        case (.data(let value), .binaryDataAttributeType): return value
        case (.data(let value), .transformableAttributeType):
            guard let object = transformer?.reverseTransformedValue(value) else {
                throw error(entity, "The transformer can't read the value.")
            }
            return object
        default:
            throw error(entity, "The attribute can't have the value \(value).")
        }
    }

    /// Whether a value travels apart from its object.
    private func isBlob(_ value: Data) -> Bool { leastBlobBytes.map { value.count >= $0 } ?? false }

    private var transformer: ValueTransformer? {
        guard let transformerName, !transformerName.isEmpty else {
            return ValueTransformer(forName: .secureUnarchiveFromDataTransformerName)
        }
        return ValueTransformer(forName: NSValueTransformerName(transformerName))
    }

    private func error(_ entity: String, _ text: String) -> SyncValueError {
        SyncValueError(entity: entity, property: name, text: text)
    }
}

/// A value that a property can't have, or that no message can contain.
package struct SyncValueError: Error, Hashable, Sendable, CustomStringConvertible {
    package let entity: String
    let property: String
    let text: String

    package var description: String { "The property “\(property)” of “\(entity)”: \(text)" }
}
