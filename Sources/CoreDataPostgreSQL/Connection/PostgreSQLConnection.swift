// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// A connection to a server. One thread uses it at a time.
///
/// Statements are prepared at their first use, under names that the connection gives, and kept: see
/// `PostgreSQLStatementCache`.
final class PostgreSQLConnection: @unchecked Sendable {
    let location: PostgreSQLLocation
    /// The connection of libpq; nil when it is closed.
    var handle: OpaquePointer?
    let statements = PostgreSQLStatementCache()
    /// Whether the database is a cluster.
    var cluster = PostgreSQLCluster.none
    /// When the connection was made.
    let openedAt = ContinuousClock.now
    /// The server's process; nil if it isn't known.
    var serverProcess: Int32?
    /// Whether the connection itself asks about another connection, so that a silence of the server leads to no further
    /// question.
    var isQuestion = false
    /// Whether the server has said that it ends the connection.
    private var isTerminated = false
    /// The control that cancels the statements of the connection at present.
    var control: FetchControl?
    /// Cancels the statements of the connection; nil before the first that can be cancelled.
    var cancellation: StatementCancellation?
    /// Whether a cancellation was sent that may meet a later statement.
    var mayGetCancellation = false
    /// Whether the session may keep a lock that it should not have, so that it must not be used for other work.
    var mayKeepLock = false
    /// Gets each statement before it is sent, with its values if it has any.
    var log: ((String, [SQLValue]?) -> Void)?
    /// Gets the texts of the messages of the server that are no errors.
    var noticeHandler: ((String) -> Void)?
    /// How many times the connection has sent something and waited for the answer.
    var roundTripCount = 0 { didSet { statistics?.countStatements(roundTripCount - oldValue) } }
    /// Gets the number of round trips; nil if they aren't counted.
    var statistics: ConnectionStatistics?

    enum TransactionStatus: Sendable {
        case idle
        case active
        case inTransaction
        case failed
        case unknown
    }

    /// Connects to a server.
    ///
    /// - Throws: `PostgreSQLFailure`.
    convenience init(_ location: PostgreSQLLocation) throws { try self.init(location, interrupt: -1) }

