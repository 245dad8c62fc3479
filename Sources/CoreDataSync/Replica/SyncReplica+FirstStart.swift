// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// A reason for which a replica stops until the program decides.
package enum SyncReplicaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The token of the program belongs to another account than the store.
    case accountChanged
    /// The store has objects, and the replica doesn't know them. The program says what becomes of them.
    case needsFirstStart
    /// One of the app's store and the side store was set back, or is another one. The program says what becomes of the
    /// objects.
    case storesDiffer
    /// Another process syncs the store.
    case otherProcess
    /// The side store belongs to another store, with this file, too.
    case sharedSideStore(String)
    /// A change can't be made again.
    case unrepeatable(String)
    /// Objects can't get the names of their CloudKit records as identities.
    case unadoptable(String)

    package var description: String {
        switch self {
        case .accountChanged: "The token belongs to another account than the store."
        case .needsFirstStart:
            "The store has objects that don't sync yet. Say what becomes of them: upload, replaceLocal or match."
        case .storesDiffer:
            "The store and its side store don't belong together: one of them was restored, or a mapping model has "
                + "copied objects without an identifying value. Say what becomes of the objects: upload, "
                + "replaceLocal or match."
        case .otherProcess: "Another process that has the store open syncs it."
        case .sharedSideStore(let file):
            "The side store belongs to the store \(file), too. Give each store another one by "
                + "SyncEngine.Configuration.sideStoreURL, or none: the default differs for each store of a folder."
        case .unrepeatable(let text), .unadoptable(let text): text
        }
    }
}

extension SyncReplica {
    /// Begins to sync a store that has objects, with a new name and a new side store.
    ///
    /// - Throws: errors of the stores.
    package func begin(_ choice: SyncFirstStart) throws {
        try onQueue {
            do {
                try forgetAll()
                let state = try state()
                try begin(state, after: newestToken)
                switch choice {
                case .upload:
                    try loadRecorded()
                    try noteAll()
                    try deleteRecorded()
                case .replaceLocal, .match: state.firstStart = choice
                }
                try side.save()
            } catch {
                side.rollback()
                throw error
            }
        }
    }

    /// Empties the side store, but for the names that wait for the first start. The replica gets another name.
    private func forgetAll() throws {
        for entity in Self.sideModel.entities where entity.name != SyncSideModel.recordedName {
            for row in try side.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")) {
                side.delete(row)
            }
        }
        try side.save()
        forgetState()
        (askedBlobs, neededBlobs, missedBlobs) = (nil, [], [:])
    }

    /// - Parameter token: the newest transaction before the replica has looked at the objects: later ones are drained.
    private func begin(_ state: SyncReplicaState, after token: NSPersistentHistoryToken?) throws {
        state.isBegun = true
        (state.store, state.storeFile) = (storeIdentifier, storeFile?.lastPathComponent)
        note(schema, state)
        state.token = token
        seenToken = token
    }

    private var newestToken: NSPersistentHistoryToken? { coordinator.currentPersistentHistoryToken(fromStores: stores) }

    /// Begins to sync a store that has no objects yet.
    func beginEmpty() throws {
        let token = newestToken
        for entity in schema.concreteEntities {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.modelName)
            request.includesSubentities = false
            guard try app.count(for: request) == 0 else { throw SyncReplicaError.needsFirstStart }
        }
        try begin(state(), after: token)
        try side.save()
    }

    /// Compares the app's store with the transaction that the replica has seen last.
    ///
    /// - Throws: ``SyncReplicaError/storesDiffer`` if another store is in its place.
    func checkStore() throws {
        let state = try state()
        guard state.isBegun, try !state.isOfHistory(in: app, stores, version: schema.version) else { return }
        throw SyncReplicaError.storesDiffer
    }

    /// Begins anew if the program has destroyed the store, and made another one in its place.
    ///
    /// - Throws: ``SyncReplicaError/sharedSideStore(_:)`` if the former store is still there.
    func forgetFormerStore() throws {
        let state = try state()
        guard state.isBegun, let identifier = storeIdentifier else { return }
        let isMigrated = state.isPrepared && state.model != schema.version
        if state.store == nil || state.store == identifier || isMigrated {
            // A file may get another name, and a copy that a mapping model makes another UUID.
            guard state.store != identifier || state.storeFile != storeFile?.lastPathComponent else { return }
            (state.store, state.storeFile) = (identifier, storeFile?.lastPathComponent)
            try side.save()
        } else {
            try checkOwner(state)
            let (owner, until) = (state.owner, state.ownedUntil)
            try forgetAll()
            let state = try self.state()
            (state.owner, state.ownedUntil) = (owner, until)
            try side.save()
        }
    }

    private var storeIdentifier: String? { (stores ?? coordinator.persistentStores).first?.identifier }

    /// The file of the app's store; nil for a store without a file.
    private var storeFile: URL? {
        guard let url = (stores ?? coordinator.persistentStores).first?.url, url.isFileURL, url.path != "/dev/null"
        else { return nil }
        return url
    }

    /// Checks that the side store belongs to no other store.
    ///
    /// - Throws: ``SyncReplicaError/sharedSideStore(_:)``, and errors of the side store.
    func checkSideStore() throws {
        try onQueue {
            let request = NSFetchRequest<SyncReplicaState>(entityName: "ReplicaState")
            if let state = try side.fetch(request).first { try checkOwner(state) }
        }
    }

    private func checkOwner(_ state: SyncReplicaState) throws {
        guard let owner = state.store, let identifier = storeIdentifier, owner != identifier,
            let name = state.storeFile,
            let storeFile, name != storeFile.lastPathComponent
        else { return }
        let other = storeFile.deletingLastPathComponent().appendingPathComponent(name)
        guard !FileManager.default.fileExists(atPath: other.path) else {
            throw SyncReplicaError.sharedSideStore(name)
        }
    }
}
