import CoreDataModel
import CoreDataPredicates

/// Turns fetch requests into statements.
///
/// The stages work on one tree of SQL nodes: source, restriction to the entity, qualifier, order, selection and limits.
/// The text is made last. Joins to to-one relationships keep every row and to-many ones are looked at in selects
/// inside, so that no row ever comes twice. A translator holds nothing that changes; make one for each store.
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
    /// - Throws: `NSCoreDataError` (134060), naming the part, for key paths that the entity hasn't and for what SQL
    ///   can't express: block predicates, comparator sorts, transient properties, functions that are code.
    package func statement(_ query: SQLQuery) throws -> SQLQueryPlan {
        guard let entity = schema.entity(for: query.entity) else {
            throw SQLQueryError.unknownEntity(query.entity.name ?? "")
        }
        let builder = SQLSelectBuilder(aliases: SQLAliases())
        let alias = builder.add(entity.tableName) {
            entity.restriction(includesSubentities: query.includesSubentities, alias: $0)
        }
        let object = SQLPathObject(row: alias, of: entity, in: builder)
        let qualifier = SQLQualifier(constants: constants, dialect: dialect)
        if let predicate = query.predicate {
            builder.filter(try qualifier.condition(predicate, in: SQLPredicateScope(object: object)))
        }
        switch query.selection {
        case .values(let projection), .valueCount(let projection):
            let stage = SQLProjectionStage(
                projection: projection, qualifier: qualifier, dialect: dialect, object: object, builder: builder)
            let (select, results) = try stage.select(of: query)
            guard case .values = query.selection else {
                return try SQLGenerator.plan(
                    Self.counting(select, isWhole: projection.isAggregated || query.distinct), dialect: dialect)
            }
            var plan = try SQLGenerator.plan(select, dialect: dialect)
            plan.results = results
            return plan
        default: break
        }
        var ordering: [SQLOrderTerm] = []
        if case .count = query.selection {
        } else {
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

    private static func columns(of query: SQLQuery, object: SQLPathObject) -> [SQLExpression] {
        let table = object.entity.table
        switch query.selection {
        case .count, .values, .valueCount:
            return [object.key]
        case .identifiers:
            return [object.key, object.column(table.entityNumber)]
        case .columns(let columns):
            return ([table.primaryKey, table.entityNumber, table.version] + columns).map(object.column)
        }
    }

    /// - Parameter isWhole: whether the rows of the select aren't those of its tables.
    private static func counting(_ select: SQLSelect, isWhole: Bool = false) -> SQLSelect {
        var counting = select
        if select.limit > 0 || select.offset > 0 || isWhole {
            counting = SQLSelect(source: .select(select, alias: "c"))
        }
        counting.columns = [.countRows]
        counting.isDistinct = false
        counting.ordering = []
        return counting
    }
}