    /// Connects to a server, until a descriptor becomes readable.
    init(_ location: PostgreSQLLocation, interrupt: Int32) throws {
        self.location = location
        let handle = try PostgreSQLConnector(location: location, interrupt: interrupt).connect()
        self.handle = handle
        // The receiver runs while the connection is used, so this object exists.
        PQsetNoticeReceiver(
            handle,
            { context, notice in
                guard let context else { return }
                Unmanaged<PostgreSQLConnection>.fromOpaque(context).takeUnretainedValue().receive(notice)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { close() }

    /// Before the server ends an idle connection, it sends a notice.
    private func receive(_ notice: OpaquePointer?) {
        func field(_ letter: Character) -> String? {
            PQresultErrorField(notice, Int32(letter.asciiValue ?? 0)).map { String(cString: $0) }
        }
        if let state = field("C"), PostgreSQLFailure.State.endsConnection(state) { isTerminated = true }
        if let noticeHandler, let message = field("M") { noticeHandler(message) }
    }

    func close() {
        guard let handle else { return }
        PQfinish(handle)
        self.handle = nil
    }

    /// Whether the connection isn't known to be broken or closed.
    var isUsable: Bool { handle.map { PQstatus($0) == CONNECTION_OK && !isTerminated } ?? false }

    var transactionStatus: TransactionStatus {
        guard let handle else { return .unknown }
        switch PQtransactionStatus(handle) {
        case PQTRANS_IDLE: return .idle
        case PQTRANS_ACTIVE: return .active
        case PQTRANS_INTRANS: return .inTransaction
        case PQTRANS_INERROR: return .failed
        default: return .unknown
        }
    }

    /// The version of the server as a number: 150004 is 15.4.
    var serverVersion: Int { Int(handle.map { PQserverVersion($0) } ?? 0) }

    /// The number of the server's process.
    var backendProcess: Int32 { handle.map { PQbackendPID($0) } ?? 0 }

    /// Executes a statement and gives all its rows.
    ///
    /// - Throws: `PostgreSQLFailure`.
    @discardableResult
    func execute(
        _ text: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()
    ) throws -> PostgreSQLResult {
        let handle = try openHandle(text)
        try check(parameters, text)
        log?(text, parameters.values)
        guard location.usesNamedStatements else {
            roundTripCount += 1
            let isSent = parameters.withArguments {
                PQsendQueryParams(handle, text, $0.count, $0.types, $0.values, $0.lengths, $0.formats, 1) != 0
            }
            return try complete(lastResult(handle, isSent: isSent), text)
        }
        return try withStatement(text, parameters) { name in
            roundTripCount += 1
            let isSent = parameters.withArguments {
                PQsendQueryPrepared(handle, name, $0.count, $0.values, $0.lengths, $0.formats, 1) != 0
            }
            return try complete(lastResult(handle, isSent: isSent), text)
        } unprepared: { key in
            try prepareAndExecute(key, parameters)
        }
    }

    /// Executes statements without parameters, separated by semicolons. Outside of a transaction block they are one
    /// transaction.
    ///
    /// - Throws: `PostgreSQLFailure`.
    func executeScript(_ text: String) throws { _ = try resultOfScript(text) }

    /// Executes such statements.
    ///
    /// - Returns: the result of the last one, whose values are texts.
    func resultOfScript(_ text: String) throws -> PostgreSQLResult {
        let handle = try openHandle(text)
        log?(text, nil)
        roundTripCount += 1
        return try complete(lastResult(handle, ofScript: text), text)
    }

    func begin() throws { try executeScript("BEGIN") }

    func commit() throws { try executeScript("COMMIT") }

    func rollback() throws { try executeScript("ROLLBACK") }

    /// Runs a body in a transaction: committed when the body returns, rolled back when it throws.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try begin()
        let result: Result
        do {
            result = try body()
        } catch {
            // The first error is the one to report. A connection that can't roll back is not used again.
            if isUsable { try? rollback() }
            throw error
        }
        try commit()
        return result
    }

    /// A name as an identifier in a statement, in quotation marks.
    static func quoted(_ identifier: String) -> String {
        "\"" + identifier.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}

extension PostgreSQLConnection {
    func openHandle(_ text: String?) throws -> OpaquePointer {
        guard let handle else {
            throw PostgreSQLFailure(
                sqlState: "08003", message: "The connection is closed", isConnectionLost: true, statement: text)
        }
        return handle
    }

    func check(_ parameters: PostgreSQLParameters, _ text: String) throws {
        guard parameters.count <= PostgreSQLParameters.maximumCount else {
            throw PostgreSQLFailure(
                sqlState: "54000",
                message: "The statement has \(parameters.count) parameters, more than the server takes",
                statement: text)
        }
        guard parameters.bytes.count <= PostgreSQLParameters.maximumSize else {
            throw PostgreSQLFailure(
                sqlState: "54000", message: "The values of the statement have more than 1 GB", statement: text)
        }
    }

    /// Takes the ownership of a result, and throws its failure.
    func complete(_ result: OpaquePointer?, _ text: String?) throws -> PostgreSQLResult {
        let status = PQresultStatus(result)
        if let result, status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY {
            return PostgreSQLResult(result)
        }
        defer { PQclear(result) }
        throw failure(result, text)
    }

    func failure(_ result: OpaquePointer?, _ text: String?) -> PostgreSQLFailure {
        guard let handle else {
            return PostgreSQLFailure(sqlState: "08003", message: "The connection is closed", isConnectionLost: true)
        }
        switch PQresultStatus(result) {
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            // The caller expects rows, and would not end the copying.
            close()
            return PostgreSQLFailure(
                sqlState: "08P01", message: "A COPY was executed as a statement", isConnectionLost: true,
                statement: text)
        default:
            var failure = PostgreSQLFailure(result: result, connection: handle, statement: text)
            if cluster == .citus { failure.removeShardNumbers() }
            return failure
        }
    }
}
