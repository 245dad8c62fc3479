// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// An object that a row refers to.
enum ImportReference {
    case id(NSManagedObjectID)
    /// The object of an entity whose attribute has a value.
    case value(Any, of: NSAttributeDescription, in: NSEntityDescription)
}

/// Reads references to objects: IDs of the store itself, and values of unique attributes.
struct ImportReferences {
    let store: ReadOnlyStore
    /// Whether IDs without a store, as CSV has them, refer to this store.
    let isOfSameStore: Bool

    // MARK: Relationships

    /// The members of a relationship.
    ///
    /// - Parameter key: the attribute of the destination whose values name objects; nil for the unique one.
    func members(
        _ value: ImportValue, of relationship: NSRelationshipDescription, by key: NSAttributeDescription?
    ) throws -> [ImportReference] {
        if value.isMissing { return [] }
        guard relationship.isToMany else { return [try member(value, of: relationship, by: key)] }
        return try Self.list(value).map { try member($0, of: relationship, by: key) }
    }

    /// A list is a JSON array, IDs with spaces between them, or values with semicolons between them.
    private static func list(_ value: ImportValue) throws -> [ImportValue] {
        switch value {
        case .missing: return []
        case .json(.array(let members)): return members.map { .json($0) }
        case .json: throw ImportMistake("\(value.kind) is no array of objects")
        case .text(let text):
            if text.hasPrefix("["), case .array(let members)? = JSONValue(text: Array(text.utf8)) {
                return members.map { .json($0) }
            }
            let words = text.split(separator: " ").map(String.init)
            if words.allSatisfy({ ObjectIDParts($0) != nil }) { return words.map { .text($0) } }
            return text.split(separator: ";").map { .text($0.trimmingCharacters(in: .whitespaces)) }
        }
    }

    private func member(
        _ value: ImportValue, of relationship: NSRelationshipDescription, by key: NSAttributeDescription?
    ) throws -> ImportReference {
        guard let destination = relationship.destinationEntity else {
            throw ImportMistake("the relationship has no destination")
        }
        if case .json(.object(let members)) = value {
            guard members.count == 1, let attribute = destination.attributesByName[members[0].name] else {
                throw ImportMistake(
                    "an object that names a \(destination.name ?? "") has one attribute of it, which identifies it")
            }
            return try reference(.json(members[0].value), destination, attribute)
        }
        if key == nil, let text = value.string, let parts = ObjectIDParts(text),
            let entity = destination.managedObjectModel.entitiesByName[parts.entity]
        {
            guard let id = id(parts) else { throw otherStore(text, relationship, destination) }
            guard entity.isKindOf(entity: destination) else {
                throw ImportMistake("'\(text)' is no \(destination.name ?? "")")
            }
            return .id(id)
        }
        return try reference(value, destination, key ?? uniqueAttribute(of: destination, for: relationship))
    }

    private func reference(
        _ value: ImportValue, _ destination: NSEntityDescription, _ attribute: NSAttributeDescription
    ) throws -> ImportReference {
        guard let found = try ImportedAttribute.value(value, for: attribute) else {
            throw ImportMistake("a \(destination.name ?? "") can't be found by nothing")
        }
        return .value(found, of: attribute, in: destination)
    }

    private func uniqueAttribute(
        of entity: NSEntityDescription, for relationship: NSRelationshipDescription
    ) throws -> NSAttributeDescription {
        let single = entity.uniqueAttributes.filter { $0.count == 1 }.map { $0[0] }
        guard single.count != 1 else { return single[0] }
        let name = entity.name ?? ""
        throw ImportMistake(
            single.isEmpty
                ? """
                \(name) has no unique attribute. Name one by which the objects are found, in the column's name: \
                \(relationship.name).ATTRIBUTE
                """
                : """
                \(name) has several unique attributes. Name the one that is meant in the column's name: \
                \(single.map { "\(relationship.name).\($0.name)" }.joined(separator: " or "))
                """)
    }

    private func otherStore(
        _ text: String, _ relationship: NSRelationshipDescription, _ destination: NSEntityDescription
    ) -> ImportMistake {
        if text.hasPrefix("x-coredata:") {
            return ImportMistake(
                """
                '\(text)' is the ID of an object in another store. Leave relationships out with --attributes-only, or \
                write an attribute that identifies the \(destination.name ?? "") into a column \
                \(relationship.name).ATTRIBUTE
                """)
        }
        return ImportMistake(
            """
            '\(text)' is an ID, which counts in the store alone from which the file was exported. If that is this \
            store, add --same-store. Otherwise leave relationships out with --attributes-only, or write an attribute \
            that identifies the \(destination.name ?? "") into a column \(relationship.name).ATTRIBUTE
            """)
    }

    // MARK: The object of a row

    /// The entity and the ID of a row's object; the ID is nil for an object of another store.
    func object(_ value: ImportValue) throws -> (entity: String, id: NSManagedObjectID?)? {
        if value.isMissing { return nil }
        guard let text = value.string, let parts = ObjectIDParts(text) else {
            throw ImportMistake("\(value.kind) is no ID of an object")
        }
        return (parts.entity, id(parts))
    }

    private func id(_ parts: ObjectIDParts) -> NSManagedObjectID? {
        let identifier = store.coordinator.persistentStores.first?.identifier
        guard parts.store.map({ $0 == identifier }) ?? isOfSameStore else { return nil }
        return store.objectID(of: parts.entity, key: parts.key)
    }
}

/// The parts of an ID as text: `Entity/p12` or `x-coredata://STORE/Entity/p12`.
struct ObjectIDParts {
    let store: String?
    let entity: String
    let key: Int64

    init?(_ text: String) {
        var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var store: String?
        if parts.count == 5, parts[0] == "x-coredata:", parts[1].isEmpty {
            store = parts[2]
            parts = parts.suffix(2)
        }
        guard parts.count == 2, !parts[0].isEmpty, parts[1].first == "p", let key = Int64(parts[1].dropFirst()), key > 0
        else { return nil }
        self.store = store
        entity = store == nil ? parts[0] : parts[0].removingPercentEncoding ?? parts[0]
        self.key = key
    }
}

extension ImportValue {
    /// The text of a string or of a number.
    var string: String? {
        switch self {
        case .text(let text), .json(.string(let text)), .json(.number(let text)): text
        default: nil
        }
    }
}
