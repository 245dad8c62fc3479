// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataClasses
import CoreDataModel
import OpenCoreData

/// `coredata model generate PATH FOLDER`
struct ModelGenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes the classes of a model's entities in Swift.",
        discussion: """
            The code generation of each entity decides, as in Xcode: both files for a class, the properties for a \
            category or extension, none for manual; --include-manual writes both for these too. With the plugin of \
            this package no classes need to be generated: it does so in each build. Files with the same text aren't \
            written again.

            Examples:
              coredata model generate Shop.xcdatamodeld Sources/Shop
              coredata model generate Shop.momd Sources/Shop --version "Shop 2" \\
                --style self-contained
            """)

    @Argument(help: ArgumentHelp("A source model, a compiled model, or a text.", valueName: "path"))
    var path: FilePath

    @Argument(help: ArgumentHelp("The folder of the files. It is made if it is missing.", valueName: "folder"))
    var folder: FilePath

    @Option(help: ArgumentHelp("The version of a bundle.", valueName: "name"))
    var version: String?

    @Option(help: "portable: @NSManaged, for the plugin and for Xcode. self-contained: accessors, without the plugin.")
    var style: ClassGenerationOptions.Style = .portable

    @Option(help: "The access of the classes: public, package or internal.")
    var access: ClassGenerationOptions.Access = .public

    @Option(
        help: ArgumentHelp("The module of the classes. Classes of other modules aren't written.", valueName: "name"))
    var module: String?

    @Flag(help: "Write both files for entities with manual code generation too.")
    var includeManual = false

    func validate() throws {
        if let module, !SwiftName.isIdentifier(module) {
            throw ValidationError("'\(module)' is no valid module name.")
        }
    }

    func run() throws {
        let model = try ModelSource.model(at: path.text, version: version)
        let generator = ClassGenerator(
            model: model,
            options: ClassGenerationOptions(
                style: style, access: access, module: module, includesManual: includeManual))
        for finding in generator.findings { StandardStreams.error(finding.text(path: path.text)) }
        let files = try generator.files()
        guard !files.isEmpty else {
            throw CommandError(
                """
                \(path.text) has no entity whose classes are generated: all have manual code generation. Choose Class \
                Definition for them in the editor, or add --include-manual.
                """)
        }
        let url = URL(fileURLWithPath: folder.text)
        if !OutputFile.isFolder(url) {
            do {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            } catch {
                throw CommandError("The folder \(folder.text) can't be made: \(error.localizedDescription)")
            }
        }
        try OutputFile.write(files.map { ($0.name, Data($0.text.utf8)) }, into: url)
        for file in files { try StandardStreams.outputText(file.name) }
        // Not among the names, which a script may read.
        if style == .portable {
            StandardStreams.error(
                "note: these classes need the plugin, or Xcode. Without it: --style self-contained")
        }
    }
}

extension ClassGenerationOptions.Style: ExpressibleByArgument {}
extension ClassGenerationOptions.Access: ExpressibleByArgument {}
