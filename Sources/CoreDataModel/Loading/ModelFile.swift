/// Reads a model from any of its files. The form is found from the content, never from the name.
package enum ModelFile {
    /// What a path holds.
    package enum Form {
        /// `.xcdatamodeld`: a folder of source versions.
        case sourceBundle
        /// `.xcdatamodel`: a folder with one source model; the URL is that of the file in it.
        case sourceVersion(URL)
        /// `.momd`: a folder of compiled versions.
        case compiledBundle
        /// A single file.
        case file
    }

    /// Larger files are refused: no model comes near.
    private static let sizeLimit = 256 << 20

    /// Reads a model: the current version of a bundle, a single version, a source or compiled file.
    ///
    /// - Parameter url: `.xcdatamodeld`, `.xcdatamodel`, its `contents` or `elements`, `.momd`, `.mom`, `.coredata`.
    /// - Returns: the model, mutable.
    /// - Throws: `CocoaError` naming the file: 260 if there is none, 259 if it is no model or a damaged one, with
    ///   entity and key in the userInfo where they are known.
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

    /// What a path holds, by looking into folders but not into files.
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
        if names.contains(SourceModelBundle.currentVersionFile)
            || names.contains(where: { $0.hasSuffix("." + SourceModelBundle.versionExtension) })
        {
            return .sourceBundle
        }
        throw ModelFileError.corrupt(
            url, "it is a folder that holds no model (neither 'contents' nor versions, nor compiled models).")
    }

    /// The bytes of a file, with a limit on their number. Links are followed; what would never end (a pipe, a device)
    /// is refused.
    package static func contents(of url: URL) throws -> Data {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
            if let type = attributes[.type] as? FileAttributeType, type != .typeRegular, type != .typeDirectory {
                throw ModelFileError.corrupt(url, "it is no regular file.")
            }
            if let size = attributes[.size] as? NSNumber, size.int64Value > Int64(sizeLimit) {
                throw ModelFileError.corrupt(url, "it has \(size) bytes, which no model has.")
            }
            return try Data(contentsOf: url)
        } catch let error as CocoaError where error.code == .fileReadCorruptFile {
            throw error
        } catch {
            throw ModelFileError.unreadable(url, underlying: error)
        }
    }

    private static func loadFile(_ url: URL) throws -> NSManagedObjectModel {
        let data = try contents(of: url)
        if data.isEmpty { throw ModelFileError.corrupt(url, "it is empty.") }
        if data.starts(with: Array("bplist".utf8)) { return try loadArchive(data, url) }
        if data.starts(with: Array("SQLite format 3\0".utf8)) {
            throw ModelFileError.corrupt(url, "it is a SQLite store, not a model.")
        }
        guard looksLikeXML(data) else { return try loadNotation(data, url) }
        let root = try SourceXMLReader.read(data, from: url)
        // The reader of property lists gets what was found sound.
        if root.name == "plist" { return try loadArchive((try? XMLInput.sound(data)) ?? data, url) }
        return try SourceModelReader.read(root, from: url)
    }

    /// A text that is no XML: a model in the text notation. Only a file that is meant to be one gets to hear what is
    /// wrong in it.
    private static func loadNotation(_ data: Data, _ url: URL) throws -> NSManagedObjectModel {
        do {
            return try TextNotation.read(data, from: url)
        } catch  where url.pathExtension != TextNotation.fileExtension {
            throw ModelFileError.corrupt(
                url, "it is neither XML nor a compiled model, and no model in the text notation.")
        }
    }

    /// UTF-8 with or without mark, or UTF-16 with mark, whose first character but white space is `<`.
    private static func looksLikeXML(_ data: Data) -> Bool {
        if data.starts(with: [0xFE, 0xFF]) || data.starts(with: [0xFF, 0xFE]) { return true }
        let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data[...]
        return text.prefix(256).first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }
}
