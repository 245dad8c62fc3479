// SPDX-License-Identifier: Apache-2.0

/// The input of the model compiler: a source model of any format with all its versions.
package struct SourceDocument {
    /// A version of the model, or the only one.
    package struct Version {
        /// The name of the version, which is also the name of its compiled file.
        let name: String
        /// The file of the version, for messages.
        package let file: URL
        package let model: NSManagedObjectModel
    }

    /// The name of the model: the name of the folder or file, without extension.
    let name: String
    /// Whether the document is a folder of versions, which compiles to a bundle.
    let isVersioned: Bool
    let versions: [Version]
    /// The version that programs use.
    package let current: Version
    /// Whether the document names that version. If not, a reader finds it by the rules for bundles.
    let namesCurrentVersion: Bool

    /// Reads a source model.
    ///
    /// - Parameter url: `.xcdatamodeld`, `.xcdatamodel`, its `contents` or `elements`, or another source file that
    ///   `ModelFile` reads.
    /// - Throws: `CocoaError` (259) with the file, and with line, entity and key if they are known; also for a compiled
    ///   model.
    package init(at url: URL) throws {
        switch try ModelFile.form(of: url) {
        case .compiledBundle:
            throw ModelFileError.corrupt(url, "it is compiled already")
        case .sourceBundle:
            let bundle = try SourceModelBundle(at: url)
            let versions = try bundle.versions.map {
                try Version(name: $0.name, file: Self.file(of: $0.url), model: ModelFile.load(at: $0.url))
            }
            guard let current = versions.first(where: { $0.name == bundle.currentVersion.name }) else {
                throw ModelFileError.corrupt(url, "its current version is not in the folder")
            }
            self.init(
                name: url.deletingPathExtension().lastPathComponent, isVersioned: true, versions: versions,
                current: current, namesCurrentVersion: bundle.namesCurrentVersion)
        case .sourceVersion(let file):
            try self.init(single: file, name: Self.folderName(of: file))
        case .file:
            try Self.refuseCompiled(url)
            let isInFolder = ["contents", "elements"].contains(url.lastPathComponent)
            try self.init(
                single: url, name: isInFolder ? Self.folderName(of: url) : url.deletingPathExtension().lastPathComponent
            )
        }
    }

    private init(single file: URL, name: String) throws {
        let version = Version(name: name, file: file, model: try ModelFile.load(at: file))
        self.init(name: name, isVersioned: false, versions: [version], current: version, namesCurrentVersion: false)
    }

    private init(
        name: String, isVersioned: Bool, versions: [Version], current: Version, namesCurrentVersion: Bool
    ) {
        self.name = name
        self.isVersioned = isVersioned
        self.versions = versions
        self.current = current
        self.namesCurrentVersion = namesCurrentVersion
    }

    /// The element tree of a version in XML; nil for other formats.
    static func xmlRoot(of version: Version) throws -> SourceElement? {
        guard version.file.lastPathComponent == "contents" else { return nil }
        return try SourceXMLReader.read(try ModelFile.contents(of: version.file), from: version.file)
    }

    private static func folderName(of file: URL) -> String {
        file.standardizedFileURL.deletingLastPathComponent().deletingPathExtension().lastPathComponent
    }

    private static func file(of folder: URL) throws -> URL {
        if case .sourceVersion(let file) = try ModelFile.form(of: folder) { return file }
        return folder
    }

    private static func refuseCompiled(_ url: URL) throws {
        let data = try ModelFile.contents(of: url)
        guard data.starts(with: Array("bplist".utf8)), let root = try? KeyedArchiveReader(data).root(),
            root.className == "NSManagedObjectModel"
        else { return }
        throw ModelFileError.corrupt(url, "it is compiled already")
    }
}
