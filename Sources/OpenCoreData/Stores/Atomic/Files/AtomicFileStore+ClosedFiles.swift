// SPDX-License-Identifier: Apache-2.0

/// Operations on binary and XML files that are not open.
extension AtomicFileStore: ReplaceableStore {
    static func files(at url: URL) -> [String] {
        isInMemory(at: url) ? [] : [url.path] + AtomicFile.unfinishedFiles(beside: url.path)
    }

    static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        let path = path(of: url)
        let header = try format.readHeader(try AtomicFile.existingContents(path), path: path)
        return header.metadata.merging([NSStoreUUIDKey: header.identifier]) { $1 }
    }

    static func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {
        let path = path(of: url)
        if (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue == true {
            throw AtomicFileErrors.error(
                CocoaError.Code.fileWriteNoPermission.rawValue, path, .saving,
                reason: "The options say that the store is read-only.",
                suggestion: "Leave out NSReadOnlyPersistentStoreOption to write metadata.")
        }
        _ = try AtomicFile.existingContents(path)
        try AtomicFile.withLock(path, timeout: timeout(options)) {
            let data = try AtomicFile.existingContents(path)
            var header = try format.readHeader(data, path: path)
            header.identifier = metadata[NSStoreUUIDKey] as? String ?? header.identifier
            try AtomicStoreMetadata.checkIdentifier(header.identifier, path: path)
            header.metadata = metadata
            try AtomicFile.replace(path, by: try format.replacingHeader(of: data, by: header, path: path)) {}
        }
    }

    static func cachedModel(at url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel {
        throw AtomicFileErrors.error(
            NSPersistentStoreOperationError, url.path, .opening, reason: "A store of its type contains no model.",
            suggestion: "Load its model from a file.")
    }

    static func checkDestroying(at url: URL, options: [AnyHashable: Any]?) throws {
        let path = path(of: url)
        guard OperatingSystem.fileKind(at: path) != .missing, try AtomicFile.check(path) else { return }
        _ = try format.readHeader(try AtomicFile.contents(path), path: path)
    }

    static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
        let path = path(of: url)
        guard OperatingSystem.fileKind(at: path) != .missing, try AtomicFile.check(path) else { return }
        // Stores that have the file open find that it has changed, and refuse to write it again.
        func remove() throws {
            do {
                try OperatingSystem.remove(path)
            } catch {
                throw AtomicFileErrors.error(error, path, .saving)
            }
        }
        let isForced = (options?[NSPersistentStoreForceDestroyOption] as? NSNumber)?.boolValue ?? false
        if isForced { return try remove() }
        try AtomicFile.withLock(path, timeout: timeout(options), remove)
    }

    static func checkReplacing(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
        let path = path(of: source)
        _ = try format.readHeader(try AtomicFile.existingContents(path), path: path)
        if (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue == true {
            throw AtomicFileErrors.error(
                CocoaError.Code.fileWriteNoPermission.rawValue, Self.path(of: destination), .saving,
                reason: "The options say that the store is read-only.",
                suggestion: "Leave out NSReadOnlyPersistentStoreOption to replace the store.")
        }
        _ = try AtomicFile.check(Self.path(of: destination))
        try checkDestroying(at: destination, options: options)
    }

    static func replace(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
        // A file takes the place of another in one step, so the source is always a file that a save has completed.
        let bytes = try AtomicFile.existingContents(path(of: source))
        let path = path(of: destination)
        // Stores that have the file open find that it has changed, and refuse to write it again.
        try AtomicFile.withLock(path, timeout: timeout(options)) { try AtomicFile.replace(path, by: bytes) {} }
    }

    static func replace(
        at destination: URL, options: [AnyHashable: Any]?, sourceOptions: [AnyHashable: Any]?,
        byMaking make: () throws -> URL?
    ) throws {
        let path = path(of: destination)
        // Stores that have the file open wait, find that it has changed, and refuse to write it again.
        try AtomicFile.withLock(path, timeout: timeout(options)) {
            guard let source = try make() else { return }
            try AtomicFile.replace(path, by: AtomicFile.existingContents(Self.path(of: source))) {}
        }
    }
}
