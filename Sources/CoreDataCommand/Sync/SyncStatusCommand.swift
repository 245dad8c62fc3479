// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataSync
import OpenCoreData

/// `coredata sync status STORE`
struct SyncStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Prints what a store that syncs has to send and to get, and the changes that the server refused.",
        discussion: """
            Reads the side store of CoreDataSync beside the store, and the history of the store. Neither is changed, \
            also while a program syncs them. A store without a side store doesn't sync yet, which is an error.

            Pending changes are those that the server doesn't have yet. Saves that the engine hasn't looked at become \
            pending changes when a program next syncs the store. The problems are changes that the server refused, or \
            that came too late: the program repeats or drops them by SyncEngine. --changes lists each pending change; \
            JSON always has them.

            Examples:
              coredata sync status Notes.sqlite
              coredata sync status Notes.sqlite --changes
              coredata sync status Notes.sqlite --side-store Other.sqlite --format json
            """)

    @OptionGroup
    var arguments: SyncStoreArguments

    @Flag(help: "List each pending change: its kind, its object, the changed properties.")
    var changes = false

    @Option(help: "The output format.")
    var format: TextFormat = .text

    func run() throws {
        let store = arguments.store
        if store.isOnServer {
            throw CommandError(
                "\(store.text) is on a server: a side store stands beside a file. Give the store of a device.")
        }
        if let kind = StoreFile.kindWithoutModel(try StoreFile.type(of: store.url)) {
            throw CommandError("\(store.text) is \(kind): stores that sync are SQLite stores.")
        }
        let side = try arguments.sideStoreURL(remedy: "Give the side store by --side-store.")
        // Before the store is opened: SQLite makes files beside a store while it is open.
        guard FileManager.default.fileExists(atPath: side.path) else { throw CommandError(.missing(side)) }
        let opened = try ReadOnlyStore(store, modelPath: arguments.model?.text)
        defer { opened.close() }
        let reader = try opened.sideStoreReader(at: side)
        defer { reader.close() }
        let status = try reader.status()
        let listed = changes || format == .json ? try reader.changes() : []
        let names = try SyncObjectNames(status, listed, in: opened.context)
        switch format {
        case .json:
            try StandardStreams.output(
                JSONText.of(SyncStatusDocument(store.text, side.path, status, changes: listed, names)))
        case .text:
            let text = SyncStatusText(status: status, changes: listed, names: names)
            let heads = ["Store: \(store.text)", "Side store: \(side.path)"]
            for line in heads + text.lines { try StandardStreams.outputText(line) }
        }
    }
}
