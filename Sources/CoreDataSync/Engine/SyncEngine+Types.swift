// SPDX-License-Identifier: Apache-2.0

import CoreData

extension SyncEngine {
    /// How an engine works.
    public struct Configuration: Sendable {
        /// The file of the side store, in which the engine keeps what it knows of the server; nil for a file beside the
        /// app's store, with `-sync` before the extension: `Notes-sync.sqlite` for `Notes.sqlite`. It is data: back it
        /// up with the app's store. No two stores have one side store.
        public var sideStoreURL: URL?
        /// The seconds after which the engine asks for changes without having heard of any: 1 at least.
        public var pollingInterval = 60.0
        /// The most seconds between two tries while the server can't be reached.
        public var longestDelay = 300.0

        /// Called at the beginning and at the end of each part of an exchange that moves changes, or that fails.
        package var report: @Sendable (Work) -> Void = { _ in }

        /// Makes a configuration with the values above.
        public init() {}

        /// The configuration with values that the engine can have.
        var bounded: Configuration {
            var copy = self
            copy.pollingInterval = Self.bounded(pollingInterval)
            copy.longestDelay = Self.bounded(longestDelay)
            return copy
        }

        private static func bounded(_ seconds: Double) -> Double { seconds.isNaN ? 60 : min(max(seconds, 1), 86_400) }
    }

    /// The present work of an engine, and its state.
    public struct Status: Hashable, Sendable {
        /// The kinds of work.
        public enum Phase: Hashable, Sendable {
            /// It wasn't started, or was stopped.
            case stopped
            /// It exchanges changes with the server.
            case syncing
            /// Everything is exchanged. It waits for saves of the program and for news of the server.
            case idle
            /// The server can't be reached, or doesn't answer. It tries again.
            case waiting
            /// Another process that has the store open syncs it. This one syncs when that one ends.
            case otherProcess
            /// It has stopped by itself: ``Status/failure`` says why.
            case failed
        }

        /// The present work.
        public internal(set) var phase = Phase.stopped
        /// Whether the server has answered the last request.
        public internal(set) var isConnected = false
        /// The number of objects with changes that the server doesn't have yet.
        public internal(set) var pendingCount = 0
        /// The number of changes that the server has refused, or that came too late: see ``SyncEngine/problems()``.
        public internal(set) var problemCount = 0
        /// When everything was exchanged last.
        public internal(set) var lastSynced: Date?
        /// The reason for the phases `waiting` and `failed`.
        public internal(set) var failure: String?

        /// Makes the status of an engine that wasn't started, for views that show one later.
        public init() {}
    }

    /// News of an engine.
    public enum Event: Hashable, Sendable {
        /// The status has changed.
        case status(Status)
        /// Changes of the server are in the app's store.
        case imported
        /// Changes that the server refused, or that came too late, are among the ``SyncEngine/problems()``.
        case problems
        /// The program has deleted history that the engine hadn't seen. The engine has compared all objects.
        case historyDeleted
        /// The server was restored from a backup. The engine compares the store with it.
        case serverRestored
        /// The store is a copy of one that syncs, or was copied. Each goes on by itself.
        case copied
        /// The program has saved a second object with the identifying value of another one. It doesn't travel.
        case sameIdentity(object: UUID)
        /// A class of the app, in `willSave()` or a setter, has changed what an import has set, and insists on it.
        case importChanged(object: UUID, property: String)
    }
}

/// A reason for which an engine can't be made, or stops until the program decides.
public enum SyncEngineError: Error, Hashable, Sendable, LocalizedError {
    /// The container has no loaded store.
    case noStore
    /// The store has no persistent history.
    case noHistory(URL?)
    /// Another store of the coordinator may have objects of the store's entities.
    case sharedEntities(URL?)
    /// The side store belongs to another store, too: the one with the file of this name.
    case sharedSideStore(String)
    /// The token belongs to another account than the store.
    case accountChanged
    /// The store has objects that don't sync yet: say what becomes of them by ``SyncEngine/begin(_:)``.
    case needsFirstStart
    /// The store and its side store don't belong together, since one of them was restored: say what becomes of the
    /// objects by ``SyncEngine/begin(_:)``.
    case storesDiffer
    /// The server doesn't accept the token.
    case unauthorized
    /// Another process that has the store open syncs it.
    case otherProcess
    /// The engine was stopped.
    case stopped
    /// The server doesn't do what the engine asks. The text says why; the engine keeps all changes.
    case refused(String)
    /// Objects can't get the names of their CloudKit records as identities: see ``SyncEngine/adopt(recordNames:)``.
    case unadoptable(String)

    /// The reason, and what to do.
    public var errorDescription: String? {
        switch self {
        case .noStore: "The container has no store that syncs: load its stores before the engine is made."
        case .noHistory(let url):
            """
            The store \(url?.lastPathComponent ?? "") has no persistent history: set NSPersistentHistoryTrackingKey of \
            its description before it is loaded.
            """
        case .sharedEntities(let url):
            """
            The store \(url?.lastPathComponent ?? "") shares entities with another store of the coordinator: give each \
            of them a configuration of the model that has entities of its own.
            """
        case .sharedSideStore(let file): SyncReplicaError.sharedSideStore(file).description
        case .accountChanged: SyncReplicaError.accountChanged.description
        case .needsFirstStart: SyncReplicaError.needsFirstStart.description
        case .storesDiffer: SyncReplicaError.storesDiffer.description
        case .unauthorized: "The server doesn't accept the token."
        case .otherProcess: SyncReplicaError.otherProcess.description
        case .stopped: "The engine was stopped."
        case .refused(let text), .unadoptable(let text): text
        }
    }

    /// Whether an engine stops by itself, until the program does something.
    var endsWork: Bool {
        switch self {
        case .accountChanged, .needsFirstStart, .storesDiffer, .sharedSideStore, .noStore: true
        default: false
        }
    }
}
