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
        if let known = knownStates[state] { return known }
        switch state {
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
        case PostgreSQLFailure.State.dependentObjects:
            // Only a migration drops anything while a store is opened.
            return (
                operation.isOpening ? NSMigrationError : NSPersistentStoreOperationError,
                "Drop the objects that depend on the store\u{2019}s first, or have their owner do it."
            )
        case _ where failure.isRefusedTrigger:
            return (
                operation.isOpening ? NSPersistentStoreOpenError : fileWriteUnknown,
                "Triggers maintain attributes derived over relationships. Citus has triggers only with "
                    + "citus.enable_unsafe_triggers = on, on the coordinator and its workers."
            )
        case _ where state.hasPrefix("28"):
            return (NSPersistentStoreOpenError, "Check the user and the password of the URL, and pg_hba.conf.")
        case PostgreSQLFailure.State.cannotConnect where operation.isOpening:
            return (
                NSPersistentStoreOpenError,
                "Check the host and the port of the URL. Over TCP the server\u{2019}s certificate is verified: "
                    + "the items sslrootcert and sslmode of the URL change how."
            )
        case _ where operation.isOpening: return (NSPersistentStoreOpenError, nil)
        default: return (operation == .reading ? fileReadUnknown : fileWriteUnknown, nil)
        }
    }

    /// The states that mean the same in each operation.
    private static let knownStates: [String: (Int, String?)] = {
        let incompatible: (Int, String?) = (
            NSPersistentStoreIncompatibleSchemaError,
            "The tables are not those of the model: restore them, or migrate the store."
        )
        let conflict: (Int, String?) = (
            NSPersistentStoreTimeoutError, "Another transaction changed the same rows: try again."
        )
        let damage: (Int, String?) = (fileReadCorrupt, "The database is damaged: restore it from a backup.")
        return [
            "3D000": (NSPersistentStoreOpenError, "Create the database, or correct its name in the URL."),
            PostgreSQLFailure.State.tooManyConnections: (
                NSPersistentStoreTimeoutError, "Lower the option pool_size of the programs, or raise max_connections."
            ),
            PostgreSQLFailure.State.lockNotAvailable: (
                NSPersistentStoreTimeoutError,
                "Another connection locks the rows: try again, or raise NSPersistentStoreTimeoutOption."
            ),
            "40001": conflict, "40P01": conflict,
            "53100": (fileWriteOutOfSpace, "Free space on the server\u{2019}s volume and try again."),
            "42P01": incompatible, "42703": incompatible, "42804": incompatible, "42883": incompatible,
            "3F000": incompatible,
            PostgreSQLFailure.State.uniqueViolation: (
                NSManagedObjectConstraintMergeError,
                "Set a merge policy on the context, or give the object unique values."
            ),
            // A fetch that the program cancels has another error.
            PostgreSQLFailure.State.queryCanceled: (
                NSPersistentStoreTimeoutError,
                "The server has ended the statement: raise its statement_timeout, or ask for less at a time."
            ),
            "XX001": damage, "XX002": damage,
        ]
    }()
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
