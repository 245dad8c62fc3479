/// References between rows, and values that the model requires.
extension PostgreSQLStoreCheck {
    /// The defects of the properties that an entity declares. Those that it inherits are examined with its parent.
    func referenceDefects(of entity: SQLEntity) throws -> [StoreDefect] {
        var defects: [StoreDefect] = []
        for (name, property) in entity.properties.sortedBytewise(by: { $0.key })
        where entity.superentity?.properties[name] == nil {
            switch property {
            case .attribute(let attribute):
                if !attribute.description.isOptional, attribute.derivation == nil {
                    try defects += missingValues(attribute.column, of: entity, name)
                }
            case .composite: break
            case .toOne(let relationship):
                try defects += referenceDefects(of: entity, name, relationship)
                if !relationship.description.isOptional {
                    try defects += missingValues(relationship.column, of: entity, name)
                }
            case .toMany(let relationship):
                if case .foreignKey(let key) = relationship.storage, key.isWithoutInverse {
                    try defects += ownerDefects(of: entity, name, relationship, key)
                }
            }
        }
        return defects
    }

    private func missingValues(_ column: SQLColumn, of entity: SQLEntity, _ name: String) throws -> [StoreDefect] {
        let found = try keys(
            """
            SELECT z_pk FROM \(access.dialect.table(entity.tableName)) \
            WHERE z_ent IN (\(Self.list(entity.numbers))) AND \(SQLGenerator.identifier(column.name)) IS NULL
            """)
        guard let found else { return [] }
        return [
            StoreDefect(
                .missingValue, entity: entity.name, property: name, count: found.count, primaryKeys: found.keys,
                "\(Wording.count(found.count, "object")) \(found.count == 1 ? "has" : "have") no value, "
                    + "which the model requires")
        ]
    }

    private func referenceDefects(of entity: SQLEntity, _ name: String, _ relationship: SQLToOne) throws
        -> [StoreDefect]
    {
        let destination = relationship.destination
        let column = SQLGenerator.identifier(relationship.column.name)
        let source = """
            FROM \(access.dialect.table(entity.tableName)) AS s \
            LEFT JOIN \(access.dialect.table(destination.tableName)) AS d \
            ON d.z_pk = s.\(column) AND d.z_ent IN (\(Self.list(destination.numbers))) \
            WHERE s.z_ent IN (\(Self.list(entity.numbers))) AND s.\(column) IS NOT NULL
            """
        var defects: [StoreDefect] = []
        func add(_ kind: StoreDefect.Kind, _ condition: String, _ finding: (Bool) -> String) throws {
            guard let found = try keys("SELECT s.z_pk \(source) AND \(condition)") else { return }
            defects.append(
                StoreDefect(
                    kind, entity: entity.name, property: name, count: found.count, primaryKeys: found.keys,
                    "\(Wording.count(found.count, "object")) \(finding(found.count == 1))"))
        }
        try add(.danglingReference, "d.z_pk IS NULL") {
            "\($0 ? "refers" : "refer") to \(Wording.withArticle(destination.name)) that doesn't exist"
        }
        if let number = relationship.entityColumn.map({ SQLGenerator.identifier($0.name) }) {
            try add(.wrongEntity, "s.\(number) IS DISTINCT FROM d.z_ent AND d.z_pk IS NOT NULL") {
                "\($0 ? "refers" : "refer") to an object by another entity than its own (\(number))"
            }
        }
        if let inverse = relationship.description.inverseRelationship, !inverse.isToMany,
            let back = destination.toOne(inverse.name)
        {
            try add(
                .oneSidedReference,
                "d.z_pk IS NOT NULL AND d.\(SQLGenerator.identifier(back.column.name)) IS DISTINCT FROM s.z_pk"
            ) {
                "\($0 ? "refers" : "refer") to an object whose \(inverse.name) is another one"
            }
        }
        return defects
    }

    /// Members of a relationship without inverse whose owner doesn't exist.
    private func ownerDefects(of entity: SQLEntity, _ name: String, _ relationship: SQLToMany, _ key: SQLForeignKey)
        throws -> [StoreDefect]
    {
        let column = SQLGenerator.identifier(key.column.name)
        let found = try keys(
            """
            SELECT d.z_pk FROM \(access.dialect.table(relationship.destination.tableName)) AS d \
            LEFT JOIN \(access.dialect.table(entity.tableName)) AS s ON s.z_pk = d.\(column) \
            AND s.z_ent IN (\(Self.list(entity.numbers))) WHERE d.\(column) IS NOT NULL AND s.z_pk IS NULL
            """)
        guard let found else { return [] }
        return [
            StoreDefect(
                .danglingReference, entity: entity.name, property: name, count: found.count, primaryKeys: found.keys,
                "\(Wording.count(found.count, "object")) of \(relationship.destination.name) "
                    + "\(found.count == 1 ? "belongs" : "belong") to \(Wording.withArticle(entity.name)) that doesn't "
                    + "exist")
        ]
    }

    /// Rows of a join table without a row at one of their ends.
    func linkDefects(of join: SQLJoinTable) throws -> [StoreDefect] {
        let ends = [(join.owner, join.ownerColumn), (join.destination, join.destinationColumn)]
        return try ends.compactMap { entity, column in
            let name = SQLGenerator.identifier(column)
            let found = try keys(
                """
                SELECT j.\(name) FROM \(access.dialect.table(join.name)) AS j \
                LEFT JOIN \(access.dialect.table(entity.tableName)) AS d ON d.z_pk = j.\(name) \
                AND d.z_ent IN (\(Self.list(entity.numbers))) WHERE d.z_pk IS NULL
                """)
            guard let found else { return nil }
            return StoreDefect(
                .danglingReference, entity: join.owner.name, property: join.relationship.name, count: found.count,
                primaryKeys: found.keys,
                "\(Wording.count(found.count, "row")) of the table \(join.name) "
                    + "\(found.count == 1 ? "names" : "name") \(Wording.withArticle(entity.name)) that doesn't exist")
        }
    }
}
