// SPDX-License-Identifier: Apache-2.0

/// Compiles source models as Apple's `momc` does: `.xcdatamodel` to `.mom`, `.xcdatamodeld` to `.momd`, and mapping
/// models, `.xcmappingmodel` to `.cdm`.
package struct ModelCompiler {
    /// The checks during compilation.
    package struct Options: Sendable {
        /// The kinds of warnings that are not reported. Errors are always reported.
        package var silencedKinds: Set<ModelFinding.Kind> = []
        /// Whether no warning is reported.
        package var silencesWarnings = false
        /// A compiled bundle whose versions must not have changed.
        package var shipped: URL?
        /// The module of classes whose names begin with a dot (Xcode's "Current Product Module"); nil if it is unknown.
        package var module: String?

        package init() {}
    }

    /// The result of a compilation.
    package struct Outcome {
        /// The file or bundle that was written; nil if there are errors.
        package let output: URL?
        /// Whether the output existed already with the same bytes, and was not written.
        let isUnchanged: Bool
        package let messages: [CompilerDiagnostic]
    }

    private let options: Options

    package init(options: Options = Options()) { self.options = options }

    /// Compiles a model.
    ///
    /// All versions are checked for errors. Warnings are reported for the current version only, because the other
    /// versions must not change.
    ///
    /// - Parameters:
    ///   - source: the source model.
    ///   - destination: the file or bundle to write, or a folder, in which the name of the source is used.
    /// - Returns: the output and all diagnostics. Nothing is written if one of them is an error.
    /// - Throws: `CocoaError` with the file if the source can't be read or the destination can't be written.
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
        try OutputFile.requireCompiled(output, of: source, extension: pathExtension, isFolder: document.isVersioned)
        var messages = try check(document)
        let isSound = !messages.contains { $0.severity == .error }
        // A model with errors isn't compared, because it isn't compiled.
        guard isSound else { return Outcome(output: nil, isUnchanged: false, messages: messages) }
        messages += try shippedVersions(document, source: source, output: output)
        if let module = options.module { for version in document.versions { version.model.nameOwnModule(module) } }
        let isWritten: Bool
        if document.isVersioned {
            let versions = Dictionary(document.versions.map { ($0.name, $0.model) }, uniquingKeysWith: { $1 })
            isWritten = try OutputFile.writeFolder(
                try CompiledModelBundle.files(
                    versions, current: document.current.name, isNamed: document.namesCurrentVersion, for: output),
                to: output)
        } else {
            isWritten = try OutputFile.write(try Self.archive(document.current), to: output)
        }
        return Outcome(output: output, isUnchanged: !isWritten, messages: messages)
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
        try OutputFile.requireCompiled(
            output, of: folder, extension: MappingModelFile.compiledExtension, isFolder: false)
        let isWritten = try OutputFile.write(
            try MappingModelFile.data(of: try MappingModelFile.load(at: source)), to: output)
        return Outcome(output: output, isUnchanged: !isWritten, messages: [])
    }

    private func check(_ document: SourceDocument) throws -> [CompilerDiagnostic] {
        try document.versions.flatMap { version -> [CompilerDiagnostic] in
            let isCurrent = version.name == document.current.name
            var findings = isCurrent ? ModelLint.findings(in: version.model) : ModelLint.errors(in: version.model)
            if isCurrent {
                findings = try (SourceDocument.xmlRoot(of: version).map(SourceSpellingCheck.findings) ?? []) + findings
            }
            // The texts are from the model file, because strings files weren't read.
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
                CompilerDiagnostic($0, path: version.file.path)
            }
        }
    }

    /// The versions that changed since the existing bundle, or the shipped one, was compiled.
    private func shippedVersions(_ document: SourceDocument, source: URL, output: URL) throws -> [CompilerDiagnostic] {
        let versions = Dictionary(document.versions.map { ($0.name, $0.model) }, uniquingKeysWith: { $1 })
        var findings: [String: [ModelFinding]] = [:]
        if document.isVersioned, OutputFile.isFolder(output), let old = try? CompiledModelBundle(at: output) {
            // An unreadable bundle is replaced. The current version may change.
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
            (findings[version.name] ?? []).filter(isWanted).map { CompilerDiagnostic($0, path: version.file.path) }
        } + missing.filter(isWanted).map { CompilerDiagnostic($0, path: source.path) }
    }

    /// The hashes that a bundle declares. If it declares none, the hashes of its models.
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

    /// The archive of a version. An error names the file of the version.
    private static func archive(_ version: SourceDocument.Version) throws -> Data {
        do {
            return try ModelArchive.encode(version.model, as: .compiled)
        } catch {
            throw ModelFileError.corrupt(version.file, "it can't be compiled: \(ModelArchive.reason(error))")
        }
    }
}
