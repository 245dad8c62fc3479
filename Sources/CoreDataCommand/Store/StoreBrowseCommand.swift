// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata store browse STORE`
struct StoreBrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Shows a store in a web browser: entities, tables, objects, model, history.",
        discussion: """
            Prints a URL, which works on this machine only, and serves its pages until Control-C. The URL contains a \
            secret: anyone who has it can read the store. The store is opened for reading, and never changed without \
            --edit. Attributes that a model in a store lacks, such as fetch requests, need --model.

            Examples:
              coredata store browse Shop.sqlite
              coredata store browse Shop.sqlite --model Shop.xcdatamodeld --port 8080
              coredata store browse 'postgresql://me@db/shop' --edit
            """)

    @OptionGroup var arguments: StoreArguments

    @Option(help: ArgumentHelp("The port. The default is a free one.", valueName: "number"))
    var port: UInt16 = 0

    @Flag(help: "Allow changes: forms with validation, new objects, deletion with a preview, undo.")
    var edit = false

    @Flag(help: "Open the URL in the web browser of this machine.")
    var open = false

    @Option(help: "The format of the line with the URL.")
    var format: TextFormat = .text

    func run() throws {
        arguments.store.removeLeftovers()
        let store = try BrowserStore(arguments.store, modelPath: arguments.model?.text, isEditable: edit)
        try StandardStreams.atEnd { store.close() }
        try WebServer.run(
            port: port,
            started: { url in
                switch format {
                case .json: try StandardStreams.output(JSONText.line(of: ["url": "\(url)"]))
                case .text:
                    try StandardStreams.outputText("Open \(url)")
                    try StandardStreams.outputText(
                        "Control-C ends it. \(edit ? "Forms change the store." : "The store is read only.")")
                }
                try StandardStreams.flush()
                if open { try WebBrowser.open(url) }
            },
            pages: { StoreBrowser(store: store, security: $0) })
    }
}
