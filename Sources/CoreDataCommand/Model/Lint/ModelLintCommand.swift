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
        abstract: "Says what is wrong, or likely to be wrong, in a model.",
        discussion: """
            Findings are printed as compilers print them: PATH:LINE: warning: MESSAGE. Of a bundle the current version is checked,
            unless --version names another.
            Exit code 0: no error; 1: errors, or with --strict warnings, or a model that can't be read.

            Examples:
              coredata model lint Shop.xcdatamodeld
              coredata model lint Shop.xcdatamodeld --strict --format json
            """)

    @Argument(help: ArgumentHelp("A source model, a compiled model, or a store with a model cache.", valueName: "path"))
    var path: FilePath

    @Option(help: ArgumentHelp("The version of a bundle that is checked.", valueName: "name"))
    var version: String?

    @Option(help: "How it is printed: text for people and editors, json for programs.")
    var format: Format = .text

    @Flag(help: "Have warnings be failures too.")
    var strict = false

    func run() throws {
        let linted = try LintedModel(path: path.text, version: version)
        switch format {
        case .text: for finding in linted.findings { try StandardStreams.outputText(finding.text(path: linted.path)) }
        case .json:
            try StandardStreams.output(JSONText.of(linted.findings.map { FindingDocument($0, path: linted.path) }))
        }
        let isFailure = linted.findings.contains { strict || $0.severity == .error }
        if isFailure { throw ExitCode(1) }
    }
}

/// A finding as JSON has it.
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
