// SPDX-License-Identifier: Apache-2.0

/// Converts failures of the server and the connection into Core Data's errors.
///
/// Every error is in `NSCocoaErrorDomain` with Apple's code, names the store under `NSURLErrorKey`, without a password,
/// and has the server's report under the keys of this type.
enum PostgreSQLError {
    /// The SQLSTATE.
    static let stateKey = serverStateErrorKey
    static let detailKey = "NSPostgreSQLDetail"
    static let hintKey = "NSPostgreSQLHint"
    static let tableKey = "NSPostgreSQLTable"
    static let columnKey = "NSPostgreSQLColumn"
    static let constraintKey = "NSPostgreSQLConstraint"
    /// The text of the statement, without its values.
    static let statementKey = "NSPostgreSQLStatement"

    /// The work of a store in which a statement failed. The codes of some errors depend on it.
    enum Operation: Sendable {
        case opening
        /// Opening a read-only store, or reading the metadata of a closed store.
        case openingForReading
        case reading
        case writing

        var isOpening: Bool { self == .opening || self == .openingForReading }
        var onlyReads: Bool { self == .reading || self == .openingForReading }
    }

    private static let fileReadUnknown = 256
    private static let fileReadNoPermission = 257
    private static let fileReadCorrupt = 259
    private static let fileWriteUnknown = 512
    private static let fileWriteNoPermission = 513
    private static let fileWriteOutOfSpace = 640

