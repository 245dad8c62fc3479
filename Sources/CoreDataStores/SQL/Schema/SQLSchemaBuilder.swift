// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Computes an ``SQLSchema``: numbers, then tables with their columns, then join tables, then the columns of each
/// property.
final class SQLSchemaBuilder {
    /// A property by the entity that declares it.
    struct PropertyKey: Hashable {
        let entity: String
        let name: String
    }

    /// The names of the columns of one to-one relationship, or of one to-many relationship without inverse.
    struct KeyColumns {
        let column: String
        let entityColumn: String?
        var orderColumn: String?
    }

    /// One entity of the model, before tables exist.
    final class Node {
        let entity: NSEntityDescription
        let name: String
        var number = 0
        /// The number in names of tables and columns.
        var nameNumber = 0
        /// The position among all entities.
        var index = 0
        let parent: Node?
        var children: [Node] = []
        /// Declared by the entity itself and stored, by name.
        let properties: [NSPropertyDescription]
        let relationships: [NSRelationshipDescription]

        init(entity: NSEntityDescription, name: String, parent: Node?, properties: [NSPropertyDescription]) {
            self.entity = entity
            self.name = name
            self.parent = parent
            self.properties = properties
            relationships = properties.compactMap { $0 as? NSRelationshipDescription }
        }

        var root: Node { parent?.root ?? self }
        var preorder: [Node] { [self] + children.flatMap(\.preorder) }
    }

    let existing: SQLExistingTables?
    /// Nil if the entities have the numbers of the model's order.
    private let storedNumbers: StoredEntityNumbers?
    let nameLimit: SQLNameLimit
    /// Depth first: the order of numbers, unless the store has given other numbers.
    var nodes: [Node] = []
    var nodesByName: [String: Node] = [:]
    /// The to-many relationships without inverse that lead to exactly an entity, by the index of that: by number of
    /// their owner.
    private(set) lazy var relationshipsWithoutInverse: [Int: [(Node, NSRelationshipDescription)]] = {
        var found: [Int: [(Node, NSRelationshipDescription)]] = [:]
        for owner in nodes {
            for relationship in owner.relationships
            where relationship.isToMany && relationship.inverseRelationship == nil {
                guard let destination = destination(of: relationship) else { continue }
                found[destination.index, default: []].append((owner, relationship))
            }
        }
        return found
    }()
    var attributeColumns: [PropertyKey: String] = [:]
    var keyColumns: [PropertyKey: KeyColumns] = [:]
    var joins: [PropertyKey: SQLJoin] = [:]

    var entities: [SQLEntity] = []
    var entitiesByName: [String: SQLEntity] = [:]
    var tables: [SQLTable] = []
    var joinTables: [SQLJoinTable] = []

    init(
        existing: SQLExistingTables?, storedNumbers: StoredEntityNumbers? = nil, nameLimit: SQLNameLimit = .none
    ) {
        self.existing = existing
        self.nameLimit = nameLimit
        self.storedNumbers = storedNumbers
    }

    func build(_ descriptions: [NSEntityDescription]) throws {
        try number(descriptions)
        for root in nodes where root.parent == nil { try makeTable(of: root) }
        try makeJoinTables()
        try resolveProperties()
        for entity in entities.reversed() {
            entity.numbers = ([entity.number] + entity.subentities.flatMap(\.numbers)).sorted()
        }
    }

    // MARK: Numbers

    /// Numbers depth first, siblings by name without regard to case. Entities without a number of the store follow the
    /// entities that have one.
    private func number(_ descriptions: [NSEntityDescription]) throws {
        var members: [String: NSEntityDescription] = [:]
        for entity in descriptions {
            guard let name = entity.name, !name.isEmpty else {
                throw Self.error("An entity of the model has no name: give every entity a name.")
            }
            members[name] = entity
        }
        var highest = storedNumbers?.highest ?? 0
        let children = Dictionary(grouping: members.values) { $0.superentity.map { ObjectIdentifier($0) } }
        func visit(_ parent: Node?) throws {
            let entities = children[parent.map { ObjectIdentifier($0.entity) }] ?? []
            for entity in entities.sorted(by: { SQLNameOrder.withoutCase($0.name ?? "", $1.name ?? "") }) {
                let node = Node(
                    entity: entity, name: entity.name ?? "", parent: parent,
                    properties: Self.storedOwnProperties(of: entity))
                node.index = nodes.count
                nodes.append(node)
                if let number = storedNumbers?.byName[node.name] {
                    node.number = number
                } else {
                    highest += 1
                    node.number = highest
                }
                node.nameNumber = storedNumbers?.areInRowsOnly == true ? node.index + 1 : node.number
                nodesByName[node.name] = node
                parent?.children.append(node)
                try visit(node)
            }
        }
        try visit(nil)
        guard nodes.count == members.count else {
            let unreachable = members.keys.filter { nodesByName[$0] == nil }.sorted().joined(separator: ", ")
            throw Self.error("The inheritance of these entities leads to no root: \(unreachable).")
        }
    }

    /// The properties that an entity declares itself and that have storage, by bytes of their names.
    private static func storedOwnProperties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
        let inherited = entity.superentity?.propertiesByName ?? [:]
        return entity.properties
            .filter { property in
                (property is NSAttributeDescription || property is NSRelationshipDescription)
                    && !property.isTransient && inherited[property.name] == nil
            }
            .sortedBytewise { $0.name }
    }

    // MARK: Lookup

    func destination(of relationship: NSRelationshipDescription) -> Node? {
        relationship.destinationEntity?.name.flatMap { nodesByName[$0] }
    }

    /// The stored property of that name as `node` has it, with the entity that declares it.
    func declaration(of name: String, in node: Node) -> (node: Node, property: NSPropertyDescription)? {
        var next: Node? = node
        while let current = next {
            if let property = current.properties.first(where: { $0.name == name }) { return (current, property) }
            next = current.parent
        }
        return nil
    }

    /// A relationship's inverse, with the entity that declares it, stored or not.
    func inverse(
        of relationship: NSRelationshipDescription
    ) -> (node: Node, relationship: NSRelationshipDescription, isStored: Bool)? {
        guard let inverse = relationship.inverseRelationship, let node = destination(of: relationship) else {
            return nil
        }
        if let found = declaration(of: inverse.name, in: node),
            let relationship = found.property as? NSRelationshipDescription
        {
            return (found.node, relationship, true)
        }
        return (node, inverse, false)
    }

    /// A to-many relationship whose inverse is to-many as well, whether that is stored or not.
    func isManyToMany(_ relationship: NSRelationshipDescription) -> Bool {
        relationship.isToMany && inverse(of: relationship)?.relationship.isToMany == true
    }

    static func error(_ reason: String, entity: String? = nil, property: String? = nil) -> NSError {
        var info: [String: Any] = ["reason": reason]
        if let entity { info["entity"] = entity }
        if let property { info["property"] = property }
        return CoreDataErrors.error(
            NSPersistentStoreIncompatibleSchemaError, "The model can\u{2019}t be stored in a SQL store.",
            reason: reason,
            userInfo: info)
    }
}
