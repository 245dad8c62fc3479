// SPDX-License-Identifier: Apache-2.0

/// A store in a file that is read and written as a whole: the superclass of XML and binary stores.
///
/// The file is read when the store is added. A save writes a new file beside the old one and gives it the name of the
/// old one in its last step, so that readers and crashes find either. Before that it locks the file, and checks that no
/// other program has changed it since this store has read or written it. The database's lock guards the file; a
/// separate lock guards `state`.
class AtomicFileStore: NSPersistentStore, SnapshotStore, MovableStore, StoreMadeBySaving, @unchecked Sendable {
    private struct State {
        /// How many times the metadata was set, and how many of these changes are in the file.
        var metadataChanges = 0
        var writtenMetadata = 0
        /// The stamp of the file that has the rows of this store; nil before the file was read or made.
        var stamp: OperatingSystem.FileStamp?
        /// Whether the store belongs to its coordinator.
        var isOpen = false
    }

    private let state = Locked(State())
    /// Set before the store is opened.
    var isMadeBySaving = false
    private(set) var database = MemoryDatabase(sharesKeys: true, archiveTrust: ArchiveTrust())

    /// The format of the file.
    class var format: any AtomicFileFormat.Type { XMLFileFormat.self }
    /// The classes that archives in the file may contain.
    var archiveTrust: ArchiveTrust { ArchiveTrust() }

    private var format: any AtomicFileFormat.Type { Swift.type(of: self).format }

    override var type: String { format.storeType }

    override var metadata: [String: Any]! {
        get { super.metadata }
        set {
            super.metadata = newValue
            state.withLock { state in
                state.metadataChanges += 1
                if !state.isOpen { state.writtenMetadata = state.metadataChanges }
            }
        }
    }

    var hasMetadataChanges: Bool { state.withLock { $0.metadataChanges > $0.writtenMetadata } }

    func fingerprint() -> StoreFingerprint? {
        guard let path = url?.path, let file = OperatingSystem.fileSizeAndDate(at: path) else { return nil }
        return StoreFingerprint(store: identifier, files: [.init(size: file.size, modified: file.modified)])
    }

    // MARK: Opening

    override func loadMetadata() throws {
        guard let coordinator = persistentStoreCoordinator, let url else { return }
        let path = Self.path(of: url)
        database = MemoryDatabase(sharesKeys: true, archiveTrust: archiveTrust)
        database.open(identity, layouts: coordinator.layouts)
        // Another coordinator or process may make the file at the same time.
        if try AtomicFile.check(path) || !create(path, coordinator) { try read(path, coordinator) }
        state.withLock { $0.isOpen = true }
    }

    static func path(of url: URL) -> String { url.resolvingSymlinksInPath().path }

    private func read(_ path: String, _ coordinator: NSPersistentStoreCoordinator) throws {
        if !isReadOnly { AtomicFile.removeUnfinished(path) }
        let stamp = OperatingSystem.fileStamp(at: path)
        let content = try format.read(try AtomicFile.contents(path), path: path)
        guard StoreIdentifier.isUsable(content.identifier) else {
            throw AtomicFileErrors.corrupt(
                path, "The UUID in its metadata contains characters that a URI can\u{2019}t have.")
        }
        if !isOn(NSIgnorePersistentStoreVersioningOption) {
            try AtomicStoreMetadata.checkCompatibility(
                of: content.metadata, with: coordinator.managedObjectModel, configurationName, path: path)
        }
        var reader = AtomicFileReader(
            content, names: AtomicFileNames(coordinator.layouts), trust: archiveTrust, path: path)
        database.setContents(try reader.read(), lastKey: content.nextKey - 1)
        identifier = content.identifier
        super.metadata = content.metadata.merging([NSStoreUUIDKey: content.identifier]) { $1 }
        state.withLock { $0.stamp = stamp }
    }

    /// Makes the file of a new store, unless the first save does.
    ///
    /// - Returns: false if the file exists by now.
    private func create(_ path: String, _ coordinator: NSPersistentStoreCoordinator) throws -> Bool {
        guard !isReadOnly else {
            let isMissing = OperatingSystem.fileKind(at: path) == .missing
            throw AtomicFileErrors.error(
                (isMissing ? CocoaError.fileReadNoSuchFile : .fileReadCorruptFile).rawValue, path, .opening,
                reason: isMissing ? "The file doesn\u{2019}t exist." : "The file is empty.",
                suggestion: "A read-only store must exist: check the URL, or open it for writing to create it.")
        }
        super.metadata = AtomicStoreMetadata.make(
            type: type, identifier: identifier, model: coordinator.managedObjectModel,
            configuration: configurationName)
        // Core Data's files begin with this key.
        database.setContents([:], lastKey: 101)
        if isMadeBySaving { return true }
        if OperatingSystem.fileKind(at: path) == .missing { return try write(path) { try AtomicFile.create(path, $0) } }
        var isMade = false
        try AtomicFile.withLock(path, timeout: timeout) {
            guard try !AtomicFile.check(path) else { return }
            isMade = try write(path) { try AtomicFile.replace(path, by: $0) {} }
        }
        return isMade
    }

