// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import CoreDataPostgreSQL
import OpenCoreData

/// Reads the model, or the version hashes, of a path to a model file or a store.
enum ModelSource {
    /// The model at `path`: the model of a model file, or the cached model of a store.
    static func model(at path: String) throws -> NSManagedObjectModel {
        let url = URL(fileURLWithPath: path)
        guard StoreFile.isStore(url) else { return try ModelFile.load(at: url) }
        do {
            return try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        } catch {
            // Reading the metadata gives a better error for a damaged store.
            _ = try StoreFile.metadata(at: url)
            throw CommandError(
                """
                The store \(path) has no usable model (\(ErrorReport.text(for: error))). Use the path of a source or \
                compiled model.
                """)
        }
    }

    /// The model at `path`: for a bundle, the version with a name, or the current version.
    static func model(at path: String, version: String?) throws -> NSManagedObjectModel {
        guard let version else { return try model(at: path) }
        return try versions(at: path).version(named: version).model()
    }

    /// The versions of the bundle at `path`.
    static func versions(at path: String) throws -> ModelVersions {
        guard let versions = try ModelVersions(at: path) else {
            throw CommandError("\(path) is a single model without versions. Use a bundle (.xcdatamodeld or .momd).")
        }
        return versions
    }

    /// The version hashes at `path`: computed from a model file, or read from the metadata of a store.
    static func versionHashes(at path: String) throws -> [String: Data] {
        let url = URL(fileURLWithPath: path)
        guard StoreFile.isStore(url) else { return try ModelFile.load(at: url).entityVersionHashesByName }
        guard let hashes = try StoreFile.metadata(at: url)[NSStoreModelVersionHashesKey] as? [String: Data] else {
            throw CommandError("The metadata of the store \(path) have no version hashes.")
        }
        return hashes
    }
}

/// The versions in a source or compiled bundle.
struct ModelVersions {
    struct Version {
        let name: String
        let url: URL
        let isCurrent: Bool

        func model() throws -> NSManagedObjectModel { try ModelFile.load(at: url) }
    }

    let url: URL
    /// The versions sorted by name; numbers in names are sorted by value.
    let versions: [Version]

    /// The versions at a path; nil for a single model.
    init?(at path: String) throws {
        url = URL(fileURLWithPath: path)
        if StoreFile.isStore(url) { return nil }
        switch try ModelFile.form(of: url) {
        case .sourceBundle:
            let bundle = try SourceModelBundle(at: url)
            versions = bundle.versions.map {
                Version(name: $0.name, url: $0.url, isCurrent: $0.name == bundle.currentVersion.name)
            }
        case .compiledBundle:
            let bundle = try CompiledModelBundle(at: url)
            versions = bundle.versionNames.sortedByVersionName(\.self).compactMap { name in
                bundle.modelURL(ofVersion: name).map {
                    Version(name: name, url: $0, isCurrent: name == bundle.currentVersionName)
                }
            }
        case .sourceVersion, .file:
            return nil
        }
    }

    /// The version with a name, with or without extension.
    func version(named name: String) throws -> Version {
        guard let version = versions.first(where: { $0.name == name || $0.url.lastPathComponent == name }) else {
            throw CommandError.unknownVersion(name, of: url.path, among: versions.map(\.name))
        }
        return version
    }

    var current: Version? { versions.first(where: \.isCurrent) }
}

extension CommandError {
    /// A bundle has no version with a name.
    static func unknownVersion(_ name: String, of path: String, among names: [String]) -> CommandError {
        CommandError("\(path) has no version '\(name)'. It has: \(names.joined(separator: ", ")).")
    }
}

/// Reads the file of a store without a Core Data stack.
enum StoreFile {
    /// Whether the file has the header of SQLite. Other files are models.
    static func isStore(_ url: URL) -> Bool { beginning(of: url)?.starts(with: FileContents.databaseHeader) == true }

    /// The first bytes of a file; nil if it can't be read.
    private static func beginning(of url: URL) -> Data? {
        try? FileContents.head(of: url.path, count: 64)
    }

    /// The type of a store, by the beginning of its file.
    ///
    /// - Throws: the error of a path without a file, and `CommandError` for a file of another kind.
    static func type(of url: URL) throws -> NSPersistentStore.StoreType {
        if !url.isFileURL { return .postgreSQL }
        let beginning = beginning(of: url) ?? Data()
        if beginning.starts(with: FileContents.databaseHeader) { return .sqlite }
        if beginning.starts(with: Data("bplist".utf8)) { return .binary }
        let folder = url.deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw CommandError("The store \(url.path) doesn\u{2019}t exist: there is no folder \(folder.path).")
        }
        if beginning.isEmpty {
            // The error names the kind of file, or why it can't be read.
            _ = try metadata(of: .sqlite, at: url)
        }
        let text = beginning.drop { [0xef, 0xbb, 0xbf, 0x20, 0x0a, 0x0d, 0x09].contains($0) }
        if text.first == UInt8(ascii: "<") { return .xml }
        if ModelFormat(path: url.path) != nil {
            throw CommandError("\(url.path) is no store, but a model: see coredata model --help.")
        }
        throw CommandError(
            """
            \(url.path) is no store: it begins neither as a SQLite database nor as an XML or a binary store. \
            Encrypted stores can't be read by this command.
            """)
    }

    /// A store of a type that contains no model, in words; nil for other types.
    static func kindWithoutModel(_ type: NSPersistentStore.StoreType) -> String? {
        switch type {
        case .xml: "an XML store"
        case .binary: "a binary store"
        default: nil
        }
    }

    /// The metadata of a store.
    static func metadata(at url: URL) throws -> [String: Any] { try metadata(of: type(of: url), at: url) }

    private static func metadata(of type: NSPersistentStore.StoreType, at url: URL) throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: type, at: url, options: [NSReadOnlyPersistentStoreOption: true])
    }
}

/// A path on the command line. An empty path, for example from an unset shell variable, is refused: it would mean the
/// current folder.
struct FilePath: ExpressibleByArgument {
    static var defaultCompletionKind: CompletionKind { .file() }

    let text: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }
}
