// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import OpenCoreData

/// `coredata model new PATH`
struct ModelNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Makes an empty model.",
        discussion: """
            The extension decides: .xcdatamodeld is a bundle of versions with one version, as Xcode makes it, \
            .xcdatamodel a single model, .coredata a text. With --text the versions of a bundle are texts, which Xcode \
            doesn't read. An existing file or folder is never replaced.

            Examples:
              coredata model new Shop.xcdatamodeld
              coredata model edit Shop.xcdatamodeld
              coredata model new Shop.coredata
              coredata model new Shop.xcdatamodeld --text
            """)

    @Argument(help: ArgumentHelp("The model to make.", valueName: "path"))
    var path: FilePath

    @Flag(help: "Make the version of an .xcdatamodeld a text.")
    var text = false

    func validate() throws {
        let format = ModelFormat(rawValue: url.pathExtension)
        guard [.sourceBundle, .sourceVersion, .text].contains(format) else {
            throw ValidationError(
                "'\(path.text)' has no extension of a source model: .xcdatamodeld, .xcdatamodel or .coredata.")
        }
        try ModelFormat.check(isText: text, for: format)
    }

    private var url: URL { URL(fileURLWithPath: path.text).standardizedFileURL }

    func run() throws {
        let url = url
        let folder = url.deletingLastPathComponent()
        guard OutputFile.isFolder(folder) else {
            throw CommandError("\(path.text) can't be made: there is no folder \(folder.path).")
        }
        guard !FileManager.default.fileExists(atPath: url.path) else {
            throw CommandError(
                "\(path.text) exists already. Edit it: coredata model edit \(ShellText.quoted(path.text))")
        }
        let name = url.deletingPathExtension().lastPathComponent
        try VersionName.check(name)
        let contents = try SourceModelWriter.xml(of: NSManagedObjectModel())
        let example = Data(
            """
            // \(name): a model in the text notation. An entity begins like this:
            //
            // entity Song {
            //     title: string
            //     length: double
            // }

            """.utf8)
        switch ModelFormat(rawValue: url.pathExtension) {
        case .sourceBundle where text:
            try OutputFile.writeFolder([(path: "\(name).coredata", data: example)], to: url)
        case .sourceBundle:
            try OutputFile.writeFolder([(path: "\(name).xcdatamodel/contents", data: contents)], to: url)
        case .sourceVersion: try OutputFile.writeFolder([(path: "contents", data: contents)], to: url)
        default:
            try DurableFile.write(example, to: url)
        }
        try StandardStreams.outputText(
            "\(path.text) is made. Edit it: coredata model edit \(ShellText.quoted(path.text))")
    }
}
