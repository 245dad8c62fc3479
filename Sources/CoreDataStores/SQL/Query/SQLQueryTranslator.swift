// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Translates queries into statements.
///
/// The stages work on one tree of SQL nodes: source, restriction to the entity, qualifier, ordering, selection and
/// limits. The generator writes the text last. Joins to to-one relationships preserve every row, and to-many
/// relationships are tested in inner selects, so a row is never returned twice. A translator has no mutable state: make
/// one for each store.
package struct SQLQueryTranslator {
    let schema: SQLSchema
    let dialect: any SQLDialect
    let constants: SQLConstants

    /// - Parameters:
    ///   - schema: the tables of the store.
    ///   - dialect: the SQL of the store's engine.
    ///   - references: resolves the object IDs in predicates.
    package init(
        schema: SQLSchema, dialect: any SQLDialect, references: @escaping SQLObjectReference.Resolver
    ) {
        self.schema = schema
        self.dialect = dialect
        constants = SQLConstants(schema: schema, references: references)
    }

    /// The statement for a query.
    ///
    /// - Parameters:
    ///   - query: the query. The store must have its entity.
    ///   - selection: the contents of a row.
    ///   - isCompiled: whether the limit and the offset are parameters, so that the statement serves other queries.
    /// - Throws: `NSCoreDataError` (134060), naming the part, for key paths that the entity doesn't have and for parts
    ///   that SQL can't express: block predicates, comparator sorts, transient properties, functions in code.
    package func statement(
        _ query: StoreQuery, selecting selection: SQLSelection = .identifiers, isCompiled: Bool = false
    ) throws -> SQLStatement {
        guard let entity = schema.entity(for: query.layout.entity) else {
            throw SQLQueryError.unknownEntity(query.layout.name)
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
        switch selection {
        case .values(let projection):
            let stage = SQLProjectionStage(projection, qualifier: qualifier, object: object, builder: builder)
            let (select, results) = try stage.select(of: query)
            var statement = try SQLGenerator.statement(select, dialect: dialect)
            statement.results = results
            return statement
        case .valueCount(let projection):
            let stage = SQLProjectionStage(projection, qualifier: qualifier, object: object, builder: builder)
            let (select, _) = try stage.select(of: query)
            let isDerived = projection.isAggregated || query.returnsDistinctResults
            return try SQLGenerator.statement(Self.counting(select, isDerived: isDerived), dialect: dialect)
        case .count:
            let select = limited(builder.select([object.key]), query, isCompiled)
            return try SQLGenerator.statement(Self.counting(select), dialect: dialect)
        case .columns, .identifiers:
            let ordering = try SQLOrdering(dialect: dialect).terms(query.sortDescriptors, from: object)
            var select = limited(builder.select(Self.columns(selection, of: object)), query, isCompiled)
            select.ordering = ordering
            return try SQLGenerator.statement(select, dialect: dialect)
        }
    }

    // MARK: Stages

    /// Adds the limits of a query. A row of objects includes its key, so that DISTINCT would have no effect.
    private func limited(_ select: SQLSelect, _ query: StoreQuery, _ isCompiled: Bool) -> SQLSelect {
        var select = select
        select.limit(to: query)
        if isCompiled {
            select.limit = select.limit.map { .parameter(.limit, $0) }
            select.offset = select.offset.map { .parameter(.offset, $0) }
        }
        return select
    }

    private static func columns(_ selection: SQLSelection, of object: SQLPathObject) -> [SQLExpression] {
        let table = object.entity.table
        guard case .columns(let columns) = selection else {
            return [object.key, object.column(table.entityNumber)]
        }
        return (table.headerColumns + columns).map(object.column)
    }

    /// A select of the number of rows.
    ///
    /// - Parameter isDerived: whether the rows are groups or distinct rows instead of rows of the table.
    private static func counting(_ select: SQLSelect, isDerived: Bool = false) -> SQLSelect {
        var counting = select
        if select.limit != nil || select.offset != nil || isDerived {
            counting = SQLSelect(source: .select(select, alias: "c"))
        }
        counting.columns = [.countRows]
        counting.isDistinct = false
        counting.ordering = []
        return counting
    }
}
