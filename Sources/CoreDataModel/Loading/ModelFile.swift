// SPDX-License-Identifier: Apache-2.0

/// Reads a model from a file of any format. The content determines the format; the extension doesn't.
package enum ModelFile {
    /// The kind of a model at a path.
    package enum Form {
        /// `.xcdatamodeld`: a folder of source versions, in Xcode's form or as text.
        case sourceBundle
        /// `.xcdatamodel`: a folder with one source model. The URL names the file in the folder.
        case sourceVersion(URL)
        /// `.momd`: a folder of compiled versions.
        case compiledBundle
        /// A single file.
        case file
    }

    /// Larger files are refused.
    private static let sizeLimit = 256 << 20

    /// Reads a model: the current version of a bundle, a single version, or a source or compiled file.
    ///
    /// - Parameter url: `.xcdatamodeld`, `.xcdatamodel`, its `contents` or `elements`, `.momd`, `.mom`, or `.coredata`.
    /// - Returns: a mutable model.
    /// - Throws: `CocoaError` with the file: 260 if it doesn't exist, 259 if it is damaged or not a model. The user
    ///   info contains entity and key if they are known.
    package static func load(at url: URL) throws -> NSManagedObjectModel {
        let model = try read(url)
        model.origin = url
        return model
    }

    private static func read(_ url: URL) throws -> NSManagedObjectModel {
        switch try form(of: url) {
        case .sourceBundle: return try load(at: SourceModelBundle(at: url).currentVersion.url)
        case .sourceVersion(let file): return try loadFile(file)
        case .compiledBundle: return try loadCompiledBundle(url)
        case .file: return try loadFile(url)
        }
    }

    /// The kind of the model at a path. Inspects folders, but reads no files.
    package static func form(of url: URL) throws -> Form {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw ModelFileError.missing(url)
        }
        guard isDirectory.boolValue else { return .file }
        for name in ["contents", "elements"] {
            let file = url.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue {
                return .sourceVersion(file)
            }
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw ModelFileError.unreadable(url, underlying: error)
        }
        if names.contains("VersionInfo.plist") || names.contains(where: { $0.hasSuffix(".mom") }) {
            return .compiledBundle
        }
        if SourceModelBundle.isBundle(url, names) { return .sourceBundle }
        throw ModelFileError.corrupt(
            url, "it is a folder without a model (neither 'contents' nor versions, nor compiled models).")
    }

    /// The bytes of a file of limited size. Symbolic links are resolved. Pipes and devices are refused, because they
    /// can be endless.
    package static func contents(of url: URL) throws -> Data {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
            if let type = attributes[.type] as? FileAttributeType, type != .typeRegular, type != .typeDirectory {
                throw ModelFileError.corrupt(url, "it is not a regular file.")
            }
            if let size = attributes[.size] as? NSNumber, size.int64Value > Int64(sizeLimit) {
                throw ModelFileError.corrupt(url, "it has \(size) bytes: no model is so large.")
            }
            if DatabaseFiles.contains(url.path) { throw ModelFileError.corrupt(url, storeReason) }
            return try FileContents.data(of: url.path)
        } catch let error as CocoaError where error.code == .fileReadCorruptFile {
            throw error
        } catch {
            throw ModelFileError.unreadable(url, underlying: error)
        }
    }

    private static let storeReason = "it is a SQLite store, not a model."

    private static func loadFile(_ url: URL) throws -> NSManagedObjectModel {
        let data = try contents(of: url)
        if data.isEmpty { throw ModelFileError.corrupt(url, "it is empty.") }
        if data.starts(with: Array("bplist".utf8)) { return try loadArchive(data, url) }
        if data.starts(with: Array("SQLite format 3\0".utf8)) {
            throw ModelFileError.corrupt(url, storeReason)
        }
        guard looksLikeXML(data) else { return try loadTextNotation(data, url) }
        let root = try SourceXMLReader.read(data, from: url)
        // The reader of property lists gets the checked bytes.
        if root.name == "plist" { return try loadArchive((try? XMLInput.validated(data)) ?? data, url) }
        return try SourceModelReader.read(root, from: url)
    }

    /// Reads text that is not XML as the text notation. Only a file with the extension of the text notation gets its
    /// detailed errors.
    private static func loadTextNotation(_ data: Data, _ url: URL) throws -> NSManagedObjectModel {
        do {
            return try TextNotation.read(data, from: url)
        } catch  where url.pathExtension != TextNotation.fileExtension {
            throw ModelFileError.corrupt(
                url, "it is neither XML nor a compiled model, and no model in the text notation.")
        }
    }

    /// Whether the first character except white space is `<`, in UTF-8 with or without a byte order mark, or in UTF-16
    /// with a mark.
    private static func looksLikeXML(_ data: Data) -> Bool {
        if data.starts(with: [0xFE, 0xFF]) || data.starts(with: [0xFF, 0xFE]) { return true }
        let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data[...]
        return text.prefix(256).first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }
}

extension ModelFile {
    /// Reads a keyed archive: a compiled model, or a source model of the old format.
    static func loadArchive(_ data: Data, _ url: URL) throws -> NSManagedObjectModel {
        do {
            let archive = try KeyedArchiveReader(data)
            if try archive.root().className == SourceElementsReader.rootClassName {
                return try SourceModelReader.read(try SourceElementsReader.read(archive, from: url), from: url)
            }
            return try checked(try ModelArchive.decode(data), url)
        } catch let error as CocoaError where error.userInfo[NSFilePathErrorKey] == nil {
            throw ModelFileError.corrupt(url, ModelArchive.reason(error))
        }
    }

    /// Reads the current version of a compiled bundle.
    static func loadCompiledBundle(_ url: URL) throws -> NSManagedObjectModel {
        let bundle = try CompiledModelBundle(at: url)
        guard let name = bundle.currentVersionName, let file = bundle.modelURL(ofVersion: name) else {
            throw ModelFileError.corrupt(url, "VersionInfo.plist doesn't name the current version.")
        }
        return try loadArchive(try contents(of: file), file)
    }

    /// Refuses an incomplete model: an archive can lack parts.
    private static func checked(_ model: NSManagedObjectModel, _ url: URL) throws -> NSManagedObjectModel {
        if let problem = model.firstProblem() {
            throw ModelFileError.corrupt(url, problem.message, entity: problem.entityName, key: problem.key)
        }
        return model
    }
}
