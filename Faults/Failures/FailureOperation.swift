import OpenCoreData

/// Work that a loop over failures repeats.
protocol FailureOperation {
    var name: String { get }
    var opensAtEnd: Bool { get }
    var leavesFormerFiles: Bool { get }

    /// Makes the files that the operation finds.
    func make(_ folder: URL) throws

    /// Does the work. The part of it in which a call may fail runs within the window.
    func run(_ folder: URL, _ window: FaultWindow) throws

    /// Checks that the files are wholly as before the operation, or wholly as after it.
    ///
    /// - Parameter allowsRemainders: whether files may be left that nothing refers to: they couldn't be removed.
    /// - Returns: whether they are as after it.
    func check(_ folder: URL, allowsRemainders: Bool) throws -> Bool
}

extension FailureOperation {
    /// Whether the operation opens a store that it has changed: if that fails, the store stays as it is now.
    var opensAtEnd: Bool { false }
    /// Whether files of external data of a replaced store may stay: to find out that no row names them can fail, too.
    var leavesFormerFiles: Bool { false }
}

/// All operations, in the order of the table.
enum FailureOperations {
    static let all: [any FailureOperation] = [
        SaveOperation(name: "save", storeType: NSSQLiteStoreType),
        SaveOperation(name: "open-save", storeType: NSSQLiteStoreType, opensWithin: true),
        SaveOperation(name: "binary-save", storeType: NSBinaryStoreType),
        SaveOperation(name: "xml-save", storeType: NSXMLStoreType),
        SeveralStoresOperation(),
        BatchOperation(name: "batch-insert", kind: .insert), BatchOperation(name: "batch-update", kind: .update),
        BatchOperation(name: "batch-delete", kind: .delete),
        MigrationOperation(
            name: "lightweight", migrated: MigratedStore(storeType: NSSQLiteStoreType, hasMapping: false)),
        MigrationOperation(name: "mapped", migrated: MigratedStore(storeType: NSSQLiteStoreType, hasMapping: true)),
        MigrationOperation(
            name: "xml-migration", migrated: MigratedStore(storeType: NSXMLStoreType, hasMapping: false)),
        StagedOperation(), PlanOperation(),
        CopyOperation(name: "migrate-store", kind: .migrate(NSSQLiteStoreType)),
        CopyOperation(name: "migrate-to-xml", kind: .migrate(NSXMLStoreType)),
        CopyOperation(name: "backup", kind: .backup), CopyOperation(name: "replace-store", kind: .replace),
        ImportOperation(),
    ]
}
