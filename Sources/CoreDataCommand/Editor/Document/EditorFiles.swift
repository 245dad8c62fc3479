// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The files of a model that is edited: a bundle of versions, one version, or a text.
struct EditorFiles: Sendable {
    enum Kind: Sendable {
        /// `Name.xcdatamodeld`.
        case bundle
        /// `Name.xcdatamodel`, or its file.
        case version
        /// `Name.coredata`.
        case text
    }

    /// A version as its file has it.
    struct Version: Sendable {
        var document: SourceTreeDocument
        /// The bytes that were read or written last.
        var data: Data
        var stamp: OperatingSystem.FileStamp?
    }

    let kind: Kind
    /// Whether the file, or each version of the bundle, is a text.
    let isText: Bool
    /// The bundle, the folder of the version, or the file of the text.
    let url: URL

    /// - Throws: an error that names the file and the remedy for what can't be edited.
    init(_ path: String) throws {
        let (kind, url) = try Self.place(path)
        let isText = try kind == .text || kind == .bundle && SourceModelBundle.Listing(at: url).isText
        self.init(kind: kind, isText: isText, url: url)
    }

    /// The files of a bundle with versions, and the versions in it, whichever is the current one.
    ///
    /// - Throws: an error with the remedy for a model without versions, and what ``init(_:)`` throws.
    static func bundle(_ path: String) throws -> (files: EditorFiles, versions: SourceModelBundle.Listing) {
        let (kind, url) = try place(path)
        guard kind == .bundle else {
            throw CommandError(
                """
                \(path) has no versions. Convert it to a bundle first: coredata model convert \
                \(ShellText.quoted(path)) \
                \(ShellText.quoted(url.deletingPathExtension().lastPathComponent + ".xcdatamodeld"))\
                \(kind == .text ? " --text" : "")
                """)
        }
        let listing = try SourceModelBundle.Listing(at: url)
        return (EditorFiles(kind: kind, isText: listing.isText, url: url), listing)
    }

    private init(kind: Kind, isText: Bool, url: URL) {
        self.kind = kind
        self.isText = isText
        self.url = url
    }

    /// The kind of a model, and where its files are.
    private static func place(_ path: String) throws -> (Kind, URL) {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CommandError("There is no model \(path). Make one: coredata model new \(path)")
        }
        if StoreFile.isStore(url) {
            throw CommandError(
                """
                \(path) is a store, not a source model. Its model can be extracted: coredata model convert \
                \(path) Model.xcdatamodel
                """)
        }
        switch try ModelFile.form(of: url) {
        case .sourceBundle: return (.bundle, url)
        case .sourceVersion: return (.version, url)
        case .compiledBundle:
            throw CommandError(
                "\(path) is compiled. Edit its source, or make one: coredata model convert \(path) Model.xcdatamodeld")
        case .file where url.lastPathComponent == "contents":
            return (.version, url.deletingLastPathComponent())
        case .file where url.pathExtension == TextNotation.fileExtension: return (.text, url)
        case .file:
            throw CommandError(
                """
                \(path) can't be edited. The editor reads .xcdatamodeld, .xcdatamodel and .coredata; other models can \
                be converted: coredata model convert \(path) Model.xcdatamodeld
                """)
        }
    }

    /// The name of the model.
    var name: String { url.lastPathComponent }

    /// The names of the versions, and which is the current one. A text and a version have one, with their name.
    func versions() throws -> (names: [String], current: String) {
        guard kind == .bundle else {
            let name = url.deletingPathExtension().lastPathComponent
            return ([name], name)
        }
        let bundle = try SourceModelBundle(at: url)
        return (bundle.versions.map(\.name), bundle.currentVersion.name)
    }

    /// The file of a version.
    func file(of version: String) -> URL {
        switch kind {
        case .bundle: isText ? entry(of: version) : entry(of: version).appendingPathComponent("contents")
        case .version: url.appendingPathComponent("contents")
        case .text: url
        }
    }

    /// The folder or the text of a version in the bundle.
    private func entry(of version: String) -> URL {
        url.appendingPathComponent("\(version).\(SourceModelBundle.versionExtension(isText: isText))")
    }

    func read(_ version: String) throws -> Version {
        let file = file(of: version)
        guard FileManager.default.fileExists(atPath: file.path) else {
            let old = file.deletingLastPathComponent().appendingPathComponent("elements")
            if !isText, FileManager.default.fileExists(atPath: old.path) {
                throw CommandError(
                    """
                    \(old.path) is a model in the format of Xcode 3, which the editor doesn't write. Convert it first: \
                    coredata model convert \(file.deletingLastPathComponent().path) New.xcdatamodel
                    """)
            }
            throw CommandError("The file \(file.path) is missing.")
        }
        let stamp = OperatingSystem.fileStamp(at: file.path)
        let data = try ModelFile.contents(of: file)
        return Version(document: try document(data, from: file), data: data, stamp: stamp)
    }

    private func document(_ data: Data, from file: URL) throws -> SourceTreeDocument {
        if isText { return SourceTreeDocument(root: try EditedModel.tree(ofText: data, from: file)) }
        return try SourceTreeDocument(data, from: file)
    }

    /// The bytes of a version.
    ///
    /// - Parameter old: the version as its file has it; nil for a new one.
    func data(of document: SourceTreeDocument, replacing old: Version?) throws -> Data {
        guard isText else { return document.data }
        let text = try EditedModel.text(of: document.root, isText: true)
        guard let old, !old.data.isEmpty, let before = String(validating: old.data, as: UTF8.self) else {
            return Data(text.utf8)
        }
        return Data(try TextFilePatch.text(before, of: old.document.root, becoming: document.root, text).utf8)
    }

    // MARK: Writing

    /// Writes a version in one step, so that a reader, and a power failure, find the old or the new file.
    func write(_ data: Data, _ version: String) throws -> OperatingSystem.FileStamp? {
        let file = file(of: version)
        try DurableFile.write(data, to: file)
        return OperatingSystem.fileStamp(at: file.path)
    }

    /// Whether a file of the bundle names the current version.
    var namesCurrent: Bool {
        FileManager.default.fileExists(atPath: url.appendingPathComponent(SourceModelBundle.currentVersionFile).path)
    }

    /// Names the current version.
    func writeCurrent(_ version: String) throws {
        try DurableFile.write(
            SourceModelBundle.currentVersionData(version, isText: isText),
            to: url.appendingPathComponent(SourceModelBundle.currentVersionFile))
    }

    /// Removes a version that this editor has added.
    func remove(_ version: String) throws { try FileManager.default.removeItem(at: entry(of: version)) }
}
