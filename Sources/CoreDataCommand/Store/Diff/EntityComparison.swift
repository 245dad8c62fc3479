// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Compares the objects of one entity in two stores, in pages, so that memory doesn't grow with the stores.
struct EntityComparison {
    let a: ReadOnlyStore
    let b: ReadOnlyStore
    let entityA: NSEntityDescription
    let entityB: NSEntityDescription
    let matching: StoreDiffCommand.Matching
    let ignored: Set<String>

    /// The key of an object, by which objects of both stores match. A text, so that links can be compared and told.
    private struct Key {
        /// The attributes of the key; nil for the primary key.
        let attributes: [NSAttributeDescription]?

        /// Nil for an object whose unique attributes have no values.
        func text(of object: NSManagedObject) -> String? {
            guard let attributes else { return ObjectIDText(object.objectID).short }
            let texts = attributes.map { CellValue(attribute: $0, value: object.value(forKey: $0.name)) }
            guard texts.allSatisfy({ if case .none = $0 { false } else { true } }) else { return nil }
            return "\(object.entity.name ?? "") \(texts.map(\.text).joined(separator: ", "))"
        }
    }

    /// The number of objects of an entity, without those of subentities.
    static func count(_ entity: NSEntityDescription, in store: ReadOnlyStore) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        return try store.context.performAndWait { try store.context.count(for: request) }
    }

    /// Compares, and tells each difference as it is found.
    func run(_ tell: (ObjectDifference) throws -> Void) throws -> EntityDifference {
        var result = EntityDifference(entity: entityA.name ?? "")
        result.note = Self.note(properties: entityA, entityB)
        guard matching == .key || !uniqueAttributes.isEmpty else { return try counted(result) }
        // Objects of A, with their counterparts in B.
        try pages(of: entityA, in: a) { objects in
            try b.context.performAndWait {
                defer { b.context.reset() }
                let found = try counterparts(of: objects, entity: entityB, in: b)
                for object in objects {
                    guard let other = found[object.objectID] else {
                        result.onlyInA += 1
                        try tell(ObjectDifference(entity: result.entity, kind: "onlyInA", object: label(object)))
                        continue
                    }
                    let difference = try compare(object, other)
                    if difference.values.isEmpty, difference.links.isEmpty {
                        result.equal += 1
                    } else {
                        result.changed += 1
                        try tell(difference)
                    }
                }
            }
        }
        // Objects that only B has.
        try pages(of: entityB, in: b) { objects in
            try a.context.performAndWait {
                defer { a.context.reset() }
                let found = try counterparts(of: objects, entity: entityA, in: a)
                for object in objects where found[object.objectID] == nil {
                    result.onlyInB += 1
                    try tell(ObjectDifference(entity: result.entity, kind: "onlyInB", object: label(object)))
                }
            }
        }
        return result
    }

    private func counted(_ result: EntityDifference) throws -> EntityDifference {
        var result = result
        let (first, second) = (try Self.count(entityA, in: a), try Self.count(entityB, in: b))
        result.onlyInA = max(first - second, 0)
        result.onlyInB = max(second - first, 0)
        let note = "without unique attributes, counted only: \(first) and \(second)"
        result.note = [note, result.note].compactMap { $0 }.joined(separator: "; ")
        return result
    }

    /// The properties that only one of the entities has.
    private static func note(properties a: NSEntityDescription, _ b: NSEntityDescription) -> String? {
        func names(_ entity: NSEntityDescription) -> Set<String> {
            Set(entity.propertiesByName.filter { !$0.value.isTransient }.keys)
        }
        let different = names(a).symmetricDifference(names(b)).sorted()
        return different.isEmpty ? nil : "not compared, since one side lacks it: \(different.joined(separator: ", "))"
    }

    // MARK: Matching

    private var uniqueAttributes: [[NSAttributeDescription]] {
        entityA.uniqueAttributes.filter { attributes in
            attributes.allSatisfy { entityB.attributesByName[$0.name]?.attributeType == $0.attributeType }
        }
    }

    private func key(_ entity: NSEntityDescription) -> Key? {
        if matching == .key { return Key(attributes: nil) }
        return entity.uniqueAttributes.first.map { Key(attributes: $0) }
    }

    private func label(_ object: NSManagedObject) -> String {
        key(object.entity)?.text(of: object) ?? ObjectIDText(object.objectID).short
    }

    private func pages(
        of entity: NSEntityDescription, in store: ReadOnlyStore, _ body: ([NSManagedObject]) throws -> Void
    ) throws {
        try FetchPages(store: store, entity: entity, predicate: nil, sortKeys: [], offset: 0, limit: nil)
            .objects { try body($0.filter { $0.entity === entity }) }
    }

    /// The objects of the other store that match, by the IDs of these.
    private func counterparts(
        of objects: [NSManagedObject], entity: NSEntityDescription, in store: ReadOnlyStore
    ) throws -> [NSManagedObjectID: NSManagedObject] {
        let lookup = ImportLookup(context: store.context)
        var result: [NSManagedObjectID: NSManagedObject] = [:]
        if matching == .key {
            let ids = try objects.compactMap { try store.objectID("\(entity.name ?? "")/p\($0.objectID.key)") }
            let found = try lookup.objects(ids)
            let byKey = Dictionary(found.map { ($0.key.key, $0.value) }, uniquingKeysWith: { first, _ in first })
            for object in objects where byKey[object.objectID.key]?.entity === entity {
                result[object.objectID] = byKey[object.objectID.key]
            }
            return result
        }
        guard let attributes = uniqueAttributes.first else { return [:] }
        let own = attributes.compactMap { entity.attributesByName[$0.name] }
        let values = objects.map { object in attributes.compactMap { object.value(forKey: $0.name) } }
        let found = try lookup.objects(of: entity, own, having: values.filter { $0.count == attributes.count })
        for (object, values) in zip(objects, values) where values.count == attributes.count {
            guard let key = ImportLookup.key(values, of: attributes) else { continue }
            result[object.objectID] = found[key]?.first { $0.entity === entity }
        }
        return result
    }

    // MARK: Comparing

    private func compare(_ object: NSManagedObject, _ other: NSManagedObject) throws -> ObjectDifference {
        var difference = ObjectDifference(entity: entityA.name ?? "", kind: "changed", object: label(object))
        for (name, attribute) in entityA.attributesByName.sorted(by: { $0.key < $1.key })
        where !attribute.isTransient && !ignored.contains(name) {
            guard let counterpart = entityB.attributesByName[name], !counterpart.isTransient else { continue }
            let values = (
                CellValue(attribute: attribute, value: object.value(forKey: name)),
                CellValue(attribute: counterpart, value: other.value(forKey: name))
            )
            guard !Self.areEqual(values.0, values.1) else { continue }
            difference.values.append(.init(name: name, a: JSONCell(value: values.0), b: JSONCell(value: values.1)))
        }
        for (name, relationship) in entityA.relationshipsByName.sorted(by: { $0.key < $1.key })
        where !relationship.isTransient && !ignored.contains(name) {
            guard let counterpart = entityB.relationshipsByName[name], !counterpart.isTransient,
                let first = members(of: object, relationship), let second = members(of: other, counterpart)
            else { continue }
            let isOrdered = relationship.isOrdered && counterpart.isOrdered
            guard isOrdered ? first != second : Set(first) != Set(second) else { continue }
            let (setA, setB) = (Set(first), Set(second))
            difference.links.append(
                .init(
                    name: name, onlyInA: setA.subtracting(setB).sorted(), onlyInB: setB.subtracting(setA).sorted(),
                    orderDiffers: setA == setB))
        }
        return difference
    }

    private static func areEqual(_ a: CellValue, _ b: CellValue) -> Bool {
        switch (a, b) {
        case (.data(let a), .data(let b)): a == b
        case (.none, .none): true
        default:
            // The bytes are compared: to Swift "é" equals "e" with an accent.
            JSONLine.text(of: OutputRecord(cells: [("", a)])).utf8.elementsEqual(
                JSONLine.text(of: OutputRecord(cells: [("", b)])).utf8)
        }
    }

    /// The keys of the linked objects; nil if they have none that both stores know.
    private func members(of object: NSManagedObject, _ relationship: NSRelationshipDescription) -> [String]? {
        guard let destination = relationship.destinationEntity, let key = key(destination) else { return nil }
        return object.members(of: relationship).map {
            key.text(of: $0) ?? "\($0.entity.name ?? "") without a key"
        }
    }
}
