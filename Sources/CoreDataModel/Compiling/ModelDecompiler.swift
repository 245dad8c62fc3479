// SPDX-License-Identifier: Apache-2.0

/// Converts compiled models to source models: `.mom` to `.xcdatamodel`, `.momd` to `.xcdatamodeld`, or one version to a
/// file in the text notation, which can represent every model.
///
/// Output and input have the same version hashes; otherwise nothing is written. Parts that a source model can't
/// represent are omitted and reported. None of them is part of a version hash.
package struct ModelDecompiler {
    private let replaces: Bool

    /// Creates a decompiler.
    ///
    /// - Parameter replaces: whether an existing destination is replaced.
    package init(replaces: Bool) { self.replaces = replaces }

    /// Decompiles a model or a bundle of versions.
    ///
    /// - Parameters:
    ///   - source: `.mom` or `.momd`.
    ///   - destination: the folder to write, or a folder of another kind, in which the name of the source is used.
    /// - Returns: a warning for each part that was omitted.
    /// - Throws: `CocoaError` with the file if the source is not a compiled model, if the destination exists or can't
    ///   be written, or if the hashes would change.
    package func decompile(_ source: URL, to destination: URL) throws -> [CompilerDiagnostic] {
        try OutputFile.requireOutside(source, destination)
        let name = source.deletingPathExtension().lastPathComponent
        if destination.pathExtension == TextNotation.fileExtension { return try decompileToText(source, destination) }
        guard case .compiledBundle = try ModelFile.form(of: source) else {
            return try decompileModel(source, to: output(destination, name, SourceModelBundle.versionExtension))
        }
        return try decompileBundle(source, to: output(destination, name, SourceModelBundle.versionExtension + "d"))
    }

    private func decompileModel(_ source: URL, to output: URL) throws -> [CompilerDiagnostic] {
        let decompiledVersion = try Self.decompiledVersion(source)
        try OutputFile.writeFolder([("contents", decompiledVersion.xml)], to: output) { folder in
            try decompiledVersion.check(folder.appendingPathComponent("contents"))
        }
        return decompiledVersion.messages
    }

    /// Decompiles a model, or the current version of a bundle.
    private func decompileToText(_ source: URL, _ destination: URL) throws -> [CompilerDiagnostic] {
        let output = try output(destination, "", TextNotation.fileExtension)
        let model = try Self.compiledModel(source)
        let data = Data(try TextNotation.text(of: model).utf8)
        try Self.requireHashes(model.entityVersionHashesByName, of: try TextNotation.read(data, from: output), source)
        try OutputFile.write(data, to: output)
        return []
    }

    private func decompileBundle(_ source: URL, to output: URL) throws -> [CompilerDiagnostic] {
        let bundle = try CompiledModelBundle(at: source)
        guard let current = bundle.currentVersionName else {
            throw ModelFileError.corrupt(source, "VersionInfo.plist doesn't name the current version")
        }
        var files = [(path: SourceModelBundle.currentVersionFile, data: SourceModelBundle.currentVersionData(current))]
        var versions: [(path: String, decompiledVersion: DecompiledVersion)] = []
        for name in bundle.versionNames {
            guard let file = bundle.modelURL(ofVersion: name) else { continue }
            let decompiledVersion = try Self.decompiledVersion(file)
            let path = "\(name).\(SourceModelBundle.versionExtension)/contents"
            files.append((path, decompiledVersion.xml))
            versions.append((path, decompiledVersion))
        }
        try OutputFile.writeFolder(files, to: output) { folder in
            for version in versions { try version.decompiledVersion.check(folder.appendingPathComponent(version.path)) }
        }
        return versions.flatMap(\.decompiledVersion.messages)
    }

    /// The source of a version, with warnings for omitted parts.
    private struct DecompiledVersion {
        let source: URL
        let xml: Data
        let hashes: [String: Data]
        let messages: [CompilerDiagnostic]

        /// Reads the written source, and compares its hashes.
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
                throw ModelFileError.corrupt(url, "it is not a compiled model")
            }
        }
        let model = try ModelFile.load(at: url)
        if !model.sourceAttributes.isEmpty { throw ModelFileError.corrupt(url, "it is a source model already") }
        return model
    }

    private static func decompiledVersion(_ url: URL) throws -> DecompiledVersion {
        let model = try compiledModel(url)
        let representable = SourceRepresentableModel(of: model)
        let xml = try SourceModelWriter.xml(of: representable.model)
        var findings = representable.findings
        if let back = try? SourceModelReader.read(SourceXMLReader.read(xml, from: url), from: url) {
            findings += SourceRepresentableModel.differences(of: representable.model, readBack: back)
        }
        return DecompiledVersion(
            source: url, xml: xml, hashes: model.entityVersionHashesByName,
            messages: findings.map { CompilerDiagnostic($0, path: url.path) })
    }

    private func output(_ destination: URL, _ name: String, _ pathExtension: String) throws -> URL {
        let output = OutputFile.url(for: destination, name: name, extension: pathExtension)
        if !replaces, FileManager.default.fileExists(atPath: output.path) {
            throw OutputFile.failure(output, "it exists already (--force replaces it)")
        }
        if OutputFile.isFolder(output) {
            // Only a source model can be replaced by a source model.
            switch try ModelFile.form(of: output) {
            case .sourceBundle, .sourceVersion: break
            case .compiledBundle, .file:
                throw OutputFile.failure(output, "it is a folder that is not a source model")
            }
        }
        return output
    }
}
