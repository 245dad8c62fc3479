internal import CLibPQ

/// The report of the server or of the connection about a statement that failed.
package struct PostgreSQLFailure: Error, Sendable {
    /// The five characters of the SQLSTATE. Failures that the server didn't report have one of the standard's class 08.
    package var sqlState: String
    /// The server's message, in its language.
    package var message: String
    package var detail: String?
    package var hint: String?
    package var schema: String?
    package var table: String?
    package var column: String?
    package var constraint: String?
    /// The text of the statement, without its values.
    package var statement: String?
    /// Whether the connection can't be used any longer.
    package var isConnectionLost: Bool

    package init(sqlState: String, message: String, isConnectionLost: Bool = false, statement: String? = nil) {
        self.sqlState = sqlState
        self.message = message
        self.isConnectionLost = isConnectionLost || State.endsConnection(sqlState)
        self.statement = statement
    }

    /// Reads a result of libpq.
    ///
    /// - Parameters:
    ///   - result: the result, or nil if libpq couldn't make one.
    ///   - connection: its connection.
    ///   - statement: the text of the statement.
    init(result: OpaquePointer?, connection: OpaquePointer, statement: String?) {
        let isBroken = PQstatus(connection) != CONNECTION_OK
        func field(_ letter: Character) -> String? {
            PQresultErrorField(result, Int32(letter.asciiValue!)).map { String(cString: $0) }
        }
        var message = field("M") ?? String(cString: PQresultErrorMessage(result))
        if message.isEmpty { message = String(cString: PQerrorMessage(connection)) }
        message = message.trimmingCharacters(in: .whitespacesAndNewlines)
        self.init(
            sqlState: field("C") ?? (isBroken ? State.connectionFailure : State.systemError),
            message: message.isEmpty ? "The connection to the server was lost" : message, isConnectionLost: isBroken,
            statement: statement)
        detail = field("D")
        hint = field("H")
        schema = field("s")
        table = field("t")
        column = field("c")
        constraint = field("n")
    }

    /// Whether the transaction can succeed when it is repeated: it was in conflict with another one.
    package var isSerializationFailure: Bool {
        sqlState == State.serializationFailure || sqlState == State.deadlockDetected
    }

    /// Whether a table, a column or a type isn't as the statement has it.
    package var concernsTables: Bool {
        [State.undefinedTable, State.undefinedColumn, State.featureNotSupported, "42804", "42883"].contains(sqlState)
    }

    package var isLockTimeout: Bool { sqlState == State.lockNotAvailable }

    package var isUniqueViolation: Bool { sqlState == State.uniqueViolation }

    /// Whether a connection with this failure must not be used for other work: it is lost, or leads to a server that
    /// only reads or that shuts down.
    package var spoilsConnection: Bool { isConnectionLost || sqlState == State.readOnlyTransaction }

    /// The codes that are asked for in this module.
    package enum State {
        package static let cannotConnect = "08001"
        package static let connectionFailure = "08006"
        package static let featureNotSupported = "0A000"
        package static let uniqueViolation = "23505"
        package static let undefinedTable = "42P01"
        package static let undefinedColumn = "42703"
        package static let invalidParameter = "22023"
        package static let readOnlyTransaction = "25006"
        package static let invalidStatementName = "26000"
        package static let serializationFailure = "40001"
        package static let deadlockDetected = "40P01"
        package static let tooManyConnections = "53300"
        package static let lockNotAvailable = "55P03"
        package static let queryCanceled = "57014"
        package static let systemError = "58000"
        package static let invalidPassword = "28P01"

        /// Connection exceptions; shutdown by an administrator, after a crash, and while the server starts.
        static func endsConnection(_ state: String) -> Bool {
            state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05"].contains(state)
        }
    }
}
