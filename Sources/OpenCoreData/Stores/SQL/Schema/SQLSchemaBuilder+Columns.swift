import CoreDataModel
import CoreDataPredicates

extension SQLSchemaBuilder {
    /// A column before its place in the table is known.
    struct Draft {
        let name: String
        let kind: SQLStorageKind
    }

    /// Hands out names that are unique in one table: a taken one gets 1, 2, … appended.
    struct UniqueNames {
        private var taken: Set<String> = []

        mutating func take(_ wish: String) -> String {
            var name = wish
            var suffix = 0
            while !taken.insert(name).inserted {
                suffix += 1
                name = "\(wish)\(suffix)"
            }
            return name
        }
    }

    /// Makes the table of a root entity with the columns of all entities below it, and those entities.
    func makeTable(of root: Node) throws {
        var names = UniqueNames()
        var drafts: [Draft] = []
        var keys: [String] = []
        for node in root.preorder {
            try draftAttributes(of: node, &names, &drafts)
            var orderKeys: [(PropertyKey, String)] = []
            for relationship in node.relationships where !relationship.isToMany {
                guard let destination = destination(of: relationship) else { continue }
                let inverse = inverse(of: relationship)?.relationship
                draftKey(
                    PropertyKey(entity: node.name, name: relationship.name),
                    name: "Z" + relationship.name.uppercased(), relationship.name, referringTo: destination,
                    &names, &drafts, &keys)
                if let inverse, inverse.isToMany, inverse.isOrdered {
                    orderKeys.append(
                        (
                            PropertyKey(entity: node.name, name: relationship.name),
                            "Z_FOK_" + relationship.name.uppercased()
                        ))
                }
            }
            for (owner, relationship) in relationshipsWithoutInverse(to: node) {
                let key = PropertyKey(entity: owner.name, name: relationship.name)
                draftKey(
                    key, name: "Z\(owner.number)" + relationship.name.uppercased(), relationship.name,
                    referringTo: owner, &names, &drafts, &keys)
                if relationship.isOrdered {
                    orderKeys.append((key, "Z_FOK_\(owner.number)" + relationship.name.uppercased()))
                }
            }
            for (key, wish) in orderKeys {
                let name = names.take(wish)
                keyColumns[key]?.orderColumn = name
                drafts.append(Draft(name: name, kind: .orderKey))
            }
        }
        finishTable(of: root, drafts, keys)
    }

    private func draftAttributes(of node: Node, _ names: inout UniqueNames, _ drafts: inout [Draft]) throws {
        for case let attribute as NSAttributeDescription in node.properties {
            if let composite = attribute as? NSCompositeAttributeDescription {
                try draftElements(of: composite, node, &names, &drafts)
                continue
            }
            guard let kind = SQLStorageKind(attribute) else { continue }
            let name = names.take("Z" + attribute.name.uppercased())
            attributeColumns[PropertyKey(entity: node.name, name: attribute.name)] = name
            drafts.append(Draft(name: name, kind: kind))
        }
    }

    /// A relationship key and, where the row it names may be of several entities, that row's entity number.
    private func draftKey(
        _ key: PropertyKey, name wish: String, _ relationshipName: String, referringTo node: Node,
        _ names: inout UniqueNames, _ drafts: inout [Draft], _ keys: inout [String]
    ) {
        let name = names.take(wish)
        keys.append(name)
        drafts.append(Draft(name: name, kind: .relationshipKey))
        var entityName: String?
        if !node.children.isEmpty {
            let taken = names.take("Z\(node.number)_" + relationshipName.uppercased())
            drafts.append(Draft(name: taken, kind: .relationshipEntity))
            entityName = taken
        }
        keyColumns[key] = KeyColumns(column: name, entityColumn: entityName, orderColumn: nil)
    }

    /// The to-many relationships without inverse that point to exactly this entity, by number of their owner.
    private func relationshipsWithoutInverse(to node: Node) -> [(Node, NSRelationshipDescription)] {
        nodes.flatMap { owner in
            owner.relationships
                .filter { $0.isToMany && $0.inverseRelationship == nil && destination(of: $0) === node }
                .map { (owner, $0) }
        }
    }

    private func finishTable(of root: Node, _ drafts: [Draft], _ keys: [String]) {
        let fixed = [
            Draft(name: "Z_PK", kind: .primaryKey), Draft(name: "Z_ENT", kind: .entityNumber),
            Draft(name: "Z_OPT", kind: .version),
        ]
        // A stable sort into groups: the place in the list decides within one.
        let sorted = drafts.enumerated()
            .sorted { ($0.element.kind.group, $0.offset) < ($1.element.kind.group, $1.offset) }.map(\.element)
        let columns = (fixed + sorted).enumerated().map { position, draft in
            SQLColumn(name: draft.name, kind: draft.kind, position: position)
        }
        let indexed = keys.compactMap { key in columns.first { $0.name == key } }
        let table = SQLTable(name: "Z" + root.name.uppercased(), columns: columns, indexedKeys: indexed)
        tables.append(table)
        for node in root.preorder {
            let superentity = node.parent.flatMap { entitiesByName[$0.name] }
            let entity = SQLEntity(
                entity: node.entity, name: node.name, number: node.number, superentity: superentity, table: table)
            superentity?.subentities.append(entity)
            table.entities.append(entity)
            entities.append(entity)
            entitiesByName[node.name] = entity
        }
    }
}
