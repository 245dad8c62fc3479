/// Makes source models of compiled ones: `.mom` to `.xcdatamodel`, `.momd` to `.xcdatamodeld`; or to a file in the text
/// notation, which holds one version, and all of it.
///
/// The hashes of what was written are those of what was read, or nothing is written. What a source model has no place
/// for is told, and left out: none of it enters the hashes.
package struct ModelDecompiler {
    private let replaces: Bool

    /// - Parameter replaces: whether a destination that is there already is replaced.
    package init(replaces: Bool) { self.replaces = replaces }

    /// Decompiles a model or a bundle of versions.
    ///
    /// - Parameters:
    ///   - source: `.mom` or `.momd`.
    ///   - destination: the folder to write, or a folder of another kind, in which the source's name is used.
    /// - Returns: a warning for everything that was left out.
    /// - Throws: `CocoaError` naming the file if the source is no compiled model, the destination is there already or
    ///   can't be written, or the hashes would change.
    package func decompile(_ source: URL, to destination: URL) throws -> [CompilerMessage] {
        let name = source.deletingPathExtension().lastPathComponent
        if destination.pathExtension == TextNotation.fileExtension { return try decompileToText(source, destination) }
        guard case .compiledBundle = try ModelFile.form(of: source) else {
            return try decompileModel(source, to: output(destination, name, SourceModelBundle.versionExtension))
        }
        return try decompileBundle(source, to: output(destination, name, SourceModelBundle.versionExtension + "d"))
    }

    private func decompileModel(_ source: URL, to output: URL) throws -> [CompilerMessage] {
        let reduced = try Self.reduced(source)
        try OutputFile.writeFolder([("contents", reduced.xml)], to: output) { draft in
            try reduced.check(draft.appendingPathComponent("contents"))
        }
        return reduced.messages
    }

    /// A model, or the current version of a bundle.
    private func decompileToText(_ source: URL, _ destination: URL) throws -> [CompilerMessage] {
        let output = try output(destination, "", TextNotation.fileExtension)
        let model = try Self.compiledModel(source)
        let data = Data(try TextNotation.text(of: model).utf8)
        try Self.requireHashes(model.entityVersionHashesByName, of: try TextNotation.read(data, from: output), source)
        try OutputFile.write(data, to: output)
        return []
    }

    private func decompileBundle(_ source: URL, to output: URL) throws -> [CompilerMessage] {
        let bundle = try CompiledModelBundle(at: source)
        guard let current = bundle.currentVersionName else {
            throw ModelFileError.corrupt(source, "VersionInfo.plist doesn't say which of its versions is current")
        }
        var files = [(path: SourceModelBundle.currentVersionFile, data: SourceModelBundle.currentVersionData(current))]
        var versions: [(path: String, reduced: Reduced)] = []
        for name in bundle.versionNames {
            guard let file = bundle.modelURL(ofVersion: name) else { continue }
            let reduced = try Self.reduced(file)
            let path = "\(name).\(SourceModelBundle.versionExtension)/contents"
            files.append((path, reduced.xml))
            versions.append((path, reduced))
        }
        try OutputFile.writeFolder(files, to: output) { draft in
            for version in versions { try version.reduced.check(draft.appendingPathComponent(version.path)) }
        }
        return versions.flatMap(\.reduced.messages)
    }

    /// A model's source, and what it leaves out.
    private struct Reduced {
        let source: URL
        let xml: Data
        let hashes: [String: Data]
        let messages: [CompilerMessage]

        /// Reads a written source back.
        func check(_ file: URL) throws {
            try requireHashes(hashes, of: try ModelFile.load(at: file), source)
        }
    }

    private static func requireHashes(_ hashes: [String: Data], of model: NSManagedObjectModel, _ source: URL) throws {
        let written = model.entityVersionHashesByName
        guard written != hashes else { return }
        let entity = Set(hashes.keys).union(written.keys).sorted().first { hashes[$0] != written[$0] }
        throw ModelFileError.corrupt(
            source, "its source would have another version hash for entity '\(entity ?? "")'", entity: entity)
    }

    private static func compiledModel(_ url: URL) throws -> NSManagedObjectModel {
        switch try ModelFile.form(of: url) {
        case .sourceVersion, .sourceBundle: throw ModelFileError.corrupt(url, "it is a source model already")
        case .compiledBundle: break
        case .file:
            let data = try ModelFile.contents(of: url)
            guard data.starts(with: Array("bplist".utf8)) || url.pathExtension == CompiledModelBundle.modelExtension
            else {
                throw ModelFileError.corrupt(url, "it is no compiled model")
            }
        }
        let model = try ModelFile.load(at: url)
        if !model.sourceAttributes.isEmpty { throw ModelFileError.corrupt(url, "it is a source model already") }
        return model
    }

    private static func reduced(_ url: URL) throws -> Reduced {
        let model = try compiledModel(url)
        let reduction = SourceReduction(of: model)
        let xml = try SourceModelWriter.xml(of: reduction.model)
        var findings = reduction.findings
        if let back = try? SourceModelReader.read(SourceXMLReader.read(xml, from: url), from: url) {
            findings += SourceReduction.differences(of: reduction.model, readBack: back)
        }
        return Reduced(
            source: url, xml: xml, hashes: model.entityVersionHashesByName,
            messages: findings.map { CompilerMessage($0, path: url.path) })
    }

    private func output(_ destination: URL, _ name: String, _ pathExtension: String) throws -> URL {
        let output = OutputFile.url(for: destination, name: name, extension: pathExtension)
        if !replaces, FileManager.default.fileExists(atPath: output.path) {
            throw OutputFile.failure(output, "it is there already (--force replaces it)")
        }
        if OutputFile.isFolder(output) {
            // Only a model is replaced by a model.
            switch try ModelFile.form(of: output) {
            case .sourceBundle, .sourceVersion: break
            case .compiledBundle, .file:
                throw OutputFile.failure(output, "it is a folder with something else than a source model")
            }
        }
        return output
    }
}
