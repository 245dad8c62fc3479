import CoreDataPredicates
import CoreDataModel

/// Turns fetch requests into statements.
///
/// The stages work on one tree of SQL nodes: source, restriction to the entity, qualifier, order, selection and limits.
/// The text is made last. Joins to to-one relationships keep every row and to-many ones are looked at in selects inside, so
/// that no row ever comes twice. A translator holds nothing that changes; make one for each store.
package struct SQLQueryTranslator {
    private let schema: SQLSchema
    private let dialect: any SQLDialect
    private let constants: SQLConstants

    /// - Parameters:
    ///   - schema: the tables of the store.
    ///   - dialect: how the engine writes what engines write differently.
    ///   - references: finds what object IDs in predicates refer to.
    package init(
        schema: SQLSchema, dialect: any SQLDialect, references: @escaping SQLObjectReference.Resolver
    ) {
        self.schema = schema
        self.dialect = dialect
        constants = SQLConstants(schema: schema, references: references)
    }

    /// The statement for a query.
    ///
    /// - Throws: `NSCoreDataError` (134060), naming the part, for key paths that the entity hasn't and for what SQL can't
    ///   express: block predicates, comparator sorts, transient properties, functions that are code.
    package func statement(_ query: SQLQuery) throws -> SQLQueryPlan {
        guard let entity = schema.entity(for: query.entity) else {
            throw SQLQueryError.unknownEntity(query.entity.name ?? "")
        }
        let builder = SQLSelectBuilder(aliases: SQLAliases())
        let alias = builder.add(entity.tableName) { Self.restriction(to: entity, of: query, alias: $0) }
        let object = SQLPathObject(row: alias, of: entity, in: builder)
        if let predicate = query.predicate {
            let qualifier = SQLQualifier(constants: constants)
            builder.filter(try qualifier.condition(predicate, in: SQLPredicateScope(object: object)))
        }
        var ordering: [SQLOrderTerm] = []
        if case .count = query.selection {} else {
            ordering = try SQLOrdering(dialect: dialect).terms(query.sortDescriptors, from: object)
        }
        var select = builder.select(Self.columns(of: query, object: object))
        select.ordering = ordering
        select.isDistinct = query.distinct
        select.limit = query.limit
        select.offset = query.offset
        if case .count = query.selection { select = Self.counting(select) }
        return try SQLGenerator.plan(select, dialect: dialect)
    }

    // MARK: Stages

    /// Rows of other entities in the same table are left out, where there may be any.
    private static func restriction(to entity: SQLEntity, of query: SQLQuery, alias: String) -> SQLCondition {
        let column = SQLExpression.column(alias: alias, name: entity.table.entityNumber.name)
        let all = entity.root.numbers
        let wanted = query.includesSubentities ? entity.numbers : entity.number...entity.number
        if wanted == all { return .constant(true) }
        if wanted.count == 1 { return .comparison(column, .equal, .integer(Int64(wanted.lowerBound))) }
        return .member(column, wanted.map { .integer(Int64($0)) })
    }

    private static func columns(of query: SQLQuery, object: SQLPathObject) -> [SQLExpression] {
        let table = object.entity.table
        switch query.selection {
        case .count:
            return [object.key]
        case .identifiers:
            return [object.key, object.column(table.entityNumber)]
        case .columns(let columns):
            return ([table.primaryKey, table.entityNumber, table.version] + columns).map(object.column)
        }
    }

    private static func counting(_ select: SQLSelect) -> SQLSelect {
        var counting = select
        if select.limit > 0 || select.offset > 0 {
            counting = SQLSelect(source: .select(select, alias: "c"))
        }
        counting.columns = [.countRows]
        counting.isDistinct = false
        return counting
    }
}