    func makeIfMissing() throws {
        guard let coordinator = persistentStoreCoordinator, state.withLock({ $0.stamp }) == nil else { return }
        state.withLock { $0.metadataChanges += 1 }
        _ = try save(StoreChanges(coordinator.layouts)) {}
    }

    private func isOn(_ option: String) -> Bool { (options?[option] as? NSNumber)?.boolValue ?? false }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) { state.withLock { $0.isOpen = false } }

    /// The next save writes the file, even without changes.
    func move(to url: URL) throws {
        self.url = url
        isMadeBySaving = false
        state.withLock { state in
            state.stamp = nil
            state.metadataChanges += 1
        }
    }

    // MARK: Saving

    func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        guard let url, state.withLock({ $0.isOpen }) else {
            throw AtomicFileErrors.error(
                NSPersistentStoreOperationError, self.url?.path ?? "", .saving,
                reason: "It was removed from its coordinator.", suggestion: "Add it again.")
        }
        let path = Self.path(of: url)
        return try database.save(changes, beforeCommit: beforeCommit) { beforeCommit in
            // A save that only compares versions writes nothing.
            if changes.isEmpty && !self.hasMetadataChanges { return try beforeCommit() }
            try AtomicFile.withLock(path, timeout: self.timeout) {
                try self.checkUnchanged(path)
                let isMade = try self.write(path) { try self.replace(path, by: $0, beforeCommit) }
                if !isMade { throw Self.existingFile(path) }
            }
        }
    }

    private var timeout: TimeInterval { Self.timeout(options) }

    static func timeout(_ options: [AnyHashable: Any]?) -> TimeInterval {
        (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 10
    }

    /// Checks that the file has the rows that this store has read or written.
    private func checkUnchanged(_ path: String) throws {
        guard let stamp = state.withLock({ $0.stamp }), OperatingSystem.fileStamp(at: path) != stamp else { return }
        throw AtomicFileErrors.error(
            NSPersistentStoreSaveError, path, .saving,
            reason: "Another process or coordinator has changed the file since it was read.",
            suggestion: "Remove the store from its coordinator, add it again, and make the changes again.")
    }

    /// Replaces the file. The file of a new store must not exist before its first save.
    ///
    /// - Returns: the stamp of the new file; nil if another process has made the file.
    private func replace(_ path: String, by bytes: Data, _ beforeCommit: () throws -> Void) throws
        -> OperatingSystem.FileStamp?
    {
        if isMadeBySaving, state.withLock({ $0.stamp }) == nil {
            if OperatingSystem.fileKind(at: path) == .missing {
                return try AtomicFile.create(path, bytes, beforeNaming: beforeCommit)
            }
            if try AtomicFile.check(path) { return nil }
        }
        return try AtomicFile.replace(path, by: bytes, beforeReplacing: beforeCommit)
    }

    private static func existingFile(_ path: String) -> NSError {
        AtomicFileErrors.error(
            NSPersistentStoreOperationError, path, .saving,
            reason: "Another process has made it since the copy began.",
            suggestion: "Use that store, or give another URL. Nothing was changed.")
    }

    /// Writes all rows.
    ///
    /// - Parameter replace: puts a file with the bytes at the path, and returns its stamp; nil if it hasn't.
    /// - Returns: whether the file was written.
    private func write(_ path: String, _ replace: (Data) throws -> OperatingSystem.FileStamp?) throws -> Bool {
        guard let coordinator = persistentStoreCoordinator else { return true }
        // The count is read before the metadata: metadata that another thread sets in between is written once more.
        let metadataChanges = state.withLock { $0.metadataChanges }
        let metadata = metadata ?? [:]
        let newIdentifier = metadata[NSStoreUUIDKey] as? String ?? identifier ?? ""
        try AtomicStoreMetadata.checkIdentifier(newIdentifier, path: path)
        let bytes = try database.withContents { tables, lastKey in
            let content = AtomicFileContent(
                identifier: newIdentifier, metadata: metadata, nextKey: lastKey + 1,
                objects: try AtomicFileWriter(tables, path: path).objects())
            return try format.write(content, names: AtomicFileNames(coordinator.layouts), path: path)
        }
        guard let stamp = try replace(bytes) else { return false }
        if identifier != newIdentifier { identifier = newIdentifier }
        state.withLock { state in
            state.stamp = stamp
            state.writtenMetadata = max(state.writtenMetadata, metadataChanges)
        }
        return true
    }
}

/// The store of type `NSXMLStoreType`.
final class XMLStore: AtomicFileStore, @unchecked Sendable {}

/// The store of type `NSBinaryStoreType`.
final class BinaryStore: AtomicFileStore, @unchecked Sendable {
    override class var format: any AtomicFileFormat.Type { BinaryFileFormat.self }

    override var archiveTrust: ArchiveTrust {
        let option = options?[NSBinaryStoreSecureDecodingClasses]
        let classes = (option as? NSSet)?.compactMap { $0 as? AnyClass } ?? (option as? [AnyClass]) ?? []
        let isInsecure = options?[NSBinaryStoreInsecureDecodingCompatibilityOption] as? NSNumber
        return ArchiveTrust(classes: classes, allowsAllClasses: isInsecure?.boolValue ?? false, checksWhenOpening: true)
    }
}
