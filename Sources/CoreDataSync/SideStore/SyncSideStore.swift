// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The file of the side store.
package enum SyncSideStore {
    /// `Notes-sync.sqlite` beside `Notes.sqlite`, `Notes-sync.store` beside `Notes.store`.
    package static func url(of store: URL) -> URL {
        guard store.path != "/dev/null" else { return store }
        let (name, kind) = (store.deletingPathExtension().lastPathComponent, store.pathExtension)
        return store.deletingLastPathComponent()
            .appendingPathComponent("\(name)-sync" + (kind.isEmpty ? "" : ".\(kind)"))
    }

    /// Opens a side store, which is made if it is missing.
    ///
    /// - Throws: errors of the store.
    package static func open(at url: URL) throws -> NSPersistentStoreCoordinator {
        let side = NSPersistentStoreCoordinator(managedObjectModel: SyncSideModel.model)
        _ = try side.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
                NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
            ])
        return side
    }

    /// Opens a side store for reading. No file is made or changed.
    ///
    /// - Throws: ``SyncSideStoreError`` for a file that is missing or isn't a side store, and errors of the store.
    static func openForReading(at url: URL) throws -> NSPersistentStoreCoordinator {
        guard FileManager.default.fileExists(atPath: url.path) else { throw SyncSideStoreError.missing(url) }
        let side = NSPersistentStoreCoordinator(managedObjectModel: SyncSideModel.model)
        let options = [NSReadOnlyPersistentStoreOption: NSNumber(value: true)]
        do {
            _ = try side.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        } catch let error as CocoaError where error.errorCode == NSPersistentStoreIncompatibleVersionHashError {
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url, options: options)
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
            throw hashes["ReplicaState"] == nil ? SyncSideStoreError.noSideStore(url) : .otherVersion(url)
        } catch {
            throw SyncSideStoreError.unreadable(url, error)
        }
        return side
    }

    /// The author of the imports in the history of the app's store.
    static let importAuthor = "sync"
}

/// A reason for which a file can't be read as the side store of a store.
package enum SyncSideStoreError: Error, CustomStringConvertible {
    case missing(URL)
    /// The file is a store of another model.
    case noSideStore(URL)
    /// Another version of the library has made the side store.
    case otherVersion(URL)
    /// The side store belongs to another store, by its UUID.
    case otherStore(URL)
    case unreadable(URL, any Error)

    package var description: String {
        switch self {
        case .missing(let url):
            "The store doesn't sync yet: there is no side store \(url.path). SyncEngine makes it."
        case .noSideStore(let url): "\(url.path) is no side store, but a store with another model."
        case .otherVersion(let url):
            "\(url.path) is the side store of another version of CoreDataSync. A program that syncs with this version "
                + "migrates it, if it is older."
        case .otherStore(let url):
            "\(url.path) is the side store of another store: it has the UUID of that one. A store that was made anew "
                + "begins anew when a program syncs it."
        case .unreadable(let url, let error):
            "The side store \(url.path) can't be read: \(error.localizedDescription) If it is damaged, restore both "
                + "files from a backup, or delete the side store; the program then says by SyncEngine.begin(_:) what "
                + "becomes of the objects."
        }
    }
}

extension NSManagedObjectModel {
    /// The name of a configuration, if the model has it; nil otherwise: a store then has all entities.
    func configuration(named name: String?) -> String? { name.flatMap { configurations.contains($0) ? $0 : nil } }
}
