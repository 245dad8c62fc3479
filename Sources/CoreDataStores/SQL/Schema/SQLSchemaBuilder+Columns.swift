// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

extension SQLSchemaBuilder {
    /// A column whose position in the table isn't known yet.
    struct ColumnDefinition {
        let name: String
        let kind: SQLStorageKind
    }

    /// The column names of one table. A name that is in use gets 1, 2, … appended.
    struct UniqueNames {
        private var used: Set<String> = []
        private let limit: SQLNameLimit

        init(_ limit: SQLNameLimit) { self.limit = limit }

        mutating func reserve(_ base: String) -> String {
            var name = limit.shortened(base)
            var suffix = 0
            while !used.insert(name).inserted {
                suffix += 1
                name = limit.shortened("\(base)\(suffix)")
            }
            return name
        }
    }

    /// Makes the table of a root entity, with the columns of all its subentities, and the entities of the hierarchy.
    func makeTable(of root: Node) throws {
        var names = UniqueNames(nameLimit)
        var definitions: [ColumnDefinition] = []
        var keys: [String] = []
        for node in root.preorder {
            try addAttributes(of: node, &names, &definitions)
            var orderKeys: [(PropertyKey, String)] = []
            for relationship in node.relationships where !relationship.isToMany {
                guard let destination = destination(of: relationship) else { continue }
                let inverse = inverse(of: relationship)?.relationship
                addKey(
                    PropertyKey(entity: node.name, name: relationship.name),
                    name: "Z" + relationship.name.uppercased(), relationship.name, referringTo: destination,
                    &names, &definitions, &keys)
                if let inverse, inverse.isToMany, inverse.isOrdered {
                    orderKeys.append(
                        (
                            PropertyKey(entity: node.name, name: relationship.name),
                            "Z_FOK_" + relationship.name.uppercased()
                        ))
                }
            }
            for (owner, relationship) in relationshipsWithoutInverse[node.index] ?? [] {
                let key = PropertyKey(entity: owner.name, name: relationship.name)
                addKey(
                    key, name: "Z\(owner.nameNumber)" + relationship.name.uppercased(), relationship.name,
                    referringTo: owner, &names, &definitions, &keys)
                if relationship.isOrdered {
                    orderKeys.append((key, "Z_FOK_\(owner.nameNumber)" + relationship.name.uppercased()))
                }
            }
            for (key, base) in orderKeys {
                let name = names.reserve(base)
                keyColumns[key]?.orderColumn = name
                definitions.append(ColumnDefinition(name: name, kind: .orderKey))
            }
        }
        finishTable(of: root, definitions, keys)
    }

    private func addAttributes(of node: Node, _ names: inout UniqueNames, _ definitions: inout [ColumnDefinition])
        throws
    {
        for case let attribute as NSAttributeDescription in node.properties {
            if let composite = attribute as? NSCompositeAttributeDescription {
                try addElements(of: composite, node, &names, &definitions)
                continue
            }
            guard let kind = SQLStorageKind(attribute) else { continue }
            let name = names.reserve("Z" + attribute.name.uppercased())
            attributeColumns[PropertyKey(entity: node.name, name: attribute.name)] = name
            definitions.append(ColumnDefinition(name: name, kind: kind))
        }
    }

    /// Adds the column of a relationship key. A destination with subentities adds a column for the row's entity number.
    private func addKey(
        _ key: PropertyKey, name base: String, _ relationshipName: String, referringTo node: Node,
        _ names: inout UniqueNames, _ definitions: inout [ColumnDefinition], _ keys: inout [String]
    ) {
        let name = names.reserve(base)
        keys.append(name)
        definitions.append(ColumnDefinition(name: name, kind: .relationshipKey))
        var entityName: String?
        if !node.children.isEmpty {
            let columnName = names.reserve("Z\(node.nameNumber)_" + relationshipName.uppercased())
            definitions.append(ColumnDefinition(name: columnName, kind: .relationshipEntity))
            entityName = columnName
        }
        keyColumns[key] = KeyColumns(column: name, entityColumn: entityName, orderColumn: nil)
    }

    private func finishTable(of root: Node, _ definitions: [ColumnDefinition], _ keys: [String]) {
        let fixed = [
            ColumnDefinition(name: "Z_PK", kind: .primaryKey), ColumnDefinition(name: "Z_ENT", kind: .entityNumber),
            ColumnDefinition(name: "Z_OPT", kind: .version),
        ]
        // Stable: columns of one group retain their order.
        let sorted = definitions.enumerated()
            .sorted { ($0.element.kind.group, $0.offset) < ($1.element.kind.group, $1.offset) }.map(\.element)
        let columns = (fixed + sorted).enumerated().map { position, definition in
            SQLColumn(name: definition.name, kind: definition.kind, position: position)
        }
        let isKey = Set(keys)
        let columnsOfKeys = Dictionary(
            columns.filter { isKey.contains($0.name) }.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let indexed = keys.compactMap { columnsOfKeys[$0] }
        let table = SQLTable(
            name: nameLimit.shortened("Z" + root.name.uppercased()), columns: columns, indexedKeys: indexed)
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
