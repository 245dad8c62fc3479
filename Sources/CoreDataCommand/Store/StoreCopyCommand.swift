// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataPostgreSQL
import OpenCoreData

/// `coredata store copy SOURCE DESTINATION`
struct StoreCopyCommand: ParsableCommand {
    enum FileType: String, ExpressibleByArgument, CaseIterable {
        case sqlite, binary, xml

        var type: NSPersistentStore.StoreType {
            switch self {
            case .sqlite: .sqlite
            case .binary: .binary
            case .xml: .xml
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copies a store to a file or a server, with another type if wanted.",
        discussion: """
            Files of SQLite, XML and binary stores, and stores on a PostgreSQL server can be copied into one another. \
            The copy has the objects, their relationships, their order and the UUID. A copy of another type has no \
            history. The model is needed for XML and binary stores only: others contain it. The store should not be \
            written meanwhile, unless it is copied to one of the same type.

            The copy replaces a store at the destination, with --force, when it is complete.

            Examples:
              coredata store copy Shop.sqlite 'postgresql://app@db.example/shop?schema=shop'
              coredata store copy 'postgresql://app@db.example/shop?schema=shop' Shop.xml
            """)

    @Argument(help: ArgumentHelp("The store: a file, or a URL of PostgreSQL.", valueName: "source"))
    var source: StoreLocation

    @Argument(help: ArgumentHelp("The copy: a file, or a URL of PostgreSQL.", valueName: "destination"))
    var destination: StoreLocation

    @Option(help: ArgumentHelp("The model. The default is the model in the store.", valueName: "path"))
    var model: FilePath?

    @Option(help: "The type of a file. The default is xml for .xml, binary for .binary, otherwise sqlite.")
    var type: FileType?

    @Flag(help: "Replace an existing store.")
    var force = false

    @Option(help: "The output format.")
    var format: TextFormat = .text

    func validate() throws {
        if type != nil, destination.isOnServer { throw ValidationError("--type is for files.") }
    }

    func run() throws {
        // The error of a file that is no store.
        _ = try StoreFile.type(of: source.url)
        source.removeLeftovers()
        if destination.isOnServer {
            if !force, try PostgreSQLStoreCheck.exists(at: destination.url) {
                throw CommandError("\(destination.text) exists. Replace it with --force.")
            }
        } else {
            try CopyDestination(url: destination.url, text: destination.text).check(
                source: source.url, replaces: force)
        }
        try StandardStreams.removeUnfinishedFilesAtEnd()
        let bar = ProgressBar("copying the store")
        defer { bar.clear() }
        try StoreCopying(
            source: source, destination: destination, type: type?.type ?? destination.newStoreType,
            modelPath: model?.text
        ).run { bar.show(fraction: $0) }
        bar.clear()
        switch format {
        case .text: try StandardStreams.outputText("\(source.text) → \(destination.text)")
        case .json:
            try StandardStreams.output(
                JSONText.of(CopyDocument(source: source.text, destination: destination.text, size: nil)))
        }
    }
}

/// The JSON form of a copy.
struct CopyDocument: Encodable {
    let source: String
    let destination: String
    /// In bytes; nil for a copy on a server.
    let size: UInt64?
}
