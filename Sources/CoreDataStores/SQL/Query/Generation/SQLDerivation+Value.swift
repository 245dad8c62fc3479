// SPDX-License-Identifier: Apache-2.0

extension SQLDerivation {
    /// The value for the row `S`, as triggers maintain it; nil if the save computes it.
    ///
    /// - Parameter table: the name of a table as it stands in statements.
    package func value(table: (String) -> String) -> String? {
        let column = SQLGenerator.identifier
        func rows(_ relationship: SQLToMany) -> String {
            let rows = table(relationship.destination.tableName) + " AS R"
            switch relationship.storage {
            case .foreignKey(let key): return "\(rows) WHERE R.\(column(key.column.name)) = S.Z_PK"
            case .join(let join):
                return """
                    \(rows) JOIN \(table(join.table.name)) AS J ON J.\(column(join.contentColumn)) = R.Z_PK \
                    WHERE J.\(column(join.ownerColumn)) = S.Z_PK
                    """
            }
        }
        switch self {
        case .count(let relationship): return "(SELECT COUNT(*) FROM \(rows(relationship)))"
        case .sum(let relationship, let summed):
            let name = "R.\(column(summed.name))"
            // PostgreSQL adds numbers of single precision in single precision.
            let number = summed.kind == .float ? "CAST(\(name) AS DOUBLE PRECISION)" : name
            return "(SELECT COALESCE(SUM(\(number)), 0) FROM \(rows(relationship)))"
        case .key(let relationship, let related):
            return """
                (SELECT R.\(column(related.name)) FROM \(table(relationship.destination.tableName)) AS R \
                WHERE R.Z_PK = S.\(column(relationship.column.name)))
                """
        case .computedOnSave: return nil
        }
    }
}
