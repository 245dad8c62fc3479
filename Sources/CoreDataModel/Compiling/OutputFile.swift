// SPDX-License-Identifier: Apache-2.0

/// Writes files and folders atomically: completely or not at all.
package enum OutputFile {
    /// Writes a file. A file with the same bytes is not written, and keeps its modification date.
    ///
    /// - Returns: whether the file was written.
    /// - Throws: `CocoaError` (512) with the file if its folder doesn't exist or can't be written.
    @discardableResult
    package static func write(_ data: Data, to url: URL) throws -> Bool {
        if isFolder(url) { throw failure(url, "it is a folder") }
        if (try? FileContents.data(of: url.path)) == data { return false }
        try requireParent(of: url)
        let temporary = temporaryURL(for: url)
        do {
            try data.write(to: temporary)
            try replace(url, with: temporary)
        } catch {
            // The first error is thrown. A remaining temporary file is harmless.
            try? FileManager.default.removeItem(at: temporary)
            throw wrapped(error, url)
        }
        return true
    }

    /// Writes a folder of files. A folder that contains exactly these files is not written.
    ///
    /// - Parameters:
    ///   - files: the files by their paths in the folder.
    ///   - url: the folder.
    ///   - check: validates the temporary folder. If it throws, nothing is replaced.
    /// - Returns: whether the folder was written.
    /// - Throws: `CocoaError` (512) with the folder, or the error of `check`.
    @discardableResult
    package static func writeFolder(
        _ files: [(path: String, data: Data)], to url: URL, check: (URL) throws -> Void = { _ in }
    ) throws -> Bool {
        if contains(url, exactly: files) { return false }
        try requireParent(of: url)
        let manager = FileManager.default
        let temporary = temporaryURL(for: url)
        do {
            try manager.createDirectory(at: temporary, withIntermediateDirectories: false)
            for (path, data) in files {
                let file = temporary.appendingPathComponent(path)
                try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try data.write(to: file)
            }
            try check(temporary)
            try replace(url, with: temporary)
        } catch {
            try? manager.removeItem(at: temporary)
            throw wrapped(error, url)
        }
        return true
    }

    /// The destination itself, or a file of the given name in it if the destination is a folder of another kind.
    static func url(for destination: URL, name: String, extension pathExtension: String) -> URL {
        guard isFolder(destination), destination.pathExtension != pathExtension else { return destination }
        return destination.appendingPathComponent("\(name).\(pathExtension)")
    }

    package static func isFolder(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// A `CocoaError` (512) that names the file.
    package static func failure(_ url: URL, _ reason: String, underlying: (any Error)? = nil) -> CocoaError {
        var userInfo: [String: Any] = [NSFilePathErrorKey: url.path, NSURLErrorKey: url]
        userInfo[NSUnderlyingErrorKey] = underlying
        return CoreDataErrors.cocoaError(
            (underlying as? CocoaError)?.code ?? .fileWriteUnknown,
            message: "“\(url.path)” can't be written: \(reason).", reason: "it can't be written: \(reason)",
            userInfo: userInfo)
    }

    /// Checks that nothing is at the place of an output, or only something that an earlier run may have written.
    ///
    /// - Parameters:
    ///   - source: the source. Neither it nor a file in it is replaced.
    ///   - pathExtension: the extension of the output, which also a damaged one has.
    ///   - holdsFiles: whether the output is a folder of compiled models.
    /// - Throws: `CocoaError` (512) with the output.
    static func requireCompiled(
        _ url: URL, of source: URL, extension pathExtension: String, isFolder holdsFiles: Bool
    ) throws {
        try requireOutside(source, url)
        guard let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType else {
            return
        }
        // `isFolder` follows a symbolic link and judges its destination. The link itself is replaced.
        let isDirectory = isFolder(url)
        if holdsFiles {
            guard isDirectory else { throw failure(url, "it exists and is no folder .\(pathExtension)") }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
            if let other = names.sorted().first(where: { !CompiledModelBundle.mayContain($0) }) {
                throw failure(url, "it has a file that is no part of a compiled model: “\(other)”")
            }
            return
        }
        if isDirectory { throw failure(url, "it is a folder") }
        guard type == .typeRegular || type == .typeSymbolicLink,
            let head = try? FileContents.head(of: url.path, count: 6)
        else { throw failure(url, "it is not a regular file") }
        let isKnown = url.pathExtension == pathExtension || head.isEmpty || head == Data("bplist".utf8)
        guard isKnown else {
            throw failure(url, "it exists and is no compiled model. Remove it, or choose another name")
        }
    }

    /// Checks that an output is neither the source nor in it.
    static func requireOutside(_ source: URL, _ url: URL) throws {
        let (source, path) = (source.resolvingSymlinksInPath().path, url.resolvingSymlinksInPath().path)
        if path == source { throw failure(url, "it is the source") }
        if path.hasPrefix(source + "/") { throw failure(url, "it is a part of the source") }
    }

    /// Moves the existing file to a backup, and restores it if the new file can't be moved to the destination.
    private static func replace(_ url: URL, with temporary: URL) throws {
        let manager = FileManager.default
        guard manager.fileExists(atPath: url.path) else { return try manager.moveItem(at: temporary, to: url) }
        let backup = temporaryURL(for: url)
        try manager.moveItem(at: url, to: backup)
        do {
            try manager.moveItem(at: temporary, to: url)
        } catch {
            try manager.moveItem(at: backup, to: url)
            throw error
        }
        // The new file is complete. A backup that can't be removed is not an error.
        try? manager.removeItem(at: backup)
    }

    private static func contains(_ url: URL, exactly files: [(path: String, data: Data)]) -> Bool {
        guard isFolder(url),
            let present = FileManager.default.enumerator(atPath: url.path)?.compactMap({ $0 as? String })
        else { return false }
        let presentFiles = Set(present.filter { !isFolder(url.appendingPathComponent($0)) })
        return presentFiles == Set(files.map(\.path))
            && files.allSatisfy { (try? FileContents.data(of: url.appendingPathComponent($0.path).path)) == $0.data }
    }

    private static func requireParent(of url: URL) throws {
        let parent = url.deletingLastPathComponent()
        guard isFolder(parent) else { throw failure(url, "the folder doesn't exist: “\(parent.path)”") }
    }

    private static func temporaryURL(for url: URL) -> URL {
        url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
    }

    /// Adds the destination to an error of the file system.
    private static func wrapped(_ error: any Error, _ url: URL) -> any Error {
        if let error = error as? CocoaError, error.userInfo[NSLocalizedFailureReasonErrorKey] != nil { return error }
        let nsError = error as NSError
        let code = (nsError.userInfo[NSUnderlyingErrorKey] as? NSError ?? nsError).localizedDescription
        return failure(url, code, underlying: error)
    }
}

extension OutputFile {
    /// Writes several files into an existing folder: all of them or none, unless the disk fails between two moves.
    /// Files with the same bytes, and other files in the folder, are not changed.
    ///
    /// - Throws: `CocoaError` (512) with the file or folder that can't be written.
    package static func write(_ files: [(name: String, data: Data)], into folder: URL) throws {
        let changed = files.filter { name, data in
            (try? FileContents.data(of: folder.appendingPathComponent(name).path)) != data
        }
        var temporaries: [(temporary: URL, file: URL)] = []
        do {
            for (name, data) in changed {
                let file = folder.appendingPathComponent(name)
                if isFolder(file) { throw failure(file, "it is a folder") }
                let temporary = temporaryURL(for: file)
                temporaries.append((temporary, file))
                try data.write(to: temporary)
            }
            for (temporary, file) in temporaries { try replace(file, with: temporary) }
        } catch {
            for (temporary, _) in temporaries { try? FileManager.default.removeItem(at: temporary) }
            throw wrapped(error, folder)
        }
    }
}
