// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import OpenCoreData

/// `coredata model diff A [B]`
struct ModelDiffCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    /// The exit codes of `diff`.
    private enum Status {
        static let different = ExitCode(1)
        static let failed = ExitCode(2)
    }

    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Prints the differences between two models, by entity and property.",
        discussion: """
            A difference with * changes the version hash of its entity. Stores of the old model need migration then. \
            The summary says whether it is lightweight, and else why not, by entity and property. For a bundle, the \
            current version is compared. With one bundle only, each version is compared with the next. A model in a \
            store has no class names, indexes and fetch requests, so these are not compared. The exit code is 0 \
            without differences, 1 with differences, and 2 after an error.

            Examples:
              coredata model diff Old.momd Shop.xcdatamodeld
              coredata model diff "Shop.xcdatamodeld/Shop.xcdatamodel" \\
                "Shop.xcdatamodeld/Shop 2.xcdatamodel"
              coredata model diff Shop.sqlite Shop.xcdatamodeld --format json
              coredata model diff Shop.xcdatamodeld
            """)

    @Argument(help: ArgumentHelp("The old model: source, compiled, or a store with a model cache.", valueName: "a"))
    var old: FilePath

    @Argument(help: ArgumentHelp("The new model.", valueName: "b"))
    var new: FilePath?

    @Option(help: "The output format.")
    var format: Format = .text

    func run() throws {
        do {
            let reports = try new.map { [try report(old.text, $0.text)] } ?? versionReports()
            switch format {
            case .json: try printJSON(reports)
            case .text: try printText(reports)
            }
            if !reports.allSatisfy(\.comparison.isEqual) { throw Status.different }
        } catch let error where !(error is OutputError || error is ExitCode) {
            try StandardStreams.flush()
            StandardStreams.error("Error: \(ErrorReport.text(for: error))")
            throw Status.failed
        }
    }

    private func report(_ old: String, _ new: String) throws -> ModelDifferenceReport {
        let isStore = [old, new].contains { StoreFile.isStore(URL(fileURLWithPath: $0)) }
        return ModelDifferenceReport(
            oldName: old, newName: new, old: try ModelSource.model(at: old), new: try ModelSource.model(at: new),
            scope: isStore ? .storedPart : .everything)
    }

    /// A report for each version of a bundle and the next version.
    private func versionReports() throws -> [ModelDifferenceReport] {
        let versions = try ModelSource.versions(at: old.text).versions
        guard versions.count > 1 else {
            throw CommandError(
                "\(old.text) has only one version, '\(versions[0].name)'. Add a second model to compare it with.")
        }
        let models = try versions.map { try $0.model() }
        return (1..<versions.count).map { index in
            ModelDifferenceReport(
                oldName: versions[index - 1].name, newName: versions[index].name, old: models[index - 1],
                new: models[index],
                scope: .everything)
        }
    }

    private func printJSON(_ reports: [ModelDifferenceReport]) throws {
        if new == nil {
            try StandardStreams.output(JSONText.of(reports))
        } else {
            for report in reports { try StandardStreams.output(JSONText.of(report)) }
        }
    }

    private func printText(_ reports: [ModelDifferenceReport]) throws {
        for (index, report) in reports.enumerated() {
            if index > 0 { try StandardStreams.outputText("") }
            if new == nil { try StandardStreams.outputText("\(report.oldName) → \(report.newName)") }
            for line in report.lines { try StandardStreams.outputText(line) }
        }
    }
}
