// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// One value of one object with its type, for all output formats.
enum CellValue {
    case none
    case text(String)
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case boolean(Bool)
    case date(Date)
    case data(Data)
    /// The elements of a composite attribute that have values, in the order of the model.
    case composite([CompositeElement])
    /// An object at the other end of a to-one relationship.
    case reference(ObjectIDText)
    /// The objects at the other end of a to-many relationship, in their order if they have one.
    case references([ObjectIDText])

    /// One element of a composite value.
    struct CompositeElement {
        let name: String
        let value: CellValue
    }
}

extension CellValue {
    /// The value of an attribute. A value of another type than the declared one becomes its description.
    init(attribute: NSAttributeDescription, value: Any?) {
        guard let value, !(value is NSNull) else {
            self = .none
            return
        }
        if let composite = attribute as? NSCompositeAttributeDescription, let values = value as? [String: Any] {
            self = .composite(
                composite.elements.compactMap { element in
                    values[element.name].map {
                        CompositeElement(name: element.name, value: CellValue(attribute: element, value: $0))
                    }
                })
            return
        }
        self = Self.typed(value, as: attribute.attributeType) ?? .text(String(describing: value))
    }

    /// A value without an attribute, which the store computed.
    init(value: Any?) {
        switch value {
        case nil: self = .none
        case let text as String: self = .text(text)
        case let id as NSManagedObjectID: self = .reference(ObjectIDText(id))
        case let decimal as NSDecimalNumber: self = .decimal(decimal.decimalValue)
        case let number as NSNumber:
            self = Numbers.isReal(number) ? .real(number.doubleValue) : .integer(number.int64Value)
        case let date as Date: self = .date(date)
        case let data as Data: self = .data(data)
        case let uuid as UUID: self = .text(uuid.uuidString)
        case let url as URL: self = .text(url.absoluteString)
        case let other?: self = .text(String(describing: other))
        }
    }

    private static func typed(_ value: Any, as type: NSAttributeType) -> CellValue? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            (value as? NSNumber).map { .integer($0.int64Value) }
        case .booleanAttributeType:
            (value as? NSNumber).map { .boolean($0.boolValue) }
        case .doubleAttributeType:
            (value as? NSNumber).map { .real($0.doubleValue) }
        case .floatAttributeType:
            // The digits of the float: 0.1, not those of the double 0.10000000149011612.
            AttributeText.text(of: value, type: type).flatMap(Double.init).map { .real($0) }
        case .decimalAttributeType:
            (value as? NSDecimalNumber).map { .decimal($0.decimalValue) } ?? (value as? Decimal).map { .decimal($0) }
        case .stringAttributeType, .UUIDAttributeType, .URIAttributeType:
            AttributeText.text(of: value, type: type).map { .text($0) }
        case .dateAttributeType:
            (value as? Date).map { .date($0) }
        case .binaryDataAttributeType, .transformableAttributeType:
            (value as? Data).map { .data($0) }
        case .objectIDAttributeType:
            (value as? NSManagedObjectID).map { .reference(ObjectIDText($0)) }
        case .undefinedAttributeType, .compositeAttributeType:
            nil
        }
    }

    /// The value of a relationship.
    init(relationship: NSRelationshipDescription, value: Any?) {
        switch value {
        case let object as NSManagedObject:
            self = .reference(ObjectIDText(object.objectID))
        case let objects as NSOrderedSet:
            self = .references(Self.references(to: objects.array))
        case let objects as NSSet:
            // A set has no order. The order of the primary keys is stable.
            self = .references(Self.references(to: objects.allObjects).sorted())
        default:
            self = relationship.isToMany ? .references([]) : .none
        }
    }

    private static func references(to objects: [Any]) -> [ObjectIDText] {
        objects.compactMap { ($0 as? NSManagedObject).map { ObjectIDText($0.objectID) } }
    }

    /// The value as text. Data and collections are shown by their size.
    var text: String {
        switch self {
        case .none: ""
        case .text(let text): text
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .decimal(let number): number.description
        case .boolean(let flag): flag ? "true" : "false"
        case .date(let date): DateText.text(of: date)
        case .data(let data): Wording.count(data.count, "byte")
        case .composite(let elements): elements.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ")
        case .reference(let reference): reference.short
        case .references(let references): Wording.count(references.count, "object")
        }
    }
}
