// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Join tables of many-to-many relationships: the relationship that names a table, and the names of its columns.
extension SQLSchemaBuilder {
    func makeJoinTables() throws {
        let ownColumns = ownKeyColumns()
        var processed: Set<PropertyKey> = []
        for node in nodes {
            var made: [SQLJoinTable] = []
            // Of a pair within one entity the relationship that comes last names the table.
            for relationship in manyToManyRelationships(of: node).reversed() {
                let key = PropertyKey(entity: node.name, name: relationship.name)
                guard !processed.contains(key), let inverse = inverse(of: relationship), inverse.isStored else {
                    continue
                }
                let inverseKey = PropertyKey(entity: inverse.node.name, name: inverse.relationship.name)
                if inverseKey == key {
                    processed.insert(key)
                    made.append(makeReflexive(node, relationship))
                } else if names(
                    node, relationship, over: inverse.node, inverse.relationship, first: node === inverse.node)
                {
                    processed.formUnion([key, inverseKey])
                    made.append(
                        makeJoin(
                            node, relationship, inverse.node, inverse.relationship,
                            ownerColumn: ownColumns[key] ?? "", destinationColumn: ownColumns[inverseKey] ?? ""))
                }
            }
            guard made.count > 1 else {
                joinTables += made
                continue
            }
            let order = creationRank(of: node)
            joinTables += made.sorted { (order[$0.relationship.name] ?? 0) < (order[$1.relationship.name] ?? 0) }
        }
    }

    /// For each many-to-many relationship the column that holds its owner's keys, unique within the owner's entity.
    private func ownKeyColumns() -> [PropertyKey: String] {
        var columns: [PropertyKey: String] = [:]
        for node in nodes {
            var names = UniqueNames(nameLimit)
            for relationship in manyToManyRelationships(of: node) {
                let inverseName = relationship.inverseRelationship?.name ?? ""
                columns[PropertyKey(entity: node.name, name: relationship.name)] =
                    names.reserve("Z_\(node.nameNumber)" + inverseName.uppercased())
            }
        }
        return columns
    }

    /// The many-to-many relationships of an entity, in the order that decides ties.
    private func manyToManyRelationships(of node: Node) -> [NSRelationshipDescription] {
        let relationships = node.relationships.filter(isManyToMany)
        guard relationships.count > 1 else { return relationships }
        let rank = tieRank(of: node)
        return relationships.sorted { (rank[$0.name] ?? 0) < (rank[$1.name] ?? 0) }
    }

    /// The order of an entity's relationships that decides ties. A hash table has this order.
    private func tieRank(of node: Node) -> [String: Int] {
        let names = node.relationships
            .filter { $0.isToMany && ($0.isOrdered || isManyToMany($0) || $0.inverseRelationship == nil) }
            .map(\.name)
        return Self.rank(SQLNameOrder.hashed(names))
    }

    /// The order in which an entity's join tables are made. A hash table of all its columns has this order.
    private func creationRank(of node: Node) -> [String: Int] {
        var names: [String] = []
        var count = 3
        var next: Node? = node
        while let current = next {
            for property in current.properties where !names.contains(property.name) {
                names.append(property.name)
                count += 1
                guard let toOne = property as? NSRelationshipDescription, !toOne.isToMany else { continue }
                let inverse = inverse(of: toOne)?.relationship
                count += 1
                if destination(of: toOne)?.children.isEmpty == false { count += 1 }
                if let inverse, inverse.isToMany, inverse.isOrdered { count += 1 }
            }
            next = current.parent
        }
        return Self.rank(SQLNameOrder.hashed(names.sortedBytewise(), capacity: count))
    }

    private static func rank(_ names: [String]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether `relationship` of `node` names the table rather than its inverse.
    ///
    /// In an existing store the table that exists decides.
    ///
    /// - Parameter first: whether the relationship comes first by the tie rule for two relationships of one entity.
    private func names(
        _ node: Node, _ relationship: NSRelationshipDescription,
        over other: Node, _ inverse: NSRelationshipDescription, first: Bool
    ) -> Bool {
        let mine = nameLimit.shortened("Z_\(node.nameNumber)" + relationship.name.uppercased())
        let others = nameLimit.shortened("Z_\(other.nameNumber)" + inverse.name.uppercased())
        if let existing, mine != others {
            let (hasMine, hasOthers) = (existing.columnsByTable[mine] != nil, existing.columnsByTable[others] != nil)
            if hasMine != hasOthers { return hasMine }
        }
        if first { return true }
        let (hasSubentities, otherHasSubentities) = (!node.children.isEmpty, !other.children.isEmpty)
        return hasSubentities != otherHasSubentities ? hasSubentities : node.nameNumber < other.nameNumber
    }

    /// The name of the column with the positions of a key column.
    private func orderColumn(_ key: String) -> String { nameLimit.shortened("Z_FOK_" + key.dropFirst(2)) }

    private func makeReflexive(_ node: Node, _ relationship: NSRelationshipDescription) -> SQLJoinTable {
        let name = nameLimit.shortened("Z_\(node.nameNumber)" + relationship.name.uppercased())
        let entity = sqlEntity(node)
        let table = SQLJoinTable(
            name: name, owner: entity, destination: entity, relationship: relationship, inverse: relationship,
            ownerColumn: name, destinationColumn: SQLJoinTable.reflexive, ownerOrderColumn: nil,
            destinationOrderColumn: relationship.isOrdered ? orderColumn(name) : nil)
        joins[PropertyKey(entity: node.name, name: relationship.name)] = table.forward
        return table
    }

    private func makeJoin(
        _ node: Node, _ relationship: NSRelationshipDescription, _ other: Node, _ inverse: NSRelationshipDescription,
        ownerColumn: String, destinationColumn: String
    ) -> SQLJoinTable {
        let name = nameLimit.shortened("Z_\(node.nameNumber)" + relationship.name.uppercased())
        let columns = existing?.columnsByTable[name]
        let owner = Self.existingName(
            ownerColumn, base: "Z_\(node.nameNumber)" + inverse.name.uppercased(), in: columns, except: nil)
        let content = Self.existingName(
            destinationColumn, base: "Z_\(other.nameNumber)" + relationship.name.uppercased(), in: columns,
            except: owner)
        let table = SQLJoinTable(
            name: name, owner: sqlEntity(node), destination: sqlEntity(other), relationship: relationship,
            inverse: inverse, ownerColumn: owner, destinationColumn: content,
            ownerOrderColumn: inverse.isOrdered ? orderColumn(owner) : nil,
            destinationOrderColumn: relationship.isOrdered ? orderColumn(content) : nil)
        joins[PropertyKey(entity: node.name, name: relationship.name)] = table.forward
        joins[PropertyKey(entity: other.name, name: inverse.name)] = table.backward
        return table
    }

    /// The name of a column in an existing table: the predicted name, the base, or the base with a number. Without a
    /// table it is the predicted name.
    private static func existingName(
        _ predicted: String, base: String, in columns: Set<String>?, except other: String?
    ) -> String {
        guard let columns, !columns.contains(predicted) || predicted == other else { return predicted }
        if columns.contains(base), base != other { return base }
        let suffixed = columns.filter { column in
            guard column != other, column.hasPrefix(base) else { return false }
            let suffix = column.dropFirst(base.count)
            return !suffix.isEmpty && suffix.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        return suffixed.min { ($0.count, $0) < ($1.count, $1) } ?? predicted
    }

    private func sqlEntity(_ node: Node) -> SQLEntity { entities[node.index] }
}
