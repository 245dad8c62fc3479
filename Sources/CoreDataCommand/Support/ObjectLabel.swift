// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A readable name of an object.
enum ObjectLabel {
    private static let names = [
        "name", "title", "label", "displayName", "fullName", "lastName", "firstName", "text", "subject", "identifier",
        "email", "code",
    ]

    /// The values of the attributes that name objects of the entity best, or else the entity and the key. An object
    /// without texts, which often stands between two others, also has the name of one of these.
    static func text(of object: NSManagedObject) -> String {
        if let own = ownText(of: object) { return own }
        let short = "\(object.entity.name ?? "") p\(object.objectID.key)"
        guard names(of: object.entity).isEmpty else { return short }
        let targets = object.entity.storedRelationships.filter { !$0.isToMany }.lazy.compactMap {
            (object.value(forKey: $0.name) as? NSManagedObject).flatMap(ownText)
        }
        return targets.first.map { "\(short) · \($0)" } ?? short
    }

    /// The entity, the key and the label, each once: `Song p12: Blue`.
    static func title(of object: NSManagedObject) -> String {
        let (short, label) = ("\(object.entity.name ?? "") p\(object.objectID.key)", text(of: object))
        return label == short || label.hasPrefix("\(short) ") ? label : "\(short): \(label)"
    }

    private static func ownText(of object: NSManagedObject) -> String? {
        let best = best(of: object.entity)
        let texts = best.attributes.compactMap { text(of: $0, object) }
        if !texts.isEmpty { return cut(texts.joined(separator: best.separator), to: 60) }
        return names(of: object.entity).lazy.compactMap { text(of: $0, object) }.first.map { cut($0, to: 60) }
    }

    private static func text(of name: String, _ object: NSManagedObject) -> String? {
        switch object.value(forKey: name) {
        case let text as String where !text.isEmpty:
            text.prefix(200).replacingOccurrences(of: "\n", with: " ")
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }

    /// The attributes that name objects, the best ones first.
    static func names(of entity: NSEntityDescription) -> [String] {
        let best = best(of: entity).attributes
        return Array((best + texts(of: entity).filter { !best.contains($0) }).prefix(4))
    }

    /// The attributes that stand together in a label: a unique name, a name and the attributes that make it unique, the
    /// attributes of a uniqueness constraint, or first and last name.
    private static func best(of entity: NSEntityDescription) -> (attributes: [String], separator: String) {
        let texts = texts(of: entity)
        let name = texts.first { names.contains($0) }
        let unique = entity.uniqueAttributes.filter { attributes in
            attributes.allSatisfy { isReadable($0) && !$0.isTransient }
        }.map { $0.map(\.name) }
        if let name, unique.contains([name]) { return ([name], " ") }
        let person = ["firstName", "lastName"]
        if let name, person.contains(name), person.allSatisfy(texts.contains) { return (person, " ") }
        guard let constraint = unique.first else { return (name.map { [$0] } ?? Array(texts.prefix(1)), " ") }
        guard let name, !constraint.contains(name) else { return (constraint, " ") }
        return ([name] + constraint, " · ")
    }

    /// Texts and whole numbers; UUIDs and dates name nothing to a reader.
    private static func isReadable(_ attribute: NSAttributeDescription) -> Bool {
        [
            .stringAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
        ].contains(attribute.attributeType)
    }

    /// The attributes with texts: the usual names of names first.
    private static func texts(of entity: NSEntityDescription) -> [String] {
        let attributes = entity.attributesByName.filter {
            !$0.value.isTransient && $0.value.attributeType == .stringAttributeType
        }
        let known = names.filter { attributes[$0] != nil }
        let others = attributes.keys.filter { !known.contains($0) }.sorted()
        let named = others.filter { $0.lowercased().hasSuffix("name") || $0.lowercased().hasSuffix("title") }
        return known + named + others.filter { !named.contains($0) }
    }

    static func cut(_ text: String, to length: Int) -> String {
        let prefix = text.prefix(length)
        return prefix.endIndex == text.endIndex ? text : prefix + "…"
    }
}

extension NSManagedObjectContext {
    /// The objects of some IDs that the store has, read at once for each entity. Called on the context's queue.
    func objects(of ids: some Sequence<NSManagedObjectID>) throws -> [NSManagedObjectID: NSManagedObject] {
        var objects: [NSManagedObjectID: NSManagedObject] = [:]
        for (name, ids) in Dictionary(grouping: Set(ids), by: { $0.entity.name ?? "" }) {
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
            for object in try fetch(request) { objects[object.objectID] = object }
        }
        return objects
    }
}
