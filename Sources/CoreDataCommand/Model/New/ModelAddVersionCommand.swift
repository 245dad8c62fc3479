// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import OpenCoreData

/// `coredata model add-version PATH [NAME]`
struct ModelAddVersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-version",
        abstract: "Adds a version to a bundle, a copy of another one.",
        discussion: """
            The copy has the same bytes. It becomes the current version with --current only; until then the bundle \
            compiles as before. Versions that were released must not change: add one before you edit the model.

            Examples:
              coredata model add-version Shop.xcdatamodeld
              coredata model add-version Shop.xcdatamodeld "Shop 3" \\
                --from "Shop 2" --current
            """)

    @Argument(help: ArgumentHelp("A bundle of versions (.xcdatamodeld).", valueName: "path"))
    var path: FilePath

    @Argument(help: ArgumentHelp("The name of the new version. The default is the next number.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The version that is copied. The default is the current one.", valueName: "name"))
    var from: String?

    @Flag(help: "Make it the current version.")
    var current = false

    func run() throws {
        let files = try EditorFiles.bundle(path.text).files
        let (names, now) = try files.versions()
        let source = try ModelSource.versions(at: path.text).version(named: from ?? now).name
        let added = try VersionName.checked(name ?? "", among: names, of: files)
        // A damaged version isn't copied.
        let version = try files.read(source)
        _ = try files.write(version.data, added)
        // A bundle with several versions names the current one.
        try files.writeCurrent(current ? added : now)
        try StandardStreams.outputText(
            "The version '\(added)' is a copy of '\(source)'. The current version is '\(current ? added : now)'.")
    }
}
