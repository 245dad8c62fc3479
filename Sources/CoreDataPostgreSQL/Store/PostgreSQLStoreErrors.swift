// SPDX-License-Identifier: Apache-2.0

/// Errors of a PostgreSQL store that the server doesn't report.
enum PostgreSQLStoreErrors {
    private static let fileReadCorrupt = 259

    /// Runs a block, and converts failures of the server into Core Data's errors.
    static func converting<Result>(
        _ url: URL, _ operation: PostgreSQLError.Operation, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let failure as PostgreSQLFailure {
            throw failure.storeError(url: url, operation: operation)
        } catch let damage as PostgreSQLDamage {
            throw damage.storeError(url)
        }
    }

    static func damaged(_ url: URL, _ finding: String) -> NSError {
        CoreDataErrors.error(
            fileReadCorrupt, "The store \u{201c}\(url.absoluteString)\u{201d} is damaged.", reason: finding,
            suggestion: "Restore it from a backup.", userInfo: [NSURLErrorKey: url])
    }

    /// The error of a store that is an incomplete copy of another store.
    static func incompleteCopy(_ url: URL) -> NSError {
        PostgreSQLError.opening(
            url,
            reason: """
                It is an incomplete copy of another store: the program that copies has not ended yet, or has ended too \
                early.
                """,
            suggestion: "Copy the store once more, which makes the copy anew, or destroy it.")
    }

    /// The error of a value that the server can't store.
    static func unstorable(_ slot: PropertySlot, _ reason: String) -> NSError {
        // A program can't change a derived attribute, only the attribute from which it is derived.
        let key = slot.derivation?.keyPaths.first ?? slot.keyPath
        return CoreDataErrors.error(
            NSPersistentStoreSaveError, "\(slot.entityName).\(key) can\u{2019}t be saved.", reason: reason,
            suggestion: "Change the value.",
            userInfo: ["entity": slot.entityName, NSValidationKeyErrorKey: key])
    }
}
