/// Puts files and folders in their place: whole, or not at all.
package enum OutputFile {
    /// Writes a file. One that has these bytes already is left alone, with its date.
    ///
    /// - Returns: whether the file was written.
    /// - Throws: `CocoaError` naming the file if its folder isn't there or can't be written.
    @discardableResult
    package static func write(_ data: Data, to url: URL) throws -> Bool {
        if isFolder(url) { throw failure(url, "it is a folder") }
        if (try? Data(contentsOf: url)) == data { return false }
        try requireParent(of: url)
        let draft = draftURL(for: url)
        do {
            try data.write(to: draft)
            try replace(url, with: draft)
        } catch {
            // The first error is the one that counts; a draft that can't be removed either is harmless.
            try? FileManager.default.removeItem(at: draft)
            throw wrapped(error, url)
        }
        return true
    }

    /// Writes a folder of files, by their paths in it. A folder that holds just these files is left alone.
    ///
    /// - Parameter check: looks at the draft, and throws what is wrong with it; nothing is replaced then.
    /// - Returns: whether the folder was written.
    @discardableResult
    package static func writeFolder(
        _ files: [(path: String, data: Data)], to url: URL, check: (URL) throws -> Void = { _ in }
    ) throws -> Bool {
        if holds(url, exactly: files) { return false }
        try requireParent(of: url)
        let manager = FileManager.default
        let draft = draftURL(for: url)
        do {
            try manager.createDirectory(at: draft, withIntermediateDirectories: false)
            for (path, data) in files {
                let file = draft.appendingPathComponent(path)
                try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try data.write(to: file)
            }
            try check(draft)
            try replace(url, with: draft)
        } catch {
            try? manager.removeItem(at: draft)
            throw wrapped(error, url)
        }
        return true
    }

    /// The destination itself, or the file of a name in it if it is a folder of another kind.
    package static func url(for destination: URL, name: String, extension pathExtension: String) -> URL {
        guard isFolder(destination), destination.pathExtension != pathExtension else { return destination }
        return destination.appendingPathComponent("\(name).\(pathExtension)")
    }

    package static func isFolder(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// A `CocoaError` (512) that names the file.
    package static func failure(_ url: URL, _ reason: String, underlying: (any Error)? = nil) -> CocoaError {
        var userInfo: [String: Any] = [
            NSFilePathErrorKey: url.path, NSURLErrorKey: url,
            NSLocalizedDescriptionKey: "“\(url.path)” can't be written: \(reason).",
            NSLocalizedFailureReasonErrorKey: "it can't be written: \(reason)",
        ]
        userInfo[NSUnderlyingErrorKey] = underlying
        return CocoaError((underlying as? CocoaError)?.code ?? .fileWriteUnknown, userInfo: userInfo)
    }

    /// What stands in the place now is put aside first, and comes back if the new can't take the place.
    private static func replace(_ url: URL, with draft: URL) throws {
        let manager = FileManager.default
        guard manager.fileExists(atPath: url.path) else { return try manager.moveItem(at: draft, to: url) }
        let aside = draftURL(for: url)
        try manager.moveItem(at: url, to: aside)
        do {
            try manager.moveItem(at: draft, to: url)
        } catch {
            try manager.moveItem(at: aside, to: url)
            throw error
        }
        // The new is in its place; what can't be removed of the old is left over, and no reason to fail.
        try? manager.removeItem(at: aside)
    }

    private static func holds(_ url: URL, exactly files: [(path: String, data: Data)]) -> Bool {
        guard isFolder(url),
            let present = FileManager.default.enumerator(atPath: url.path)?.compactMap({ $0 as? String })
        else { return false }
        let presentFiles = Set(present.filter { !isFolder(url.appendingPathComponent($0)) })
        return presentFiles == Set(files.map(\.path))
            && files.allSatisfy { (try? Data(contentsOf: url.appendingPathComponent($0.path))) == $0.data }
    }

    private static func requireParent(of url: URL) throws {
        let parent = url.deletingLastPathComponent()
        guard isFolder(parent) else { throw failure(url, "there is no folder “\(parent.path)”") }
    }

    private static func draftURL(for url: URL) -> URL {
        url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
    }

    /// Errors of the file system that don't name the destination get its name.
    private static func wrapped(_ error: any Error, _ url: URL) -> any Error {
        if let error = error as? CocoaError, error.userInfo[NSLocalizedFailureReasonErrorKey] != nil { return error }
        let nsError = error as NSError
        let code = (nsError.userInfo[NSUnderlyingErrorKey] as? NSError ?? nsError).localizedDescription
        return failure(url, code, underlying: error)
    }
}

extension OutputFile {
    /// Writes several files into a folder that is there: all of them or, unless the disk fails between two of them,
    /// none. Files that have these bytes already are left alone, and so are others in the folder.
    ///
    /// - Throws: `CocoaError` naming the file or folder that can't be written.
    package static func write(_ files: [(name: String, data: Data)], into folder: URL) throws {
        let changed = files.filter { (try? Data(contentsOf: folder.appendingPathComponent($0.name))) != $0.data }
        var drafts: [(draft: URL, file: URL)] = []
        do {
            for (name, data) in changed {
                let file = folder.appendingPathComponent(name)
                if isFolder(file) { throw failure(file, "it is a folder") }
                let draft = draftURL(for: file)
                drafts.append((draft, file))
                try data.write(to: draft)
            }
            for (draft, file) in drafts { try replace(file, with: draft) }
        } catch {
            for (draft, _) in drafts { try? FileManager.default.removeItem(at: draft) }
            throw wrapped(error, folder)
        }
    }
}
