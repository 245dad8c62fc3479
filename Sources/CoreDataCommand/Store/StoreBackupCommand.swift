// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata store backup STORE FILE`
struct StoreBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a store, also while programs use it.",
        discussion: """
            The copy is a store of its own, of the same type, with its external data, and the same UUID. It has what \
            was saved when the copying began, or later: all of a save or nothing. Programs go on saving meanwhile. No \
            model is needed.

            The backup of a store on a server is a SQLite store. It is made with the model in the store, and has no \
            history.
            """)

    @Argument(help: ArgumentHelp("\(StoreLocation.help)", valueName: "store"))
    var store: StoreLocation

    @Argument(help: ArgumentHelp("The file of the copy.", valueName: "file"))
    var file: FilePath

    @Flag(help: "Replace an existing store.")
    var force = false

    @Option(help: "The output format.")
    var format: TextFormat = .text

    func run() throws {
        let (source, destination) = (store.url, URL(fileURLWithPath: file.text))
        if StoreLocation(file.text).isOnServer {
            throw CommandError("A backup is a file. 'coredata store copy' copies a store to a server.")
        }
        // The error of a file that is no store.
        let type = try StoreFile.type(of: source)
        store.removeLeftovers()
        try CopyDestination(url: destination, text: file.text).check(source: source, replaces: force)
        try StandardStreams.removeUnfinishedFilesAtEnd()
        let bar = ProgressBar("copying the store")
        defer { bar.clear() }
        if store.isOnServer {
            try StoreCopying(
                source: store, destination: StoreLocation(file.text), type: .sqlite, modelPath: nil
            ).run { bar.show(fraction: $0) }
        } else {
            // A backup of an open store does the same. A store that isn't open here needs no model.
            try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
                at: destination, withPersistentStoreFrom: source, type: type)
        }
        let size = StoreFiles(of: destination.path).files.reduce(0) { $0 + $1.size }
        bar.clear()
        switch format {
        case .text: try StandardStreams.outputText("\(store.text) → \(file.text) (\(Wording.count(size, "byte")))")
        case .json:
            try StandardStreams.output(
                JSONText.of(CopyDocument(source: store.text, destination: file.text, size: size)))
        }
    }
}
