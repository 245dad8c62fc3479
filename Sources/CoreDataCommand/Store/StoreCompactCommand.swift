// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata store compact STORE`
struct StoreCompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Writes the file of a SQLite store again without free space, and tells its size before and after.",
        discussion: """
            SQLite keeps the space of deleted rows for later ones. Writing the file again takes about as much space \
            beside it meanwhile, and no program may write the store. Objects, keys and the history stay as they are.
            """)

    @Argument(help: ArgumentHelp("A SQLite store.", valueName: "store"))
    var store: StoreLocation

    @Option(help: ArgumentHelp("The model. The default is the model in the store.", valueName: "path"))
    var model: FilePath?

    @Option(help: "The output format.")
    var format: TextFormat = .text

    private struct Document: Encodable {
        let store: String
        let sizeBefore: UInt64
        let sizeAfter: UInt64
    }

    func run() throws {
        if store.isOnServer {
            throw CommandError("\(store.text) is on a server, which gives free space of its tables back by itself.")
        }
        if let kind = StoreFile.kindWithoutModel(try StoreFile.type(of: store.url)) {
            throw CommandError("\(store.text) is \(kind), which each save writes as a whole. It has no free space.")
        }
        store.removeLeftovers()
        // Opening and closing takes the write-ahead log into the file.
        try ReadOnlyStore(store, modelPath: model?.text, isReadOnly: false).close()
        let before = size
        let bar = ProgressBar("writing the file again")
        defer { bar.clear() }
        try ReadOnlyStore(
            store, modelPath: model?.text, isReadOnly: false, options: [NSSQLiteManualVacuumOption: true]
        ).close()
        bar.clear()
        switch format {
        case .json:
            try StandardStreams.output(
                JSONText.of(Document(store: store.text, sizeBefore: before, sizeAfter: size)))
        case .text:
            try StandardStreams.outputText(
                "\(store.text): \(Wording.count(before, "byte")) → \(Wording.count(size, "byte"))")
        }
    }

    /// The size of the database and its write-ahead log.
    private var size: UInt64 {
        StoreFiles(of: store.url.path).files.filter { !$0.role.hasPrefix("external") }.reduce(0) { $0 + $1.size }
    }
}
