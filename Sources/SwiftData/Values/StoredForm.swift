// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// How a store keeps the values of a type.
enum StoredForm {
    /// A value of one of Core Data's types.
    case plain(NSAttributeType)
    /// A structure or an enumeration, with a column for each element.
    case composite
    /// A collection of plain values: a keyed archive of Foundation's collection.
    case archived
    /// A value that a transformer of the program turns into data.
    case transformable
    /// Any other value that is `Codable`: its JSON.
    case encoded

    /// A type that can't be stored.
    struct Problem: Error {
        let reason: String
    }

    /// The form of the values of a property.
    init(of type: any Any.Type, options: [Schema.Attribute.Option], named name: String) throws(Problem) {
        if options.contains(where: { $0.kind == .transformable }) {
            self = .transformable
            return
        }
        self = try StoredForm(of: type, isCoded: options.contains(.codable), named: name)
    }

    private init(of type: any Any.Type, isCoded: Bool, named name: String) throws(Problem) {
        let type = TypeKind.unwrapped(type).type
        if !isCoded {
            if let plain = PlainTypes.attributeType(of: type) {
                self = .plain(plain)
                return
            }
            if CompositeShape(of: type, named: name) != nil {
                self = .composite
                return
            }
            if PlainTypes.isCollection(type) {
                self = .archived
                return
            }
        }
        guard type is any Codable.Type else {
            throw Problem(
                reason: """
                    the type \(type) can't be stored. Make it Codable, name a transformer by \
                    @Attribute(.transformable(by:)), or mark the property as @Transient.
                    """)
        }
        self = .encoded
    }

    /// The form of a value that is an element of a composite attribute.
    static func ofElement(_ type: any Any.Type, named name: String) -> StoredForm? {
        let type = TypeKind.unwrapped(type).type
        if let plain = PlainTypes.attributeType(of: type) { return .plain(plain) }
        if CompositeShape(of: type, named: name) != nil { return .composite }
        return type is any Codable.Type ? .encoded : nil
    }
}

extension Result where Success == StoredForm, Failure == StoredForm.Problem {
    init(of type: any Any.Type, options: [Schema.Attribute.Option], named name: String) {
        do throws(StoredForm.Problem) {
            self = .success(try StoredForm(of: type, options: options, named: name))
        } catch {
            self = .failure(error)
        }
    }
}

/// The types of Core Data's attributes.
enum PlainTypes {
    private static let attributeTypes: [ObjectIdentifier: NSAttributeType] = [
        ObjectIdentifier(Int.self): .integer64AttributeType,
        ObjectIdentifier(Int8.self): .integer16AttributeType,
        ObjectIdentifier(Int16.self): .integer16AttributeType,
        ObjectIdentifier(Int32.self): .integer32AttributeType,
        ObjectIdentifier(Int64.self): .integer64AttributeType,
        ObjectIdentifier(UInt8.self): .integer16AttributeType,
        ObjectIdentifier(UInt16.self): .integer32AttributeType,
        ObjectIdentifier(UInt32.self): .integer64AttributeType,
        ObjectIdentifier(UInt.self): .integer64AttributeType,
        ObjectIdentifier(UInt64.self): .integer64AttributeType,
        ObjectIdentifier(Bool.self): .booleanAttributeType,
        ObjectIdentifier(Double.self): .doubleAttributeType,
        ObjectIdentifier(Float.self): .floatAttributeType,
        ObjectIdentifier(String.self): .stringAttributeType,
        ObjectIdentifier(Date.self): .dateAttributeType,
        ObjectIdentifier(Data.self): .binaryDataAttributeType,
        ObjectIdentifier(UUID.self): .UUIDAttributeType,
        ObjectIdentifier(URL.self): .URIAttributeType,
        ObjectIdentifier(Decimal.self): .decimalAttributeType,
    ]

    static func attributeType(of type: any Any.Type) -> NSAttributeType? { attributeTypes[ObjectIdentifier(type)] }

    /// Whether a type is a collection, to any depth, of plain values, which Foundation's archives can contain.
    static func isCollection(_ type: any Any.Type) -> Bool {
        if let array = type as? any ArrayType.Type { return isCollected(array.elementType) }
        guard let dictionary = type as? any DictionaryType.Type else { return false }
        return dictionary.keyType == String.self && isCollected(dictionary.valueType)
    }

    private static func isCollected(_ type: any Any.Type) -> Bool {
        guard let plain = attributeType(of: type) else { return isCollection(type) }
        return plain != .decimalAttributeType
    }
}
