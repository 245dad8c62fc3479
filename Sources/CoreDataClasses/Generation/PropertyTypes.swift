// SPDX-License-Identifier: Apache-2.0

/// The Swift types of properties, as in Xcode's generated classes.
struct PropertyTypes {
    /// The names of the model's classes, which hide standard types of the same name.
    let hiding: Set<String>
    /// The name of an entity's class in source code.
    let className: (NSEntityDescription) -> String

    /// The property to generate, or the reason why it has no Swift type.
    func planned(_ property: NSPropertyDescription) -> Result<PlannedProperty, Problem> {
        switch property {
        case let attribute as NSAttributeDescription:
            return type(of: attribute).map {
                PlannedProperty(name: attribute.name, type: $0.0, access: $0.1, element: nil, isOrdered: false)
            }
        case let relationship as NSRelationshipDescription:
            let destination = relationship.destinationEntity.map(className) ?? "NSManagedObject"
            let type = relationship.isToMany ? standard(relationship.isOrdered ? "NSOrderedSet" : "NSSet") : destination
            return .success(
                PlannedProperty(
                    name: relationship.name, type: type + "?", access: .value,
                    element: relationship.isToMany ? destination : nil,
                    isOrdered: relationship.isOrdered))
        case let fetched as NSFetchedPropertyDescription:
            let entity = fetched.fetchRequest?.entityName.flatMap {
                fetched.owningEntity?.owningModel?.entity(named: $0)
            }
            let element = entity.map(className) ?? "NSManagedObject"
            return .success(
                PlannedProperty(
                    name: fetched.name, type: "[\(element)]?", access: .fetched, element: nil, isOrdered: false))
        default:
            return .failure(Problem(reason: "is neither attribute, relationship nor fetched property"))
        }
    }

    struct Problem: Error {
        let reason: String
    }

    private func type(of attribute: NSAttributeDescription) -> Result<(String, PlannedProperty.Access), Problem> {
        let isScalar = attribute.sourceAttributes["usesScalarValueType"] == "YES"
        let number = standard("NSNumber") + "?"
        func value(_ name: String) -> Result<(String, PlannedProperty.Access), Problem> { .success((name, .value)) }
        switch attribute.attributeType {
        case .integer16AttributeType: return value(isScalar ? standard("Int16") : number)
        case .integer32AttributeType: return value(isScalar ? standard("Int32") : number)
        case .integer64AttributeType: return value(isScalar ? standard("Int64") : number)
        case .doubleAttributeType: return value(isScalar ? standard("Double") : number)
        case .floatAttributeType: return value(isScalar ? standard("Float") : number)
        case .booleanAttributeType: return value(isScalar ? standard("Bool") : number)
        case .decimalAttributeType: return value(standard("NSDecimalNumber") + "?")
        case .stringAttributeType: return value(standard("String") + "?")
        case .dateAttributeType:
            return isScalar ? .success((standard("TimeInterval"), .dateInterval)) : value(standard("Date") + "?")
        case .binaryDataAttributeType: return value(standard("Data") + "?")
        case .UUIDAttributeType: return value(standard("UUID") + "?")
        case .URIAttributeType: return value(standard("URL") + "?")
        case .objectIDAttributeType: return value("NSManagedObjectID?")
        case .compositeAttributeType: return value("[\(standard("String")): Any]?")
        case .transformableAttributeType:
            guard let name = attribute.explicitValueClassName, !name.isEmpty else {
                return value(standard("NSObject") + "?")
            }
            guard TypeText.isType(name) else {
                return .failure(Problem(reason: "has the value class '\(name)', which is no valid Swift type"))
            }
            return value(TypeText.optional(name))
        default: return value(standard("NSObject") + "?")
        }
    }

    /// The name of a type of Swift or Foundation, qualified if a class of the model hides it.
    private func standard(_ name: String) -> String {
        guard hiding.contains(name) else { return name }
        return (Self.swiftTypes.contains(name) ? "Swift." : "Foundation.") + name
    }

    private static let swiftTypes: Set<String> = ["Int16", "Int32", "Int64", "Double", "Float", "Bool", "String"]
    /// The types of accessors that a class of the model may hide.
    static let standardTypes: Set<String> = swiftTypes.union([
        "NSNumber", "NSDecimalNumber", "TimeInterval", "Date", "Data", "UUID", "URL", "NSObject", "NSSet",
        "NSOrderedSet",
    ])
}
