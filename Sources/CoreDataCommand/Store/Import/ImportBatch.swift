// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A row whose values have the types of the model.
struct PreparedRow {
    let line: Int
    let entity: NSEntityDescription
    var attributes: [(attribute: NSAttributeDescription, value: Any?)] = []
    var relationships: [(relationship: NSRelationshipDescription, members: [ImportReference])] = []
    /// The ID of the row's object; nil for an object that is found by its key.
    var id: NSManagedObjectID?

    /// The values of attributes; nil if the row lacks one, or has nothing for it.
    func values(of attributes: [NSAttributeDescription]) -> [Any]? {
        let values = attributes.compactMap { attribute in
            self.attributes.first { $0.attribute.name == attribute.name }?.value
        }
        return values.count == attributes.count ? values : nil
    }
}

/// The rows that are saved together. Used on the queue of the context.
///
/// All objects get their attributes first, so that rows may refer to later ones of the batch.
final class ImportBatch {
    /// The fate of a row.
    enum Outcome {
        case inserted, updated, unchanged
        case refused(String)
    }

    let context: NSManagedObjectContext
    /// The attributes that identify an object; nil for the attributes of a uniqueness constraint.
    let keyAttributes: [NSAttributeDescription]?
    /// Whether other objects with the same unique values are looked for, as a save does.
    let checksConstraints: Bool
    private let lookup: ImportLookup
    /// The objects with keys, by the attributes and the values.
    private var known: [ImportKey: [NSManagedObject]] = [:]

    init(context: NSManagedObjectContext, keyAttributes: [NSAttributeDescription]?, checksConstraints: Bool) {
        self.checksConstraints = checksConstraints
        self.context = context
        self.keyAttributes = keyAttributes
        lookup = ImportLookup(context: context)
    }

    /// Makes and changes the objects of the rows. Nothing is saved.
    func apply(_ rows: [PreparedRow]) throws -> [Outcome] {
        var outcomes: [Outcome] = rows.map { _ in .unchanged }
        var objects: [NSManagedObject?] = []
        let byID = try lookup.objects(rows.compactMap(\.id))
        try findKnown(rows)
        for (index, row) in rows.enumerated() {
            do {
                let object = try object(of: row, byID)
                for (attribute, value) in row.attributes { object.setValue(value, forKey: attribute.name) }
                objects.append(object)
            } catch let mistake as ImportMistake {
                outcomes[index] = .refused(mistake.text)
                objects.append(nil)
            }
        }
        let destinations = try Destinations(rows, lookup)
        for (index, row) in rows.enumerated() {
            guard let object = objects[index] else { continue }
            do {
                try setRelationships(row, of: object, destinations)
            } catch let mistake as ImportMistake {
                outcomes[index] = .refused(mistake.text)
            }
        }
        for index in rows.indices {
            guard let object = objects[index], case .unchanged = outcomes[index] else { continue }
            outcomes[index] = outcome(of: object)
        }
        if checksConstraints { try refuseDuplicates(rows, objects, &outcomes) }
        return outcomes
    }

    /// Refuses rows whose unique values another object has.
    private func refuseDuplicates(
        _ rows: [PreparedRow], _ objects: [NSManagedObject?], _ outcomes: inout [Outcome]
    ) throws {
        for entity in Set(rows.map(\.entity)) {
            for constraint in entity.uniqueAttributes {
                let found = try lookup.objects(
                    of: Self.owner(of: constraint, entity), constraint,
                    having: rows.filter { $0.entity === entity }.compactMap { $0.values(of: constraint) })
                for (index, row) in rows.enumerated() where row.entity === entity {
                    guard let object = objects[index], let values = row.values(of: constraint),
                        let key = ImportLookup.key(values, of: constraint),
                        found[key]?.contains(where: { $0 !== object }) == true
                    else { continue }
                    if case .refused = outcomes[index] { continue }
                    outcomes[index] = .refused(Self.duplicate(constraint.map(\.name).joined(separator: ", ")))
                }
            }
        }
    }

    /// The highest entity with some attributes, so that objects of its other subentities are found too.
    private static func owner(of attributes: [NSAttributeDescription], _ entity: NSEntityDescription)
        -> NSEntityDescription
    {
        sequence(first: entity, next: \.superentity).reversed().first { entity in
            attributes.allSatisfy { entity.attributesByName[$0.name] != nil }
        } ?? entity
    }

    private func outcome(of object: NSManagedObject) -> Outcome {
        do {
            if object.isInserted {
                try object.validateForInsert()
                return .inserted
            }
            guard object.hasPersistentChangedValues else {
                // A value that was set and is equal is not written.
                context.refresh(object, mergeChanges: false)
                return .unchanged
            }
            try object.validateForUpdate()
            return .updated
        } catch {
            return .refused(Self.reason(error))
        }
    }

    private static func duplicate(_ names: String) -> String {
        "another object has the same \(names), which must be unique"
    }

    /// Why an object can't be saved, in one line.
    static func reason(_ error: any Error) -> String {
        let error = error as NSError
        if error.code == NSManagedObjectConstraintMergeError || error.code == NSManagedObjectConstraintValidationError {
            let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
            let names = conflicts.map { $0.constraint.joined(separator: ", ") }
            if !names.isEmpty { return duplicate(names.joined(separator: "; ")) }
        }
        return ValidationMessages.of(error).joined(separator: " ")
    }

