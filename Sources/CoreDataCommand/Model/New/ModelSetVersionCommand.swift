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
            Programs open stores with the current version. Only the file .xccurrentversion in the bundle changes. It \
            may name a version that is missing.

            Example:
              coredata model set-version Shop.xcdatamodeld "Shop 2"
            """)

    @Argument(help: ArgumentHelp("A bundle of versions (.xcdatamodeld).", valueName: "path"))
    var path: FilePath

    @Argument(help: ArgumentHelp("The name of the version, as 'model show --versions' prints it.", valueName: "name"))
    var name: String

    func run() throws {
        let (files, versions) = try EditorFiles.bundle(path.text)
        guard let version = versions.version(named: name)?.name else {
            throw CommandError.unknownVersion(name, of: path.text, among: versions.versions.map(\.name))
        }
        try files.writeCurrent(version)
        try StandardStreams.outputText("The current version is '\(version)'.")
    }
}
