import CoreDataPredicates

/// How a store file is opened; from the options of a persistent store.
package struct SQLiteStoreOptions: Sendable {
    /// `NSReadOnlyPersistentStoreOption`: nothing is ever written.
    package var isReadOnly = false
    /// `NSPersistentStoreTimeoutOption`: seconds to wait for other connections' locks.
    package var timeout: Double = 240
    /// `NSSQLitePragmasOption`.
    package var pragmas: [String: String] = [:]
    /// `NSIgnorePersistentStoreVersioningOption`: opens whatever the hashes say, if the tables fit.
    package var ignoresVersioning = false
    /// `NSSQLiteAnalyzeOption`: gathers statistics for the query planner when opened.
    package var analyzes = false
    /// `NSSQLiteManualVacuumOption`: rebuilds the file without free pages when opened.
    package var vacuums = false

    package init() {}
}
