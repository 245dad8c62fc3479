// SPDX-License-Identifier: Apache-2.0

import CoreDataSync
import OpenCoreData

/// The store that the browser shows. Each page reads in a new context, so that it shows the store's present rows.
// Unchecked: the lock guards the properties that change.
final class BrowserStore: @unchecked Sendable {
    let location: StoreLocation
    let modelPath: String?
    let isEditable: Bool
    private let lock = NSLock()
    private var opened: ReadOnlyStore
    private var openedEditor: StoreEditor?
    /// The mark of the file when it was opened.
    private var mark: FileMark

    init(_ location: StoreLocation, modelPath: String?, isEditable: Bool) throws {
        self.location = location
        self.modelPath = modelPath
        self.isEditable = isEditable
        mark = FileMark(location)
        opened = try ReadOnlyStore(location, modelPath: modelPath, isReadOnly: !isEditable)
    }

    var current: ReadOnlyStore { lock.withLock { opened } }

    /// Closes the file, so that SQLite removes its side files. The process is ending, so an error isn't reported.
    func close() {
        let coordinator = current.coordinator
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    /// The editor of the store.
    func editor() throws -> StoreEditor {
        guard isEditable else { throw WebFault(405, "The store is open for reading. Start with --edit.") }
        return lock.withLock {
            if let openedEditor { return openedEditor }
            let editor = StoreEditor(coordinator: opened.coordinator)
            openedEditor = editor
            return editor
        }
    }

    /// The names of the next undo step and the next redo step.
    var steps: (undo: String?, redo: String?) { lock.withLock { openedEditor }?.steps ?? (nil, nil) }

    /// The side store of CoreDataSync that stands beside the store now; nil for a store that doesn't sync.
    var sideStore: URL? {
        guard !location.isOnServer, !current.isInMemory else { return nil }
        let url = SyncSideStore.url(of: location.url)
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }

    /// A text that changes when any process writes into the store.
    ///
    /// - Parameter withSync: whether it changes with the side store, too.
    func changeMark(withSync: Bool = false) -> String {
        guard withSync, let sideStore else { return changeMark }
        return "\(changeMark)+\(FileMark(StoreLocation(sideStore.path)).text)"
    }

    private var changeMark: String {
        guard location.isOnServer else { return FileMark(location).text }
        let coordinator = current.coordinator
        let token = coordinator.currentPersistentHistoryToken(fromStores: coordinator.persistentStores)
        return token.map { "\($0)" } ?? ""
    }

    /// A context for one page.
    ///
    /// - Parameter control: cancels the fetches of the body.
    func read<Result>(_ control: FetchControl? = nil, _ body: (StoreReader) throws -> Result) throws -> Result {
        try lock.withLock { try reopenIfReplaced() }
        let store = current
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.coordinator
        context.stalenessInterval = 0
        context.undoManager = nil
        return try context.performSynchronously {
            try FetchControl.withCurrent(control) { try body(StoreReader(store: store, context: context)) }
        }
    }

    /// Opens the store again if its file was replaced or migrated.
    private func reopenIfReplaced() throws {
        let now = FileMark(location)
        guard now != mark else { return }
        if now.number == mark.number, let store = opened.coordinator.persistentStores.first {
            let (old, new) = (opened.coordinator.metadata(for: store), try StoreFile.metadata(at: location.url))
            let hashes = { (metadata: [String: Any]) in metadata[NSStoreModelVersionHashesKey] as? [String: Data] }
            guard
                old[NSStoreUUIDKey] as? String != new[NSStoreUUIDKey] as? String || hashes(old) != hashes(new)
            else {
                mark = now
                return
            }
        }
        opened = try ReadOnlyStore(location, modelPath: modelPath, isReadOnly: !isEditable)
        openedEditor = nil
        mark = now
    }
}
