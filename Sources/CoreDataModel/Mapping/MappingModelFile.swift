// SPDX-License-Identifier: Apache-2.0

/// Reads and writes files of mapping models. The content determines the format; the extension doesn't.
package enum MappingModelFile {
    /// The file in a source mapping model (`.xcmappingmodel`), which is a folder.
    static let sourceFileName = "xcmapping.xml"
    /// The extension of a compiled mapping model.
    static let compiledExtension = "cdm"

    /// Reads a mapping model. A source is compiled.
    ///
    /// - Parameter url: `.cdm`, `.xcmappingmodel`, or the `xcmapping.xml` in it.
    /// - Throws: `CocoaError` with the file: 260 if it doesn't exist, 259 if it is damaged or not a mapping model. The
    ///   user info contains entity and key if they are known.
    package static func load(at url: URL) throws -> NSMappingModel {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw ModelFileError.missing(url)
        }
        guard isDirectory.boolValue else { return try loadFile(url) }
        let file = url.appendingPathComponent(sourceFileName)
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw ModelFileError.corrupt(url, "it is a folder without '\(sourceFileName)', so no mapping model.")
        }
        return try loadFile(file)
    }

    /// Writes a compiled mapping model (`.cdm`) atomically.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for parts without an archived form, and the file system's
    ///   errors.
    package static func write(_ model: NSMappingModel, to url: URL) throws {
        try OutputFile.write(try data(of: model), to: url)
    }

    /// The bytes of a compiled mapping model.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for parts without an archived form.
    static func data(of model: NSMappingModel) throws -> Data { try MappingModelArchive.encode(model) }

    private static func loadFile(_ url: URL) throws -> NSMappingModel {
        let data = try ModelFile.contents(of: url)
        if data.isEmpty { throw ModelFileError.corrupt(url, "it is empty.") }
        if data.starts(with: Array("bplist".utf8)) { return try loadArchive(data, url) }
        guard let first = data.first(where: { !" \t\r\n".utf8.contains($0) }),
            first == UInt8(ascii: "<") || first >= 0x80
        else {
            throw ModelFileError.corrupt(url, "it is neither XML nor a compiled mapping model.")
        }
        guard let store = try MappingSourceXMLReader.read(data, from: url) else {
            // The reader of property lists gets the checked bytes of a property list in XML.
            return try loadArchive((try? XMLInput.validated(data)) ?? data, url)
        }
        return try MappingSourceCompiler.compile(store, at: url)
    }

    private static func loadArchive(_ data: Data, _ url: URL) throws -> NSMappingModel {
        do {
            return try MappingModelArchive.decode(data)
        } catch let error as CocoaError where error.userInfo[NSFilePathErrorKey] == nil {
            throw ModelFileError.corrupt(url, ModelArchive.reason(error))
        }
    }
}
