// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import OpenCoreData

/// `coredata model edit PATH`
struct ModelEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edits a model in a web browser: lists, a diagram, text, versions, problems.",
        discussion: """
            Prints a URL, which works on this machine only, and serves its pages until Control-C. The URL contains a \
            secret: anyone who has it can change the model. Nothing is written before Save. A source model of Xcode \
            keeps its form: a change of one attribute is a change of one line.

            Examples:
              coredata model new Shop.xcdatamodeld
              coredata model edit Shop.xcdatamodeld
              coredata model edit Shop.xcdatamodeld --store Shop.sqlite
              coredata model edit Shop.coredata --port 8080
            """)

    @Argument(
        help: ArgumentHelp("A source model (.xcdatamodeld, .xcdatamodel) or a text (.coredata).", valueName: "path"))
    var path: FilePath

    @Option(help: ArgumentHelp("The port. The default is a free one.", valueName: "number"))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "A store, on a copy of which the page of versions tries a migration.", valueName: "store"))
    var store: StoreLocation?

    func run() throws {
        let session = try EditorSession(EditorFiles(path.text), store: store)
        if let store { _ = try StoreFile.metadata(at: store.url) }
        try StandardStreams.atEnd {
            if session.hasUnsavedChanges { StandardStreams.error("Changes that were not saved are dropped.") }
        }
        try WebServer.run(
            port: port,
            started: { url in
                try StandardStreams.outputText("Open \(url)")
                try StandardStreams.outputText("Control-C ends it. \(path.text) changes when you save.")
                try StandardStreams.flush()
            },
            pages: { ModelEditor(session: session, security: $0) })
    }
}
