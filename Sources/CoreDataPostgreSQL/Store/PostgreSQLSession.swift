// SPDX-License-Identifier: Apache-2.0

/// A connection with the plans of the store's entities. Used by one thread at a time.
final class PostgreSQLSession: PostgreSQLPooledConnection {
    let connection: PostgreSQLConnection
    let plans: SQLPlans
    let translator: SQLQueryTranslator
    private let compiledQueries: SQLCompiledQueries
    /// For statements that are prefilters: see ``PostgreSQLDialect/isPrefilter``.
    private let prefilterTranslator: SQLQueryTranslator
    let dialect: PostgreSQLDialect
    /// The URL in errors.
    let url: URL
    var texts = PostgreSQLSaveTexts()
    /// The rows whose derived attributes triggers have changed since the transaction began.
    private(set) var derivedRows: [(entity: Int64, key: Int64)] = []

    init(
        _ connection: PostgreSQLConnection, schema: SQLSchema, layouts: ModelLayout, identity: StoreIdentity,
        location: PostgreSQLLocation, historyPositions: [Int: [String: Int]]
    ) {
        self.connection = connection
        url = location.publicURL
        dialect = PostgreSQLDialect(schema: location.schema, cluster: connection.cluster)
        plans = SQLPlans(
            schema: schema, layouts: layouts, dialect: dialect, location: location.publicURL.absoluteString,
            historyPositions: historyPositions)
        let references = SQLObjectReference.resolver(in: identity)
        translator = SQLQueryTranslator(schema: schema, dialect: dialect, references: references)
        compiledQueries = SQLCompiledQueries(translator)
        prefilterTranslator = SQLQueryTranslator(
            schema: schema,
            dialect: PostgreSQLDialect(schema: location.schema, cluster: connection.cluster, isPrefilter: true),
            references: references)
        connection.noticeHandler = { [weak self] message in
            if let rows = PostgreSQLDerivedRows.rows(in: message) { self?.derivedRows += rows }
        }
    }

    /// The run of the server in which the connection was made; nil if that isn't known. A cluster has several servers.
    private(set) lazy var serverRun: String? =
        dialect.cluster.isCluster ? nil : try? PostgreSQLServerRun.value(connection, dialect)

    /// In a cluster: see ``history(_:)``.
    var ownHistory: PostgreSQLHistoryTables?

    func forgetDerivedRows() { derivedRows = [] }

    // MARK: Statements

    func execute(_ text: String, _ values: [SQLValue] = []) throws -> PostgreSQLResult {
        try connection.execute(text, PostgreSQLParameters(values))
    }

    /// The rows of a select as they arrive.
    ///
    /// - Parameter expected: the greatest number of rows if it is known, 0 otherwise.
    func rows(_ statement: SQLStatement, expected: Int = 0) throws -> any PostgreSQLRowCursor {
        try connection.rows(
            ofSelect: statement.text, PostgreSQLParameters(statement.bindings), expected: expected)
    }

    func reader(_ plan: RowPlan) -> SQLRowReader<PostgreSQLRowSource> {
        SQLRowReader(plan: plan, source: PostgreSQLRowSource(url: url))
    }

    /// The only value of the only row of a statement; nil if there is none.
    func integer(_ text: String, _ values: [SQLValue] = []) throws -> Int64? {
        let result = try execute(text, values)
        guard result.rowCount > 0, !result[0].isNull(0) else { return nil }
        return result[0].int64(0)
    }

    /// Why an open store no longer accepts the saves of this program; nil if it accepts them.
    func refusal(of open: PostgreSQLDatabase.OpenStore) throws -> PostgreSQLDatabase.Closing? {
        if let opened = open.modelTableOID {
            guard let present = try Self.modelTableOID(connection, dialect) else { return .destroyed }
            if present != opened { return .replaced }
        }
        guard let acceptance = Self.acceptance(of: open, dialect) else { return nil }
        return try integer(acceptance) == 1 ? nil : .migrated
    }

    /// A select of 1 if the schema still has the store that was opened and this store accepts the model, or else of 0;
    /// nil if every store is accepted.
    static func acceptance(of open: PostgreSQLDatabase.OpenStore, _ dialect: PostgreSQLDialect) -> String? {
        let conditions =
            (open.modelNumber.map { ["z_number = \($0)"] } ?? [])
            + (open.modelTableOID.map { ["tableoid = \($0)"] } ?? [])
        guard !conditions.isEmpty else { return nil }
        return """
            SELECT EXISTS(SELECT 1 FROM \(dialect.table("z_modelcache")) \
            WHERE \(conditions.joined(separator: " AND ")))::integer
            """
    }

    /// The object identifier of the table of the models. If another store is made in the same schema later, its table
    /// has another identifier. Nil without such a table, and in a cluster, where each server gives its own identifier.
    static func modelTableOID(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws -> Int64? {
        guard !connection.cluster.isCluster else { return nil }
        let result = try connection.execute(
            "SELECT to_regclass($1)::oid::bigint",
            PostgreSQLParameters([.text(dialect.table("z_modelcache"))]))
        return result.rowCount > 0 && !result[0].isNull(0) ? result[0].int64(0) : nil
    }

    /// The statement of a query, and where the values of dictionaries are in its rows.
    ///
    /// - Parameter asPrefilter: whether the statement may find other rows, too.
    func statement(
        _ query: StoreQuery, selecting selection: SQLSelection, asPrefilter: Bool = false
    ) throws -> SQLStatement {
        _ = try plans.entity(query.layout)
        if asPrefilter { return try prefilterTranslator.statement(query, selecting: selection) }
        return try compiledQueries.statement(query, selecting: selection)
    }
}

extension PostgreSQLParameters {
    /// The values of a statement, each with its own type.
    init(_ values: [SQLValue]) {
        self.init()
        for value in values { append(statementValue: value) }
    }
}
