// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// References between rows, which no engine checks, and values that the model requires.
package struct SQLReferenceCheck {
    private let dialect: any SQLDialect
    private let keys: (String) throws -> (count: Int, keys: [Int64])?

    /// - Parameters:
    ///   - dialect: the engine's dialect.
    ///   - keys: the number of keys that a select gives, and the first ones; nil if there are none.
    package init(dialect: any SQLDialect, keys: @escaping (String) throws -> (count: Int, keys: [Int64])?) {
        self.dialect = dialect
        self.keys = keys
    }

    /// The defects of a store whose tables are complete.
    package func defects(of schema: SQLSchema) throws -> [StoreDefect] {
        try schema.entities.flatMap { try referenceDefects(of: $0) }
            + schema.joinTables.flatMap { try linkDefects(of: $0) + repeatedMembers(of: $0) }
    }

    private func list(_ numbers: some Sequence<Int>) -> String { numbers.map(String.init).joined(separator: ", ") }

    /// The defects of the properties that an entity declares. Inherited properties are examined with the parent.
    private func referenceDefects(of entity: SQLEntity) throws -> [StoreDefect] {
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
                SELECT Z_PK FROM \(dialect.table(entity.tableName)) \
                WHERE Z_ENT IN (\(list(entity.numbers))) AND \(SQLGenerator.identifier(column.name)) IS NULL
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
        let column = SQLGenerator.identifier(relationship.column.name)
        let isOther = dialect.nullSafeNotEqualOperator
        let source = """
            FROM \(dialect.table(entity.tableName)) AS S \
            LEFT JOIN \(dialect.table(destination.tableName)) AS D \
            ON D.Z_PK = S.\(column) AND D.Z_ENT IN (\(list(destination.numbers))) \
            WHERE S.Z_ENT IN (\(list(entity.numbers))) AND S.\(column) IS NOT NULL
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
        if let number = relationship.entityColumn.map({ SQLGenerator.identifier($0.name) }) {
            try add(.wrongEntity, "S.\(number) \(isOther) D.Z_ENT AND D.Z_PK IS NOT NULL") {
                "\($0 ? "refers" : "refer") to an object by another entity than its own (\(number))"
            }
        }
        if let inverse = relationship.description.inverseRelationship, !inverse.isToMany,
            let back = destination.toOne(inverse.name)
        {
            try add(
                .oneSidedReference,
                "D.Z_PK IS NOT NULL AND D.\(SQLGenerator.identifier(back.column.name)) \(isOther) S.Z_PK"
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
        let column = SQLGenerator.identifier(key.column.name)
        guard
            let found = try keys(
                """
                SELECT D.Z_PK FROM \(dialect.table(relationship.destination.tableName)) AS D \
                LEFT JOIN \(dialect.table(entity.tableName)) AS S ON S.Z_PK = D.\(column) \
                AND S.Z_ENT IN (\(list(entity.numbers))) WHERE D.\(column) IS NOT NULL AND S.Z_PK IS NULL
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

    /// Pairs of keys that a join table has more than once.
    private func repeatedMembers(of join: SQLJoinTable) throws -> [StoreDefect] {
        let (owner, member) = (
            SQLGenerator.identifier(join.ownerColumn), SQLGenerator.identifier(join.destinationColumn)
        )
        guard
            let found = try keys(
                """
                SELECT \(owner) FROM \(dialect.table(join.name)) \
                WHERE \(owner) IS NOT NULL AND \(member) IS NOT NULL \
                GROUP BY \(owner), \(member) HAVING COUNT(*) > 1
                """)
        else { return [] }
        return [
            StoreDefect(
                .repeatedMember, entity: join.owner.name, property: join.relationship.name, count: found.count,
                primaryKeys: found.keys,
                "\(Wording.count(found.count, "member")) \(found.count == 1 ? "is" : "are") there more than once: "
                    + "the table \(join.name) has equal rows")
        ]
    }

    /// Rows of a join table without a row at one of their ends.
    private func linkDefects(of join: SQLJoinTable) throws -> [StoreDefect] {
        let ends = [(join.owner, join.ownerColumn), (join.destination, join.destinationColumn)]
        return try ends.compactMap { entity, column in
            let name = SQLGenerator.identifier(column)
            guard
                let found = try keys(
                    """
                    SELECT J.\(name) FROM \(dialect.table(join.name)) AS J \
                    LEFT JOIN \(dialect.table(entity.tableName)) AS D ON D.Z_PK = J.\(name) \
                    AND D.Z_ENT IN (\(list(entity.numbers))) WHERE D.Z_PK IS NULL
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
