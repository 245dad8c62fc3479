// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Compares the objects of one entity in two stores, in pages, so that memory doesn't grow with the stores.
struct EntityComparison {
    let a: ReadOnlyStore
    let b: ReadOnlyStore
    let entityA: NSEntityDescription
    let entityB: NSEntityDescription
    let matching: StoreDiffCommand.Matching
    /// The attributes of the first uniqueness constraint that both entities have; nil without one.
    private let uniqueAttributes: [NSAttributeDescription]?
    /// The properties that are compared, sorted by name.
    private let attributes: [(a: NSAttributeDescription, b: NSAttributeDescription)]
    private let links: [Link]

    init(
        a: ReadOnlyStore, b: ReadOnlyStore, entityA: NSEntityDescription, entityB: NSEntityDescription,
        matching: StoreDiffCommand.Matching, ignored: Set<String>
    ) {
        self.a = a
        self.b = b
        self.entityA = entityA
        self.entityB = entityB
        self.matching = matching
        uniqueAttributes = entityA.uniqueAttributes.first { attributes in
            attributes.allSatisfy { entityB.attributesByName[$0.name]?.attributeType == $0.attributeType }
        }
        attributes = entityA.storedAttributes.compactMap { attribute in
            guard !ignored.contains(attribute.name), let other = entityB.attributesByName[attribute.name],
                !other.isTransient
            else { return nil }
            return (attribute, other)
        }
        links = entityA.storedRelationships.compactMap { relationship in
            guard !ignored.contains(relationship.name), let other = entityB.relationshipsByName[relationship.name],
                !other.isTransient
            else { return nil }
            return Link(relationship, other, matching)
        }
    }

    /// The key of an object, by which objects of both stores match. A text, so that links can be compared and printed.
    private struct Key {
        /// The attributes of the key; nil for the primary key.
        let attributes: [NSAttributeDescription]?

        /// The key of an entity's objects; nil for an entity without a uniqueness constraint.
        init?(_ entity: NSEntityDescription, _ matching: StoreDiffCommand.Matching) {
            guard matching == .unique else {
                attributes = nil
                return
            }
            guard let unique = entity.uniqueAttributes.first else { return nil }
            attributes = unique
        }

        /// Nil for an object whose unique attributes have no values.
        func text(of object: NSManagedObject) -> String? {
            guard let attributes else { return ObjectIDText(object.objectID).short }
            let texts = attributes.map { CellValue(attribute: $0, value: object.value(forKey: $0.name)) }
            guard texts.allSatisfy({ if case .none = $0 { false } else { true } }) else { return nil }
            return "\(object.entity.name ?? "") \(texts.map(\.text).joined(separator: ", "))"
        }
    }

    /// A relationship that both entities have.
    private struct Link {
        private struct Side {
            let relationship: NSRelationshipDescription
            /// The key of the members.
            let key: Key

            func members(of object: NSManagedObject) -> [String] {
                object.members(of: relationship).map {
                    key.text(of: $0) ?? "\($0.entity.name ?? "") without a key"
                }
            }
        }

        private let a: Side
        private let b: Side

        /// Nil for members without a key that both stores know.
        init?(
            _ a: NSRelationshipDescription, _ b: NSRelationshipDescription, _ matching: StoreDiffCommand.Matching
        ) {
            guard let keyA = a.destinationEntity.flatMap({ Key($0, matching) }),
                let keyB = b.destinationEntity.flatMap({ Key($0, matching) })
            else { return nil }
            self.a = Side(relationship: a, key: keyA)
            self.b = Side(relationship: b, key: keyB)
        }

        /// The difference of the members of two objects; nil for equal ones.
        func difference(_ object: NSManagedObject, _ other: NSManagedObject) -> ObjectDifference.Link? {
            let (first, second) = (a.members(of: object), b.members(of: other))
            let (setA, setB) = (Set(first), Set(second))
            let isOrdered = a.relationship.isOrdered && b.relationship.isOrdered
            guard setA != setB || isOrdered && first != second else { return nil }
            return ObjectDifference.Link(
                name: a.relationship.name, onlyInA: setA.subtracting(setB).sorted(),
                onlyInB: setB.subtracting(setA).sorted(), orderDiffers: setA == setB)
        }
    }

    /// The number of objects of an entity, without the objects of its subentities.
    static func count(_ entity: NSEntityDescription, in store: ReadOnlyStore) throws -> Int {
        try store.context.performSynchronously { try store.context.ownCount(of: entity) }
    }

    /// Compares the objects, and reports each difference as it is found.
    func run(_ report: (ObjectDifference) throws -> Void) throws -> EntityDifference {
        var result = EntityDifference(entity: entityA.name ?? "")
        result.note = Self.note(properties: entityA, entityB)
        guard matching == .key || uniqueAttributes != nil else { return try counted(result) }
        // Objects of A, with their counterparts in B.
        try pages(of: entityA, in: a) { objects in
            try b.context.performSynchronously {
                defer { b.context.reset() }
                let found = try counterparts(of: objects, entity: entityB, in: b)
                for object in objects {
                    guard let other = found[object.objectID] else {
                        result.onlyInA += 1
                        try report(ObjectDifference(entity: result.entity, kind: "onlyInA", object: label(object)))
                        continue
                    }
                    if let difference = difference(object, other) {
                        result.changed += 1
                        try report(difference)
                    } else {
                        result.equal += 1
                    }
                }
            }
        }
        // Objects that only B has.
        try pages(of: entityB, in: b) { objects in
            try a.context.performSynchronously {
                defer { a.context.reset() }
                let found = try counterparts(of: objects, entity: entityA, in: a)
                for object in objects where found[object.objectID] == nil {
                    result.onlyInB += 1
                    try report(ObjectDifference(entity: result.entity, kind: "onlyInB", object: label(object)))
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

    private func label(_ object: NSManagedObject) -> String {
        Key(object.entity, matching)?.text(of: object) ?? ObjectIDText(object.objectID).short
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
            let ids = objects.compactMap { store.objectID(of: entity.name ?? "", key: $0.objectID.key) }
            let found = try lookup.objects(ids)
            let byKey = Dictionary(found.map { ($0.key.key, $0.value) }, uniquingKeysWith: { first, _ in first })
            for object in objects where byKey[object.objectID.key]?.entity === entity {
                result[object.objectID] = byKey[object.objectID.key]
            }
            return result
        }
        guard let attributes = uniqueAttributes else { return [:] }
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

    /// The difference of two objects that match; nil for equal ones.
    private func difference(_ object: NSManagedObject, _ other: NSManagedObject) -> ObjectDifference? {
        let values = attributes.compactMap { attribute, counterpart -> ObjectDifference.Value? in
            let a = CellValue(attribute: attribute, value: object.value(forKey: attribute.name))
            let b = CellValue(attribute: counterpart, value: other.value(forKey: attribute.name))
            guard !Self.areEqual(a, b) else { return nil }
            return ObjectDifference.Value(name: attribute.name, a: JSONCell(value: a), b: JSONCell(value: b))
        }
        let links = links.compactMap { $0.difference(object, other) }
        guard !values.isEmpty || !links.isEmpty else { return nil }
        return ObjectDifference(
            entity: entityA.name ?? "", kind: "changed", object: label(object), values: values, links: links)
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
}
