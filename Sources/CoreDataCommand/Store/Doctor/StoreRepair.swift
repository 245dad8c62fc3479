// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// Writes a copy of a SQLite store, with CloudKit's mirror mended: the whole copy, or nothing.
struct StoreRepair {
    struct Result: Encodable {
        let copy: String
        /// The number of rows and tables that were removed or changed.
        let changed: Int
    }

    private let source: StoreLocation
    private let destination: CopyDestination

    /// Checks that the store can be copied there.
    ///
    /// - Parameter replaces: whether an existing store is replaced.
    init(of source: StoreLocation, to file: FilePath, replaces: Bool) throws {
        self.source = source
        destination = CopyDestination(url: URL(fileURLWithPath: file.text), text: file.text)
        if source.isOnServer || StoreLocation(file.text).isOnServer {
            throw CommandError("--repair mends files of SQLite stores, and \(source.text) or the copy is on a server.")
        }
        if let kind = StoreFile.kindWithoutModel(try StoreFile.type(of: source.url)) {
            throw CommandError("--repair mends SQLite stores, and \(source.text) is \(kind).")
        }
        try destination.check(source: source.url, replaces: replaces)
    }

    /// Copies and mends.
    ///
    /// - Parameter model: the model that made the store; nil if it isn't known.
    func run(model: NSManagedObjectModel?) throws -> Result {
        try StandardStreams.removeUnfinishedFilesAtEnd()
        let url = destination.url
        var changed = 0
        try MigrationLock.withLock(at: url, timeout: MigrationLock.defaultTimeout) {
            try StoreReplacement(at: url, type: .sqlite).runAnew { copy in
                // Copying a file needs no model.
                try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
                    .replacePersistentStore(at: copy, withPersistentStoreFrom: source.url, type: .sqlite)
                changed = try SQLiteCloudKitRepair.run(at: copy.path, model: model)
            }
        }
        return Result(copy: destination.text, changed: changed)
    }
}