    /// An error about a store that can't be opened.
    ///
    /// - Parameters:
    ///   - url: the URL of the store, without a password.
    ///   - reason: one sentence.
    ///   - suggestion: how to recover.
    static func opening(_ url: URL?, reason: String, suggestion: String? = nil) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreOpenError, "The store\(quoted(url)) couldn\u{2019}t be opened.", reason: reason,
            suggestion: suggestion, userInfo: url.map { [NSURLErrorKey: $0] } ?? [:])
    }

    /// An error about a pool without a free connection.
    static func poolTimeout(_ url: URL, maximum: Int, timeout: TimeInterval) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreTimeoutError, "The store\(quoted(url)) couldn\u{2019}t be used.",
            reason: "All \(maximum) connections to the server were in use for \(timeout.formatted()) seconds.",
            suggestion: "Raise the option pool_size, or use fewer threads at a time.", userInfo: [NSURLErrorKey: url])
    }

    /// An error about a pool that was closed.
    static func poolClosed(_ url: URL) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreOperationError, "The store\(quoted(url)) couldn\u{2019}t be used.",
            reason: "The store was removed from its coordinator.", userInfo: [NSURLErrorKey: url])
    }

    static func error(for failure: PostgreSQLFailure, url: URL, operation: Operation) -> NSError {
        let (code, suggestion) = codeAndSuggestion(for: failure, operation: operation)
        var info: [String: Any] = [NSURLErrorKey: url, stateKey: failure.sqlState]
        info[detailKey] = failure.detail
        info[hintKey] = failure.hint
        info[tableKey] = failure.table
        info[columnKey] = failure.column
        info[constraintKey] = failure.constraint
        info[statementKey] = failure.statement
        let verb = operation.isOpening ? "opened" : operation == .reading ? "read" : "written"
        let message = failure.message.hasSuffix(".") ? String(failure.message.dropLast()) : failure.message
        let place = [failure.table.map { "table \($0)" }, failure.column.map { "column \($0)" }].compactMap { $0 }
        // The server names what depends on an object in the detail alone.
        let isDependency = failure.sqlState == PostgreSQLFailure.State.dependentObjects
        let detail = isDependency ? failure.detail.map { ": \($0)" } ?? "" : ""
        let reason =
            message + (place.isEmpty ? "" : " (\(place.joined(separator: ", ")))")
            + " (SQLSTATE \(failure.sqlState))\(detail)."
        return CoreDataErrors.error(
            code, "The store\(quoted(url)) couldn\u{2019}t be \(verb).", reason: reason,
            suggestion: suggestion ?? failure.hint, userInfo: info)
    }

    /// Whether an error comes from a conflict with another transaction, so that the transaction can succeed when it is
    /// repeated.
    static func isSerializationFailure(_ error: NSError) -> Bool {
        (error.userInfo[stateKey] as? String).map { PostgreSQLFailure.State.isSerializationFailure($0) } ?? false
    }

    private static func quoted(_ url: URL?) -> String { url.map { " \u{201c}\($0.absoluteString)\u{201d}" } ?? "" }

    private static func codeAndSuggestion(for failure: PostgreSQLFailure, operation: Operation) -> (Int, String?) {
        let state = failure.sqlState
        switch state {
        case "3D000": return (NSPersistentStoreOpenError, "Create the database, or correct its name in the URL.")
        case "42501":
            return (
                operation.onlyReads ? fileReadNoPermission : fileWriteNoPermission,
                "Grant the user of the URL the rights to the schema and its tables."
            )
        case "25006":
            return (
                operation.onlyReads ? fileReadNoPermission : fileWriteNoPermission,
                "Connect to the primary server, or add the store with NSReadOnlyPersistentStoreOption."
            )
        case PostgreSQLFailure.State.tooManyConnections:
            return (
                NSPersistentStoreTimeoutError, "Lower the option pool_size of the programs, or raise max_connections."
            )
        case PostgreSQLFailure.State.lockNotAvailable:
            return (
                NSPersistentStoreTimeoutError,
                "Another connection locks the rows: try again, or raise NSPersistentStoreTimeoutOption."
            )
        case "40001", "40P01":
            return (NSPersistentStoreTimeoutError, "Another transaction changed the same rows: try again.")
        case "53100":
            return (fileWriteOutOfSpace, "Free space on the server\u{2019}s volume and try again.")
        case "42P01", "42703", "42804", "42883", "3F000":
            return (
                NSPersistentStoreIncompatibleSchemaError,
                "The tables are not those of the model: restore them, or migrate the store."
            )
        case PostgreSQLFailure.State.dependentObjects:
            // Only a migration drops anything while a store is opened.
            return (
                operation.isOpening ? NSMigrationError : NSPersistentStoreOperationError,
                "Drop the objects that depend on the store\u{2019}s first, or have their owner do it."
            )
        case PostgreSQLFailure.State.uniqueViolation:
            return (
                NSManagedObjectConstraintMergeError,
                "Set a merge policy on the context, or give the object unique values."
            )
        case PostgreSQLFailure.State.queryCanceled:
            // A fetch that the program cancels has another error.
            return (
                NSPersistentStoreTimeoutError,
                "The server has ended the statement: raise its statement_timeout, or ask for less at a time."
            )
        case _ where failure.isRefusedTrigger:
            return (
                operation.isOpening ? NSPersistentStoreOpenError : fileWriteUnknown,
                "Triggers maintain attributes derived over relationships. Citus has triggers only with "
                    + "citus.enable_unsafe_triggers = on, on the coordinator and its workers."
            )
        case "XX001", "XX002": return (fileReadCorrupt, "The database is damaged: restore it from a backup.")
        default: break
        }
        if state.hasPrefix("28") {
            return (NSPersistentStoreOpenError, "Check the user and the password of the URL, and pg_hba.conf.")
        }
        if state == PostgreSQLFailure.State.cannotConnect, operation.isOpening {
            return (
                NSPersistentStoreOpenError,
                "Check the host and the port of the URL. Over TCP the server\u{2019}s certificate is verified: "
                    + "the items sslrootcert and sslmode of the URL change how."
            )
        }
        if operation.isOpening { return (NSPersistentStoreOpenError, nil) }
        return (operation == .reading ? fileReadUnknown : fileWriteUnknown, nil)
    }
}

extension PostgreSQLFailure {
    /// The error in `NSCocoaErrorDomain` that a store throws.
    ///
    /// - Parameters:
    ///   - url: the URL of the store, without a password.
    ///   - operation: the work of the store.
    func storeError(url: URL, operation: PostgreSQLError.Operation) -> NSError {
        PostgreSQLError.error(for: self, url: url, operation: operation)
    }
}
