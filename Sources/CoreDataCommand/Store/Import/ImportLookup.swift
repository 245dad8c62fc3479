// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The values of attributes as a key of a dictionary. Texts are equal if their bytes are, as in a unique index of a
/// store; to Swift "é" equals "e" with an accent.
struct ImportKey: Hashable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The key with a name before it.
    func named(_ name: String) -> ImportKey { ImportKey(bytes: Array(name.utf8) + [0x1e] + bytes) }
}

/// Finds objects by the values of attributes, many in one fetch. Used on the queue of the context.
struct ImportLookup {
    let context: NSManagedObjectContext

    /// So many values of several attributes are looked for in one fetch: its condition grows with them.
    private static let partSize = 50

    /// The values of some attributes as a key of a dictionary; nil if one is missing, since such values are never
    /// equal.
    static func key(_ values: [Any?], of attributes: [NSAttributeDescription]) -> ImportKey? {
        var key = ""
        for (value, attribute) in zip(values, attributes) {
            let cell = CellValue(attribute: attribute, value: value)
            switch cell {
            case .none: return nil
            case .data(let data): key += "\(data.base64EncodedString())\u{1f}"
            // Zero has a sign, and 1.0 and 1.00 are one decimal.
            case .real(let number): key += "\(number == 0 ? 0 : number)\u{1f}"
            default: key += "\(cell.text)\u{1f}"
            }
        }
        return ImportKey(key)
    }

    /// The objects of an entity and its subentities that have some of the values, by the key of the values.
    func objects(
        of entity: NSEntityDescription, _ attributes: [NSAttributeDescription], having values: [[Any]]
    ) throws -> [ImportKey: [NSManagedObject]] {
        var found: [ImportKey: [NSManagedObject]] = [:]
        for predicate in predicates(attributes, values) {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.predicate = predicate
            request.returnsObjectsAsFaults = false
            for object in try context.fetch(request) {
                let own = attributes.map { object.value(forKey: $0.name) }
                if let key = Self.key(own, of: attributes) { found[key, default: []].append(object) }
            }
        }
        return found
    }

    private func predicates(_ attributes: [NSAttributeDescription], _ values: [[Any]]) -> [NSPredicate] {
        if values.isEmpty { return [] }
        if attributes.count == 1 {
            return [NSPredicate(format: "%K IN %@", argumentArray: [attributes[0].name, values.map { $0[0] }])]
        }
        return stride(from: 0, to: values.count, by: Self.partSize).map { start in
            NSCompoundPredicate(
                orPredicateWithSubpredicates: values[start..<min(start + Self.partSize, values.count)].map { values in
                    NSCompoundPredicate(
                        andPredicateWithSubpredicates: zip(attributes, values).map {
                            NSPredicate(format: "%K == %@", argumentArray: [$0.name, $1])
                        })
                })
        }
    }

    /// The objects with some IDs.
    func objects(_ ids: [NSManagedObjectID]) throws -> [NSManagedObjectID: NSManagedObject] {
        var found: [NSManagedObjectID: NSManagedObject] = [:]
        for (name, ids) in Dictionary(grouping: ids, by: { $0.entity.name ?? "" }) {
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
            request.returnsObjectsAsFaults = false
            for object in try context.fetch(request) { found[object.objectID] = object }
        }
        return found
    }
}
