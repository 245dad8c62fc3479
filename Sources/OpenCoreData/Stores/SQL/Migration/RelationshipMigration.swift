import CoreDataModel
import CoreDataPredicates

/// The pairs of objects in a relationship of the source, as a select of `owner`, `member` and `position`.
struct MigratedPairs {
    let sql: String
    /// Whether the position of a member among those of its owner is known.
    let isOrdered: Bool
    /// Whether the position of an owner among those of a member is known, as `inverse`.
    let isInverseOrdered: Bool

    /// - Parameters:
    ///   - property: a relationship of the source.
    ///   - owner: an entity that has it. Pairs of all entities that share the columns are selected.
    ///   - engine: the engine of the store.
    ///   - name: the present name of a table of the source.
    init?(
        _ property: SQLProperty?, of owner: SQLEntity, _ engine: any SQLMigrationEngine, name: (String) -> String
    ) {
        func select(_ owner: String, _ member: String, _ position: String?, _ inverse: String?, _ table: String)
            -> String
        {
            let columns = [owner, member].map(engine.identifier)
            return """
                SELECT \(columns[0]) AS owner, \(columns[1]) AS member, \
                \(position.map(engine.identifier) ?? "NULL") AS position, \
                \(inverse.map(engine.identifier) ?? "NULL") AS inverse \
                FROM \(engine.table(name(table))) \
                WHERE \(columns[0]) IS NOT NULL AND \(columns[1]) IS NOT NULL
                """
        }
        switch property {
        case .toOne(let relationship)?:
            let numbers = owner.numbers.map(String.init).joined(separator: ", ")
            sql =
                select("Z_PK", relationship.column.name, nil, relationship.orderColumn?.name, owner.tableName)
                + " AND Z_ENT IN (\(numbers))"
            isOrdered = false
            isInverseOrdered = relationship.orderColumn != nil
        case .toMany(let relationship)?:
            switch relationship.storage {
            case .foreignKey(let key):
                sql = select(
                    key.column.name, "Z_PK", key.orderColumn?.name, nil, relationship.destination.tableName)
                isOrdered = key.orderColumn != nil
                isInverseOrdered = false
            case .join(let join):
                sql = select(
                    join.ownerColumn, join.contentColumn, join.orderColumn, join.inverseOrderColumn, join.table.name)
                isOrdered = join.orderColumn != nil
                isInverseOrdered = join.inverseOrderColumn != nil
            }
        default: return nil
        }
    }

    private init(sql: String, isOrdered: Bool, isInverseOrdered: Bool) {
        self.sql = sql
        self.isOrdered = isOrdered
        self.isInverseOrdered = isInverseOrdered
    }

    /// The pairs of the inverse.
    var swapped: MigratedPairs {
        MigratedPairs(
            sql:
                """
                SELECT member AS owner, owner AS member, inverse AS position, position AS inverse \
                FROM (\(sql)) AS pairs
                """,
            isOrdered: isInverseOrdered, isInverseOrdered: isOrdered)
    }

    /// The position of each member: the known one, otherwise in the order of the keys.
    var position: String { isOrdered ? "position" : Self.generated(by: "owner", "member") }

    /// The position of each owner among those of a member.
    var inverse: String { isInverseOrdered ? "inverse" : Self.generated(by: "member", "owner") }

    /// Positions with the gaps that ``OrderKeys`` leaves.
    static func generated(by owner: String, _ member: String) -> String {
        "(ROW_NUMBER() OVER (PARTITION BY \(owner) ORDER BY \(member)) - 1) * \(OrderKeys.step) + \(OrderKeys.first)"
    }
}

/// Writes what the rows of the destination don't get with their other columns: join tables, keys that another form of
/// relationship had before, entity numbers and positions.
struct RelationshipMigration {
    let engine: any SQLMigrationEngine
    let columns: MigratedColumns
    /// The present name of a table of the source.
    let name: (String) -> String

    /// Fills a join table.
    func fill(_ join: SQLJoinTable) throws {
        let owner = join.relationship.entityName(in: columns.destination, join.owner)
        guard let pairs = pairs(join.relationship.name, of: owner) ?? inversePairs(of: join) else { return }
        var names = [join.ownerColumn, join.destinationColumn]
        var values = ["owner", "member"]
        if let column = join.ownerOrderColumn {
            names.append(column)
            values.append(pairs.inverse)
        }
        if let column = join.destinationOrderColumn {
            names.append(column)
            values.append(pairs.position)
        }
        func insert(_ pairs: MigratedPairs) throws {
            let columns = names.map(engine.identifier).joined(separator: ", ")
            try engine.run(
                engine.dialect.insertIfAbsent(
                    into: "\(engine.table(join.name)) (\(columns))",
                    values: "SELECT \(values.joined(separator: ", ")) FROM (\(pairs.sql)) AS pairs"))
        }
        try insert(pairs)
        // A relationship that is its own inverse has a row for each direction.
        if join.isReflexive { try insert(pairs.swapped) }
    }

    private func inversePairs(of join: SQLJoinTable) -> MigratedPairs? {
        pairs(join.inverse.name, of: join.destination)?.swapped
    }

    /// The pairs of the source of a relationship.
    private func pairs(_ relationship: String, of owner: SQLEntity) -> MigratedPairs? {
        guard let old = columns.sourceEntity(of: owner),
            let source = columns.mapping.entities[owner.name]?.relationships[relationship]
        else { return nil }
        return MigratedPairs(old.properties[source.name], of: old, engine, name: name)
    }

