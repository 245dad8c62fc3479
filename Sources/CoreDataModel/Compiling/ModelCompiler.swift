/// Compiles source models, as Apple's `momc` does: `.xcdatamodel` to `.mom`, `.xcdatamodeld` to `.momd`; and mapping
/// models, `.xcmappingmodel` to `.cdm`.
package struct ModelCompiler {
    /// What is checked on the way.
    package struct Options: Sendable {
        /// The findings that are not wanted. Errors are always told.
        package var silencedKinds: Set<ModelFinding.Kind> = []
        /// Whether no warning is wanted.
        package var silencesWarnings = false
        /// A compiled bundle whose versions must not have changed.
        package var shipped: URL?

        package init() {}
    }

    /// What came out.
    package struct Outcome {
        /// What was written; nil where errors forbade it.
        package let output: URL?
        /// Whether the output was there already, byte for byte, and was left alone.
        package let isUnchanged: Bool
        package let messages: [CompilerMessage]
    }

    private let options: Options

    package init(options: Options = Options()) { self.options = options }

    /// Compiles a model.
    ///
    /// All versions are read and checked for errors; warnings are told for the current one, as nobody may change the
    /// others.
    ///
    /// - Parameters:
    ///   - source: the source model.
    ///   - destination: the file or bundle to write, or a folder, in which the source's name is used.
    /// - Returns: what was written, with all messages; nothing is written if one of them is an error.
    /// - Throws: `CocoaError` naming the file if the source can't be read or the destination can't be written.
    package func compile(_ source: URL, to destination: URL) throws -> Outcome {
        if Self.isMappingModel(source) { return try compileMappingModel(source, to: destination) }
        let document = try SourceDocument(at: source)
        let pathExtension = document.isVersioned ? "momd" : CompiledModelBundle.modelExtension
        let output = OutputFile.url(for: destination, name: document.name, extension: pathExtension)
        if ["mom", "momd"].contains(output.pathExtension), output.pathExtension != pathExtension {
            throw OutputFile.failure(
                output,
                document.isVersioned
                    ? "a model with versions compiles to a folder .momd, not to .mom"
                    : "a model without versions compiles to a file .mom, not to .momd")
        }
        var messages = try check(document)
        let isSound = !messages.contains { $0.severity == .error }
        // What has errors isn't what will be compiled, so it isn't compared.
        guard isSound else { return Outcome(output: nil, isUnchanged: false, messages: messages) }
        messages += try shippedVersions(document, source: source, output: output)
        let isWritten: Bool
        if document.isVersioned {
            let versions = Dictionary(document.versions.map { ($0.name, $0.model) }, uniquingKeysWith: { $1 })
            isWritten = try OutputFile.writeFolder(
                try CompiledModelBundle.files(versions, current: document.current.name, for: output), to: output)
        } else {
            isWritten = try OutputFile.write(try Self.archive(document.current), to: output)
        }
        return Outcome(output: output, isUnchanged: !isWritten, messages: messages)
    }

    /// What the checks find, without writing anything.
    ///
    /// - Throws: `CocoaError` naming the file if the source can't be read.
    package func check(_ source: URL) throws -> [CompilerMessage] {
        if Self.isMappingModel(source) {
            _ = try MappingModelFile.load(at: source)
            return []
        }
        return try check(try SourceDocument(at: source))
    }

    /// Whether a path is a source mapping model: a folder with its file, or that file.
    private static func isMappingModel(_ url: URL) -> Bool {
        let file = OutputFile.isFolder(url) ? url.appendingPathComponent(MappingModelFile.sourceFileName) : url
        return file.lastPathComponent == MappingModelFile.sourceFileName
            && FileManager.default.fileExists(atPath: file.path)
    }

    private func compileMappingModel(_ source: URL, to destination: URL) throws -> Outcome {
        let folder = OutputFile.isFolder(source) ? source : source.standardizedFileURL.deletingLastPathComponent()
        let name = folder.deletingPathExtension().lastPathComponent
        let output = OutputFile.url(for: destination, name: name, extension: MappingModelFile.compiledExtension)
        if ["mom", "momd"].contains(output.pathExtension) {
            throw OutputFile.failure(output, "a mapping model compiles to a file .cdm, not to .\(output.pathExtension)")
        }
        let isWritten = try OutputFile.write(
            try MappingModelFile.data(of: try MappingModelFile.load(at: source)), to: output)
        return Outcome(output: output, isUnchanged: !isWritten, messages: [])
    }

    private func check(_ document: SourceDocument) throws -> [CompilerMessage] {
        try document.versions.flatMap { version -> [CompilerMessage] in
            let isCurrent = version.name == document.current.name
            var findings = ModelLint.findings(in: version.model)
            if isCurrent {
                findings = try (SourceDocument.xmlRoot(of: version).map(SourceSpellingCheck.findings) ?? []) + findings
            }
            // Read from the file, so it is not the strings file beside it.
            if version.model.localizationDictionary != nil {
                findings.append(
                    ModelFinding(
                        .warning, .localization, key: "localization",
                        """
                        localized texts are not compiled: put those of the model's text into \
                        \(document.name)Model.strings
                        """
                    ))
            }
            return findings.filter { isCurrent ? isWanted($0) : $0.severity == .error }.map {
                CompilerMessage($0, path: version.file.path)
            }
        }
    }

    /// A bundle that is there already tells how the versions were when it was compiled.
    private func shippedVersions(_ document: SourceDocument, source: URL, output: URL) throws -> [CompilerMessage] {
        let versions = Dictionary(document.versions.map { ($0.name, $0.model) }, uniquingKeysWith: { $1 })
        var findings: [String: [ModelFinding]] = [:]
        if document.isVersioned, OutputFile.isFolder(output), let old = try? CompiledModelBundle(at: output) {
            // What can't be read is replaced; and the current version is the one that is being worked on.
            findings = ShippedVersionCheck.findings(
                in: versions, changing: document.current.name, shipped: old.versionHashes)
        }
        var missing: [ModelFinding] = []
        if let shipped = options.shipped {
            let hashes = try Self.hashes(ofShipped: shipped, name: document.name)
            findings.merge(ShippedVersionCheck.findings(in: versions, changing: nil, shipped: hashes)) { $1 }
            missing = ShippedVersionCheck.missing(in: versions, shipped: hashes)
        }
        return document.versions.flatMap { version in
            (findings[version.name] ?? []).filter(isWanted).map { CompilerMessage($0, path: version.file.path) }
        } + missing.filter(isWanted).map { CompilerMessage($0, path: source.path) }
    }

    /// The hashes that a bundle declares, or those of its models where it declares none.
    private static func hashes(ofShipped url: URL, name: String) throws -> [String: [String: Data]] {
        guard case .compiledBundle = try ModelFile.form(of: url) else {
            return [name: try ModelFile.load(at: url).entityVersionHashesByName]
        }
        let bundle = try CompiledModelBundle(at: url)
        return try Dictionary(
            uniqueKeysWithValues: bundle.versionNames.map { version in
                (
                    version,
                    try bundle.versionHashes[version] ?? bundle.model(ofVersion: version).entityVersionHashesByName
                )
            })
    }

    private func isWanted(_ finding: ModelFinding) -> Bool {
        finding.severity == .error || !(options.silencesWarnings || options.silencedKinds.contains(finding.kind))
    }

    /// The archive of a version; what can't be archived is told with the version's file.
    private static func archive(_ version: SourceDocument.Version) throws -> Data {
        do {
            return try ModelArchive.encode(version.model, as: .compiled)
        } catch {
            throw ModelFileError.corrupt(version.file, "it can't be compiled: \(ModelArchive.reason(error))")
        }
    }
}
