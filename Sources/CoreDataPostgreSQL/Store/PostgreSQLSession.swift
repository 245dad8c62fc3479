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

    /// Whether the store still accepts a model.
    func accepts(model number: Int) throws -> Bool {
        try integer(Self.acceptance(ofModel: number, dialect)) == 1
    }

    /// A select of 1 if the store accepts a model, otherwise of 0.
    static func acceptance(ofModel number: Int, _ dialect: PostgreSQLDialect) -> String {
        "SELECT EXISTS(SELECT 1 FROM \(dialect.table("z_modelcache")) WHERE z_number = \(number))::integer"
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
