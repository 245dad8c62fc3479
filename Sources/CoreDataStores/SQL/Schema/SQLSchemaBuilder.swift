import CoreDataModel
import CoreDataPredicates

/// Computes an ``SQLSchema``: numbers, then tables with their columns, then join tables, then the columns of each
/// property.
package final class SQLSchemaBuilder {
    /// A property by the entity that declares it.
    package struct PropertyKey: Hashable {
        package let entity: String
        package let name: String
    }

    /// The names of the columns of one to-one relationship, or of one to-many relationship without inverse.
    package struct KeyColumns {
        package let column: String
        package let entityColumn: String?
        package var orderColumn: String?
    }

    /// One entity of the model, before tables exist.
    package final class Node {
        package let entity: NSEntityDescription
        package let name: String
        package var number = 0
        /// The position among all entities.
        package var index = 0
        package let parent: Node?
        package var children: [Node] = []
        /// Declared by the entity itself and stored, by name.
        package var properties: [NSPropertyDescription] = []

        package init(entity: NSEntityDescription, name: String, parent: Node?) {
            self.entity = entity
            self.name = name
            self.parent = parent
        }

        package var root: Node { parent?.root ?? self }
        package var preorder: [Node] { [self] + children.flatMap(\.preorder) }
        package var relationships: [NSRelationshipDescription] {
            properties.compactMap { $0 as? NSRelationshipDescription }
        }
    }

    package let existing: SQLExistingTables?
    /// Nil if the entities are numbered again for each version of the model.
    private let permanentNumbers: PermanentEntityNumbers?
    package let nameLimit: SQLNameLimit
    /// Depth first: the order of numbers, unless there are permanent ones.
    package var nodes: [Node] = []
    package var nodesByName: [String: Node] = [:]
    package var attributeColumns: [PropertyKey: String] = [:]
    package var keyColumns: [PropertyKey: KeyColumns] = [:]
    package var joins: [PropertyKey: SQLJoin] = [:]

    package var entities: [SQLEntity] = []
    package var entitiesByName: [String: SQLEntity] = [:]
    package var tables: [SQLTable] = []
    package var joinTables: [SQLJoinTable] = []

    package init(
        existing: SQLExistingTables?, permanentNumbers: PermanentEntityNumbers? = nil, nameLimit: SQLNameLimit = .none
    ) {
        self.existing = existing
        self.nameLimit = nameLimit
        self.permanentNumbers = permanentNumbers
    }

    package func build(_ descriptions: [NSEntityDescription]) throws {
        try number(descriptions)
        for root in nodes where root.parent == nil { try makeTable(of: root) }
        try makeJoinTables()
        try resolveProperties()
        for entity in entities.reversed() {
            entity.numbers = ([entity.number] + entity.subentities.flatMap(\.numbers)).sorted()
        }
    }

    // MARK: Numbers

    /// Numbers depth first, siblings by name without regard to case. Entities without a permanent number follow those
    /// that have one.
    private func number(_ descriptions: [NSEntityDescription]) throws {
        var members: [String: NSEntityDescription] = [:]
        for entity in descriptions {
            guard let name = entity.name, !name.isEmpty else {
                throw Self.error("An entity of the model has no name: give every entity a name.")
            }
            members[name] = entity
        }
        var highest = permanentNumbers?.highest ?? 0
        func visit(_ parent: Node?) throws {
            let children = members.values.filter { entity in
                parent == nil ? entity.superentity == nil : entity.superentity === parent?.entity
            }
            for entity in children.sorted(by: { SQLNameOrder.withoutCase($0.name ?? "", $1.name ?? "") }) {
                let node = Node(entity: entity, name: entity.name ?? "", parent: parent)
                node.properties = Self.storedOwnProperties(of: entity)
                node.index = nodes.count
                nodes.append(node)
                if let number = permanentNumbers?.byName[node.name] {
                    node.number = number
                } else {
                    highest += 1
                    node.number = highest
                }
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

    package func destination(of relationship: NSRelationshipDescription) -> Node? {
        relationship.destinationEntity?.name.flatMap { nodesByName[$0] }
    }

    /// The stored property of that name as `node` has it, with the entity that declares it.
    package func declaration(of name: String, in node: Node) -> (node: Node, property: NSPropertyDescription)? {
        var next: Node? = node
        while let current = next {
            if let property = current.properties.first(where: { $0.name == name }) { return (current, property) }
            next = current.parent
        }
        return nil
    }

    /// A relationship's inverse, with the entity that declares it, stored or not.
    package func inverse(
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
    package func isManyToMany(_ relationship: NSRelationshipDescription) -> Bool {
        relationship.isToMany && inverse(of: relationship)?.relationship.isToMany == true
    }

    package static func error(_ reason: String, entity: String? = nil, property: String? = nil) -> NSError {
        var info: [String: Any] = ["reason": reason]
        if let entity { info["entity"] = entity }
        if let property { info["property"] = property }
        return CoreDataErrors.error(
            NSPersistentStoreIncompatibleSchemaError, "The model can\u{2019}t be stored in a SQL store.",
            reason: reason,
            userInfo: info)
    }
}
