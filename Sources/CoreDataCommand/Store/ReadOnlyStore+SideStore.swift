// SPDX-License-Identifier: Apache-2.0

import CoreDataSync
import CoreDataSyncModel
import OpenCoreData

extension ReadOnlyStore {
    /// Opens the side store of the store for reading.
    ///
    /// - Throws: an error that says what to do.
    func sideStoreReader(at url: URL) throws -> SyncSideStoreReader {
        do {
            return try SyncSideStoreReader(at: url, of: coordinator)
        } catch let error as SyncSideStoreError {
            throw CommandError(error)
        } catch let error as SyncSchemaError {
            throw CommandError(error.description)
        }
    }
}

extension CommandError {
    /// The error of a side store, with what to do.
    init(_ error: SyncSideStoreError) {
        switch error {
        case .missing: self.init("\(error.description) If it has another name, give it by --side-store.")
        case .noSideStore, .otherStore:
            self.init("\(error.description) Give the side store of this store by --side-store.")
        case .otherVersion, .unreadable: self.init(error.description)
        }
    }
}
