// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata model show PATH`
struct ModelShowCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case tree, json
    }

    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints a model: entities with their properties, indexes, configurations and fetch requests.",
        discussion: """
            For a bundle, the current version is printed (see --version). --format json prints the complete model as \
            one JSON object with the keys "entities", "configurations" and "fetchRequests". Each entity has \
            "attributes", "relationships", "fetchedProperties", "indexes" and "constraints". Entities and keys are \
            sorted. Values that the model does not set are left out.

            Examples:
              coredata model show Shop.xcdatamodeld
              coredata model show Shop.xcdatamodeld --versions
              coredata model show Shop.momd --version "Shop 2" --format json
              coredata model show Shop.sqlite
            """)

    @Argument(help: ArgumentHelp("A source model, a compiled model, or a store with a model cache.", valueName: "path"))
    var path: FilePath

    @Option(help: "The output format.")
    var format: Format = .tree

    @Option(help: ArgumentHelp("The version of a bundle to print.", valueName: "name"))
    var version: String?

    @Flag(help: "Print the names and checksums of all versions of a bundle.")
    var versions = false

    func validate() throws {
        if versions && version != nil { throw ValidationError("--version and --versions can't be combined.") }
    }

    func run() throws {
        if versions { return try printVersions() }
        let model = try ModelSource.model(at: path.text, version: version)
        switch format {
        case .json: try StandardStreams.output(JSONText.of(ModelDocument(model)))
        case .tree:
            if let heading = try versionHeading() { try StandardStreams.outputText(heading) }
            for line in ModelOutline(model: model).lines { try StandardStreams.outputText(line) }
        }
    }

    /// The name of the printed version; nil for a single model.
    private func versionHeading() throws -> String? {
        guard let versions = try ModelVersions(at: path.text),
            let shown = try version.map(versions.version(named:)) ?? versions.current
        else { return nil }
        let count =
            versions.versions.count == 1
            ? "the only one" : "\(shown.isCurrent ? "current, " : "")one of \(versions.versions.count)"
        return "Version: \(shown.name) (\(count))"
    }

    private func printVersions() throws {
        let versions = try ModelSource.versions(at: path.text)
        let entries = try versions.versions.map { version in
            VersionDocument(
                name: version.name, current: version.isCurrent, checksum: try version.model().versionChecksum)
        }
        switch format {
        case .json: try StandardStreams.output(JSONText.of(entries))
        case .tree:
            let rows = entries.map { [$0.name, $0.checksum, $0.current ? "current" : ""] }
            for line in ColumnLayout(rows: rows).lines { try StandardStreams.outputText(line) }
        }
    }
}

/// The JSON form of a version of a bundle.
private struct VersionDocument: Encodable {
    let name: String
    let current: Bool
    let checksum: String
}
