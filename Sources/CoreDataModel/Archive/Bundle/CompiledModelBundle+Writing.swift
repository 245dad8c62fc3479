// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension CompiledModelBundle {
    /// Writes a bundle: one `.mom` file per version, and `VersionInfo.plist` with hashes and checksums. An existing
    /// bundle is replaced when the new one is complete. A bundle with the same bytes is not written.
    ///
    /// - Parameters:
    ///   - versions: the models by version name; at least one.
    ///   - current: the name of the current version.
    ///   - url: the folder, `Name.momd`.
    /// - Returns: the written bundle.
    /// - Throws: `CocoaError.fileWriteInvalidFileName` (514) for a version name that is not a file name, and if the
    ///   current version is not among the versions; `CocoaError.coderInvalidValue` (4866) for a model that can't be
    ///   archived; and the file system's errors.
    @discardableResult
    package static func write(
        _ versions: [String: NSManagedObjectModel], current: String, to url: URL
    ) throws -> CompiledModelBundle {
        try OutputFile.writeFolder(try files(versions, current: current, for: url), to: url)
        return try CompiledModelBundle(at: url)
    }

    /// The files of a bundle. Equal models have equal files.
    ///
    /// - Parameters:
    ///   - versions: the models by version name.
    ///   - current: the name of the current version.
    ///   - isNamed: whether `VersionInfo.plist` names the current version, even if a reader finds it without that.
    ///   - url: the folder.
    /// - Throws: the errors of `write(_:current:to:)` for names and models.
    package static func files(
        _ versions: [String: NSManagedObjectModel], current: String, isNamed: Bool = true, for url: URL
    ) throws -> [(path: String, data: Data)] {
        guard versions[current] != nil else {
            throw ModelArchive.fileError(
                .fileWriteInvalidFileName, url, "there is no version \"\(current)\" to be the current one")
        }
        var info = VersionInfo()
        let isFound = Self.unnamedCurrentVersion(among: versions.keys.sortedBytewise(), of: url) == current
        info.currentVersionName = isNamed || !isFound ? current : nil
        var files: [(path: String, data: Data)] = []
        for (name, model) in versions.sortedBytewise(by: { $0.key }) {
            guard !name.isEmpty, !name.contains("/"), !name.contains("\0") else {
                throw ModelArchive.fileError(
                    .fileWriteInvalidFileName, url, "the version name \"\(name)\" is not a file name")
            }
            files.append((name + "." + modelExtension, try ModelArchive.encode(model, as: .compiled)))
            let hashes = model.entityVersionHashesByName
            info.hashes[name] = hashes
            info.checksums[name] = VersionHashSummary.checksum(of: hashes)
        }
        return files + [(infoFileName, info.data)]
    }
}
