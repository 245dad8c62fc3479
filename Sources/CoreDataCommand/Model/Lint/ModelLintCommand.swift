// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import OpenCoreData

/// `coredata model lint PATH`
struct ModelLintCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Prints errors and warnings about a model.",
        discussion: """
            Messages have the form of compiler messages: PATH:LINE: warning: MESSAGE. In a bundle, the current version \
            is checked (see --version). The exit code is 1 if there are errors (with --strict also warnings), or if \
            the model can't be read; else 0.

            Examples:
              coredata model lint Shop.xcdatamodeld
              coredata model lint Shop.xcdatamodeld --strict --format json
            """)

    @Argument(help: ArgumentHelp("A source model, a compiled model, or a store with a model cache.", valueName: "path"))
    var path: FilePath

    @Option(help: ArgumentHelp("The version of a bundle to check.", valueName: "name"))
    var version: String?

    @Option(help: "The output format.")
    var format: Format = .text

    @Flag(help: "Exit with code 1 also if there are warnings.")
    var strict = false

    func run() throws {
        let linted = try LintedModel(path: path.text, version: version)
        switch format {
        case .text:
            for finding in linted.findings { try StandardStreams.outputText(finding.text(path: linted.path)) }
            if linted.findings.isEmpty { try StandardStreams.outputText("No problems.") }
        case .json:
            try StandardStreams.output(JSONText.of(linted.findings.map { FindingDocument($0, path: linted.path) }))
        }
        let isFailure = linted.findings.contains { strict || $0.severity == .error }
        if isFailure { throw ExitCode(1) }
    }
}

/// The JSON form of a finding.
private struct FindingDocument: Encodable {
    let path: String
    let line: Int?
    let severity: String
    let kind: String
    let entity: String?
    let key: String?
    let message: String

    init(_ finding: ModelFinding, path: String) {
        self.path = path
        line = finding.line
        severity = finding.severity.rawValue
        kind = finding.kind.rawValue
        entity = finding.entity
        key = finding.key
        message = finding.message
    }
}

/// The findings of a checked model, with the path of its file.
struct LintedModel {
    let path: String
    let findings: [ModelFinding]

    init(path: String, version: String?) throws {
        let versions = try ModelVersions(at: path)
        if version != nil && versions == nil { _ = try ModelSource.versions(at: path) }
        guard let chosen = try version.flatMap({ try versions?.version(named: $0) }) ?? versions?.current else {
            let url = URL(fileURLWithPath: path)
            let file = StoreFile.isStore(url) ? url : try Self.file(of: url)
            try self.init(file: file, model: try ModelSource.model(at: path))
            return
        }
        try self.init(file: try Self.file(of: chosen.url), model: try chosen.model())
    }

    private init(file: URL, model: NSManagedObjectModel) throws {
        path = file.relativePath
        var findings = ModelLint.findings(in: model)
        if file.lastPathComponent == "contents" {
            // The model reader ignores unknown XML attributes.
            let root = try SourceXMLReader.read(try ModelFile.contents(of: file), from: file)
            findings = SourceSpellingCheck.findings(in: root) + findings
        }
        self.findings = findings
    }

    /// The file with the lines of messages: for a source model, the file in its folder.
    private static func file(of url: URL) throws -> URL {
        if case .sourceVersion(let file) = try ModelFile.form(of: url) { return file }
        return url
    }
}
