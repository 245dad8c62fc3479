import CoreDataModel
import CoreDataPredicates

/// References between rows, and values that the model requires.
extension SQLiteStoreCheck {
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
        guard
            let found = try keys(
                """
                SELECT Z_PK FROM \(SQLiteText.identifier(entity.tableName)) \
                WHERE Z_ENT IN (\(Self.list(entity.numbers))) AND \(SQLiteText.identifier(column.name)) IS NULL
                """)
        else { return [] }
        return [
            StoreDefect(
                .missingValue, entity: entity.name, property: name, count: found.count, primaryKeys: found.keys,
                "\(Wording.count(found.count, "object")) \(found.count == 1 ? "has" : "have") no value, "
                    + "which the model requires")
        ]
    }

    // MARK: Relationships to one

    private func referenceDefects(of entity: SQLEntity, _ name: String, _ relationship: SQLToOne) throws
        -> [StoreDefect]
    {
        let destination = relationship.destination
        let column = SQLiteText.identifier(relationship.column.name)
        let source = """
            FROM \(SQLiteText.identifier(entity.tableName)) AS S \
            LEFT JOIN \(SQLiteText.identifier(destination.tableName)) AS D \
            ON D.Z_PK = S.\(column) AND D.Z_ENT IN (\(Self.list(destination.numbers))) \
            WHERE S.Z_ENT IN (\(Self.list(entity.numbers))) AND S.\(column) IS NOT NULL
            """
        var defects: [StoreDefect] = []
        func add(_ kind: StoreDefect.Kind, _ condition: String, _ finding: (Bool) -> String) throws {
            guard let found = try keys("SELECT S.Z_PK \(source) AND \(condition)") else { return }
            defects.append(
                StoreDefect(
                    kind, entity: entity.name, property: name, count: found.count, primaryKeys: found.keys,
                    "\(Wording.count(found.count, "object")) \(finding(found.count == 1))"))
        }
        try add(.danglingReference, "D.Z_PK IS NULL") {
            "\($0 ? "refers" : "refer") to \(Wording.withArticle(destination.name)) that doesn't exist"
        }
        if let number = relationship.entityColumn.map({ SQLiteText.identifier($0.name) }) {
            try add(.wrongEntity, "S.\(number) IS NOT D.Z_ENT AND D.Z_PK IS NOT NULL") {
                "\($0 ? "refers" : "refer") to an object by another entity than its own (\(number))"
            }
        }
        if let inverse = relationship.description.inverseRelationship, !inverse.isToMany,
            let back = destination.toOne(inverse.name)
        {
            try add(
                .oneSidedReference,
                "D.Z_PK IS NOT NULL AND D.\(SQLiteText.identifier(back.column.name)) IS NOT S.Z_PK"
            ) {
                "\($0 ? "refers" : "refer") to an object whose \(inverse.name) is another one"
            }
        }
        return defects
    }

    // MARK: Relationships to many

    /// Members of a relationship without inverse whose owner doesn't exist.
    private func ownerDefects(of entity: SQLEntity, _ name: String, _ relationship: SQLToMany, _ key: SQLForeignKey)
        throws -> [StoreDefect]
    {
        let column = SQLiteText.identifier(key.column.name)
        guard
            let found = try keys(
                """
                SELECT D.Z_PK FROM \(SQLiteText.identifier(relationship.destination.tableName)) AS D \
                LEFT JOIN \(SQLiteText.identifier(entity.tableName)) AS S ON S.Z_PK = D.\(column) \
                AND S.Z_ENT IN (\(Self.list(entity.numbers))) WHERE D.\(column) IS NOT NULL AND S.Z_PK IS NULL
                """)
        else { return [] }
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
            let name = SQLiteText.identifier(column)
            guard
                let found = try keys(
                    """
                    SELECT J.\(name) FROM \(SQLiteText.identifier(join.name)) AS J \
                    LEFT JOIN \(SQLiteText.identifier(entity.tableName)) AS D ON D.Z_PK = J.\(name) \
                    AND D.Z_ENT IN (\(Self.list(entity.numbers))) WHERE D.Z_PK IS NULL
                    """)
            else { return nil }
            return StoreDefect(
                .danglingReference, entity: join.owner.name, property: join.relationship.name, count: found.count,
                primaryKeys: found.keys,
                "\(Wording.count(found.count, "row")) of the table \(join.name) "
                    + "\(found.count == 1 ? "names" : "name") \(Wording.withArticle(entity.name)) that doesn't exist")
        }
    }
}
