// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A compiled model with its versions: a folder `Name.momd` with a `.mom` file per version and `VersionInfo.plist`.
package struct CompiledModelBundle: Sendable {
    static let infoFileName = "VersionInfo.plist"
    static let modelExtension = "mom"

    /// Whether a file of this name may be a part of a bundle, or is a file that the system adds to folders.
    static func mayContain(_ name: String) -> Bool {
        [infoFileName, ".DS_Store"].contains(name) || name.hasSuffix("." + modelExtension) || name.hasSuffix(".omo")
    }

    let url: URL
    /// The names of the versions in the bundle, sorted.
    package let versionNames: [String]
    /// The version that a program uses; nil if the bundle has several versions and doesn't name the current one.
    package let currentVersionName: String?
    /// The declared entity hashes by version name and entity name; empty without `VersionInfo.plist`.
    let versionHashes: [String: [String: Data]]
    /// The declared checksum of each version. Older compilers wrote none.
    let versionChecksums: [String: String]

    /// Opens a bundle.
    ///
    /// - Throws: `CocoaError` with the path: `fileReadNoSuchFile` (260) if the folder doesn't exist or contains no
    ///   model, `fileReadCorruptFile` (259) if `VersionInfo.plist` is damaged.
    package init(at url: URL) throws {
        self.url = url
        guard let files = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw ModelArchive.fileError(.fileReadNoSuchFile, url, "there is no compiled model bundle")
        }
        versionNames = files.filter { $0.hasSuffix("." + Self.modelExtension) }
            .map { String($0.dropLast(Self.modelExtension.count + 1)) }
            .sortedBytewise()
        guard !versionNames.isEmpty else {
            throw ModelArchive.fileError(.fileReadNoSuchFile, url, "the bundle contains no compiled model (.mom)")
        }
        let info =
            files.contains(Self.infoFileName)
            ? try VersionInfo(contentsOf: url.appendingPathComponent(Self.infoFileName)) : VersionInfo()
        versionHashes = info.hashes
        versionChecksums = info.checksums
        if let current = info.currentVersionName, versionNames.contains(current) {
            currentVersionName = current
        } else if info.currentVersionName == nil || versionNames.count == 1 {
            currentVersionName = Self.unnamedCurrentVersion(among: versionNames, of: url)
        } else {
            currentVersionName = nil
        }
    }

    /// The current version of a bundle that names none: the only one, or the version with the bundle's name.
    static func unnamedCurrentVersion(among versionNames: [String], of url: URL) -> String? {
        if versionNames.count == 1 { return versionNames[0] }
        return versionNames.first { $0 == url.deletingPathExtension().lastPathComponent }
    }

    /// The file of a version; nil if there is no version of that name.
    package func modelURL(ofVersion name: String) -> URL? {
        guard versionNames.contains(name) else { return nil }
        return url.appendingPathComponent(name + "." + Self.modelExtension)
    }

    /// The model of a version.
    ///
    /// - Throws: `CocoaError.fileReadNoSuchFile` (260) for an unknown version, `CocoaError.fileReadCorruptFile` (259)
    ///   for a model that can't be read.
    func model(ofVersion name: String) throws -> NSManagedObjectModel {
        guard let modelURL = modelURL(ofVersion: name) else {
            throw ModelArchive.fileError(.fileReadNoSuchFile, url, "the bundle has no version \"\(name)\"")
        }
        return try ModelFile.load(at: modelURL)
    }

    /// The model of the current version.
    func currentModel() throws -> NSManagedObjectModel {
        guard let currentVersionName else {
            throw ModelArchive.fileError(
                .fileReadCorruptFile, url, "\(Self.infoFileName) does not name the current version")
        }
        return try model(ofVersion: currentVersionName)
    }
}

extension ModelArchive {
    /// The reason of an error of archives and property lists, without the introduction of its localized description.
    static func reason(_ error: any Error) -> String {
        (error as? CocoaError)?.userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
    }

    static func fileError(
        _ code: CocoaError.Code, _ url: URL, _ reason: String, underlying: (any Error)? = nil
    ) -> any Error {
        var userInfo: [String: Any] = [
            NSFilePathErrorKey: url.path,
            NSURLErrorKey: url,
            NSDebugDescriptionErrorKey: reason,
        ]
        userInfo[NSUnderlyingErrorKey] = underlying
        return CoreDataErrors.cocoaError(
            code, message: "The model \"\(url.lastPathComponent)\" could not be opened: \(reason)", reason: reason,
            userInfo: userInfo)
    }
}