    /// Completes the keys of one entity's to-one relationships.
    func complete(_ entity: SQLEntity) throws {
        for (propertyName, property) in entity.properties.sortedBytewise(by: { $0.key }) {
            guard case .toOne(let relationship) = property, entity.superentity?.toOne(propertyName) == nil else {
                continue
            }
            let old = columns.sourceEntity(of: entity)
            let source = columns.mapping.entities[entity.name]?.relationships[propertyName].flatMap { found in
                old?.toOne(found.name)
            }
            var isFilled = false
            if source == nil, let inverse = relationship.description.inverseRelationship?.name,
                let pairs = pairs(inverse, of: relationship.destination)?.swapped
            {
                try fill(relationship.column, in: entity, from: pairs)
                isFilled = true
            }
            guard source != nil || isFilled else { continue }
            try complete(
                relationship.column, relationship.entityColumn, relationship.orderColumn,
                in: entity.table, referringTo: relationship.destination.table,
                hasNumbers: source?.entityColumn != nil, hasOrder: source?.orderColumn != nil)
        }
    }

    /// Completes the keys of to-many relationships without inverse.
    func completeKeysWithoutInverse() throws {
        for (key, relationship, source) in columns.keysWithoutInverse {
            guard let owner = columns.destination.entity(for: relationship.description.entity) else { continue }
            var old: SQLForeignKey?
            if case .foreignKey(let found)? = source?.storage, found.isWithoutInverse { old = found }
            if old == nil {
                guard let pairs = pairs(relationship.description.name, of: owner)?.swapped else { continue }
                try fill(key.column, in: relationship.destination, from: pairs)
            }
            try complete(
                key.column, key.entityColumn, key.orderColumn, in: relationship.destination.table,
                referringTo: owner.table, hasNumbers: old?.entityColumn != nil, hasOrder: old?.orderColumn != nil)
        }
    }

    /// Writes keys from pairs whose owners are the rows.
    private func fill(_ column: SQLColumn, in entity: SQLEntity, from pairs: MigratedPairs) throws {
        try engine.run(
            """
            UPDATE \(engine.table(entity.tableName)) SET \(engine.identifier(column.name)) = pairs.member \
            FROM (SELECT owner, MIN(member) AS member FROM (\(pairs.sql)) AS found GROUP BY owner) AS pairs \
            WHERE pairs.owner = Z_PK AND Z_ENT IN (\(entity.numbers.map(String.init).joined(separator: ", ")))
            """)
    }

    private func complete(
        _ column: SQLColumn, _ entityColumn: SQLColumn?, _ orderColumn: SQLColumn?, in table: SQLTable,
        referringTo destination: SQLTable, hasNumbers: Bool, hasOrder: Bool
    ) throws {
        let (rows, key) = (engine.table(table.name), engine.identifier(column.name))
        if let entityColumn, !hasNumbers {
            try engine.run(
                """
                UPDATE \(rows) SET \(engine.identifier(entityColumn.name)) = \
                (SELECT d.Z_ENT FROM \(engine.table(destination.name)) AS d WHERE d.Z_PK = \(rows).\(key)) \
                WHERE \(key) IS NOT NULL
                """)
        }
        if let orderColumn, !hasOrder {
            try engine.run(
                """
                UPDATE \(rows) SET \(engine.identifier(orderColumn.name)) = p.position \
                FROM (SELECT Z_PK AS pk, \(MigratedPairs.generated(by: key, "Z_PK")) AS position FROM \(rows) \
                WHERE \(key) IS NOT NULL) AS p WHERE p.pk = \(rows).Z_PK
                """)
        }
    }

    /// Removes references to rows that the migration has not kept.
    ///
    /// - Parameter isIncomplete: whether rows of the source are missing in a table of the destination.
    func removeDangling(_ isIncomplete: (SQLTable) -> Bool) throws {
        for entity in columns.destination.entities {
            for case .toOne(let relationship) in entity.properties.values
            where isIncomplete(relationship.destination.table) {
                try clear(
                    [relationship.column, relationship.entityColumn, relationship.orderColumn].compactMap { $0 },
                    in: entity.table, missingIn: relationship.destination.table)
            }
        }
        for (key, relationship, _) in columns.keysWithoutInverse {
            guard let owner = columns.destination.entity(for: relationship.description.entity),
                isIncomplete(owner.table)
            else { continue }
            try clear(key.columns, in: relationship.destination.table, missingIn: owner.table)
        }
        for join in columns.destination.joinTables {
            for (column, table) in [
                (join.ownerColumn, join.owner.table), (join.destinationColumn, join.destination.table),
            ]
            where isIncomplete(table) {
                try engine.run(
                    """
                    DELETE FROM \(engine.table(join.name)) WHERE \(engine.identifier(column)) NOT IN \
                    (SELECT Z_PK FROM \(engine.table(table.name)))
                    """)
            }
        }
    }

    private func clear(_ columns: [SQLColumn], in table: SQLTable, missingIn destination: SQLTable) throws {
        let names = columns.map { engine.identifier($0.name) }
        try engine.run(
            """
            UPDATE \(engine.table(table.name)) SET \(names.map { "\($0) = NULL" }.joined(separator: ", ")) \
            WHERE \(names[0]) IS NOT NULL AND \(names[0]) NOT IN \
            (SELECT Z_PK FROM \(engine.table(destination.name)))
            """)
    }
}

extension NSRelationshipDescription {
    /// The entity of a schema that declares the relationship.
    fileprivate func entityName(in schema: SQLSchema, _ fallback: SQLEntity) -> SQLEntity {
        schema.entity(for: entity) ?? fallback
    }
}
