// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import OpenCoreData

/// `coredata model set-version PATH NAME`
struct ModelSetVersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-version",
        abstract: "Makes a version of a bundle the current one.",
        discussion: """
            Programs open stores with the current version. Only the file .xccurrentversion in the bundle changes.

            Example:
              coredata model set-version Shop.xcdatamodeld "Shop 2"
            """)

    @Argument(help: ArgumentHelp("A bundle of versions (.xcdatamodeld).", valueName: "path"))
    var path: FilePath

    @Argument(help: ArgumentHelp("The name of the version, as 'model show --versions' prints it.", valueName: "name"))
    var name: String

    func run() throws {
        let files = try EditorFiles(bundle: path)
        let version = try ModelSource.versions(at: path.text).version(named: name).name
        try files.writeCurrent(version)
        try StandardStreams.outputText("The current version is '\(version)'.")
    }
}

extension EditorFiles {
    /// The files of a bundle with versions.
    ///
    /// - Throws: an error with the remedy for a model without versions, and what ``init(_:)`` throws.
    init(bundle path: FilePath) throws {
        try self.init(path.text)
        guard kind == .bundle else {
            throw CommandError(
                """
                \(path.text) has no versions. Convert it to a bundle first: coredata model convert \
                \(FetchCommandLine.quoted(path.text)) \
                \(FetchCommandLine.quoted(url.deletingPathExtension().lastPathComponent + ".xcdatamodeld"))\
                \(isText ? " --text" : "")
                """)
        }
    }
}
