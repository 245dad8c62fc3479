// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// The report of the server or of the connection about a statement that failed.
struct PostgreSQLFailure: Error, Sendable {
    /// The five characters of the SQLSTATE. Failures that the server didn't report have one of the standard's class 08.
    var sqlState: String
    /// The server's message, in its language.
    var message: String
    var detail: String?
    var hint: String?
    var schema: String?
    var table: String?
    var column: String?
    var constraint: String?
    /// The text of the statement, without its values.
    var statement: String?
    /// Whether the connection can't be used any longer.
    var isConnectionLost: Bool

    init(sqlState: String, message: String, isConnectionLost: Bool = false, statement: String? = nil) {
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
    var isSerializationFailure: Bool { State.isSerializationFailure(sqlState) }

    /// Whether a table, a column or a type isn't as the statement has it.
    var concernsTables: Bool {
        [
            State.undefinedSchema, State.undefinedTable, State.undefinedColumn, State.undefinedFunction,
            State.featureNotSupported, "42804",
        ].contains(sqlState)
    }

    /// Whether the work can succeed when it is repeated.
    var isTransient: Bool { isSerializationFailure || isConnectionLost || concernsPreparedStatement }

    var isLockTimeout: Bool { sqlState == State.lockNotAvailable }

    var isUniqueViolation: Bool { sqlState == State.uniqueViolation }

    /// Whether a connection with this failure must not be used for other work: it is lost, or leads to a server that
    /// only reads or that shuts down.
    var spoilsConnection: Bool { isConnectionLost || sqlState == State.readOnlyTransaction }

    /// The codes that are asked for in this module.
    enum State {
        static let cannotConnect = "08001"
        static let connectionFailure = "08006"
        static let unknownOutcome = "08007"
        static let featureNotSupported = "0A000"
        static let uniqueViolation = "23505"
        static let outOfRange = "22003"
        static let undefinedFunction = "42883"
        static let undefinedSchema = "3F000"
        static let undefinedTable = "42P01"
        static let undefinedColumn = "42703"
        static let invalidParameter = "22023"
        static let dependentObjects = "2BP01"
        static let readOnlyTransaction = "25006"
        static let invalidStatementName = "26000"
        static let serializationFailure = "40001"
        static let deadlockDetected = "40P01"
        static let tooManyConnections = "53300"
        static let lockNotAvailable = "55P03"
        static let queryCanceled = "57014"
        static let systemError = "58000"
        static let invalidPassword = "28P01"

        /// A conflict with another transaction.
        static func isSerializationFailure(_ state: String) -> Bool {
            state == serializationFailure || state == deadlockDetected
        }

        /// Connection exceptions; shutdown by an administrator, after a crash, and while the server starts; the end of
        /// a session whose transaction was idle for too long.
        static func endsConnection(_ state: String) -> Bool {
            state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(state)
        }
    }
}
