import CoreDataPredicates

extension CompiledModelBundle {
    /// Writes a bundle: one `.mom` per version, and `VersionInfo.plist` with hashes and checksums. A bundle that is
    /// there already is replaced as a whole, once the new one is complete.
    ///
    /// - Parameters:
    ///   - versions: the models by version name; at least one.
    ///   - current: the name of the current version.
    ///   - url: the folder, `Name.momd`.
    /// - Returns: the bundle as written.
    /// - Throws: `CocoaError.fileWriteInvalidFileName` (514) for a version name that is no file name or a current
    ///   version that is not among the versions, `CocoaError.coderInvalidValue` (4866) for a model that cannot be
    ///   archived, and the file system's errors.
    @discardableResult
    package static func write(
        _ versions: [String: NSManagedObjectModel], current: String, to url: URL
    ) throws -> CompiledModelBundle {
        guard versions[current] != nil else {
            throw ModelArchive.fileError(.fileWriteInvalidFileName, url, "there is no version \"\(current)\" to be the current one")
        }
        var info = VersionInfo()
        info.currentVersionName = current
        var files: [(name: String, data: Data)] = []
        for (name, model) in versions.sorted(by: { $0.key.precedesBytewise($1.key) }) {
            guard !name.isEmpty, !name.contains("/"), !name.contains("\0") else {
                throw ModelArchive.fileError(.fileWriteInvalidFileName, url, "the version name \"\(name)\" is no file name")
            }
            files.append((name + "." + modelExtension, try ModelArchive.encode(model, as: .compiled)))
            let hashes = model.entityVersionHashesByName
            info.hashes[name] = hashes
            info.checksums[name] = VersionHashSummary.checksum(of: hashes)
        }
        files.append((infoFileName, info.data))

        let manager = FileManager.default
        let parent = url.deletingLastPathComponent()
        let draft = parent.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
        try manager.createDirectory(at: draft, withIntermediateDirectories: true)
        do {
            for file in files { try file.data.write(to: draft.appendingPathComponent(file.name)) }
            if manager.fileExists(atPath: url.path) { try manager.removeItem(at: url) }
            try manager.moveItem(at: draft, to: url)
        } catch {
            // The first error is the one that counts; a draft that cannot be removed either is harmless.
            try? manager.removeItem(at: draft)
            throw error
        }
        return try CompiledModelBundle(at: url)
    }
}