    // MARK: The object of a row

    /// The attributes by which a row's object is found; nil for a row that always makes one.
    private func key(of row: PreparedRow) -> [NSAttributeDescription]? {
        if let keyAttributes { return row.values(of: keyAttributes) == nil ? nil : keyAttributes }
        return row.entity.uniqueAttributes.first { row.values(of: $0) != nil }
    }

    private func knownKey(_ row: PreparedRow, _ attributes: [NSAttributeDescription]) -> ImportKey? {
        row.values(of: attributes).flatMap { ImportLookup.key($0, of: attributes) }?.named(
            attributes.map(\.name).joined(separator: ","))
    }

    /// The key of a row, which rows for the same object share.
    func identity(of row: PreparedRow) -> ImportKey? { key(of: row).flatMap { knownKey(row, $0) } }

    private func findKnown(_ rows: [PreparedRow]) throws {
        var wanted: [String: (entity: NSEntityDescription, key: [NSAttributeDescription], values: [[Any]])] = [:]
        for row in rows where row.id == nil {
            guard let key = key(of: row), let values = row.values(of: key) else { continue }
            let owner = Self.owner(of: key, row.entity)
            let name = (owner.name ?? "") + "\u{1e}" + key.map(\.name).joined(separator: ",")
            wanted[name, default: (owner, key, [])].values.append(values)
        }
        for (entity, key, values) in wanted.values {
            for (text, objects) in try lookup.objects(of: entity, key, having: values) {
                known[text.named(key.map(\.name).joined(separator: ",")), default: []] += objects
            }
        }
    }

    private func object(
        of row: PreparedRow, _ byID: [NSManagedObjectID: NSManagedObject]
    ) throws -> NSManagedObject {
        if let id = row.id {
            guard let object = byID[id] else {
                throw ImportMistake("the store has no object \(ObjectIDText(id).short). It may have been deleted")
            }
            return object
        }
        let key = identity(of: row)
        if let found = key.flatMap({ known[$0] }), !found.isEmpty {
            guard found.count == 1 else {
                throw ImportMistake("\(found.count) objects have the key of this row")
            }
            guard found[0].entity.isKindOf(entity: row.entity) else {
                let names = [found[0].entity, row.entity].map { $0.name ?? "" }
                throw ImportMistake("the object with this key is a \(names[0]), and the row a \(names[1])")
            }
            return found[0]
        }
        if row.entity.isAbstract {
            throw ImportMistake("\(row.entity.name ?? "") is abstract, so it has no objects")
        }
        let object = NSManagedObject(entity: row.entity, insertInto: context)
        if let key { known[key] = [object] }
        return object
    }

    // MARK: Relationships

    private func setRelationships(_ row: PreparedRow, of object: NSManagedObject, _ destinations: Destinations) throws {
        for (relationship, references) in row.relationships {
            let members = try references.map { try destinations.object($0, for: relationship) }
            if relationship.isToMany {
                object.setValue(
                    relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members),
                    forKey: relationship.name)
            } else {
                object.setValue(members.first, forKey: relationship.name)
            }
        }
    }

    /// The objects to which the rows of a batch refer.
    private struct Destinations {
        private var byID: [NSManagedObjectID: NSManagedObject] = [:]
        private var byValue: [ImportKey: [NSManagedObject]] = [:]

        init(_ rows: [PreparedRow], _ lookup: ImportLookup) throws {
            var ids: [NSManagedObjectID] = []
            var values: [String: (entity: NSEntityDescription, attribute: NSAttributeDescription, values: [[Any]])] =
                [:]
            for reference in rows.flatMap({ $0.relationships.flatMap(\.members) }) {
                switch reference {
                case .id(let id): ids.append(id)
                case .value(let value, let attribute, let entity):
                    values[Self.name(entity, attribute), default: (entity, attribute, [])].values.append([value])
                }
            }
            byID = try lookup.objects(ids)
            for (name, (entity, attribute, values)) in values {
                for (key, objects) in try lookup.objects(of: entity, [attribute], having: values) {
                    byValue[key.named(name)] = objects
                }
            }
        }

        private static func name(_ entity: NSEntityDescription, _ attribute: NSAttributeDescription) -> String {
            "\(entity.name ?? "")\u{1e}\(attribute.name)"
        }

        func object(_ reference: ImportReference, for relationship: NSRelationshipDescription) throws -> NSManagedObject
        {
            switch reference {
            case .id(let id):
                guard let object = byID[id] else {
                    throw ImportMistake(
                        "\(relationship.name): the store has no object \(ObjectIDText(id).short)")
                }
                return object
            case .value(let value, let attribute, let entity):
                let key = ImportLookup.key([value], of: [attribute])?.named(Self.name(entity, attribute))
                let found = key.flatMap { byValue[$0] } ?? []
                let text = ObjectLabel.cut(CellValue(attribute: attribute, value: value).text, to: 100)
                guard found.count == 1 else {
                    throw ImportMistake(
                        """
                        \(relationship.name): \(found.isEmpty ? "no" : "more than one") \(entity.name ?? "") has \
                        \(attribute.name) '\(text)'
                        """)
                }
                return found[0]
            }
        }
    }
}
