// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata store`
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Reads, shows, fills, compares, examines, copies and migrates stores.",
        subcommands: [
            StoreInfoCommand.self, StoreFetchCommand.self, StoreImportCommand.self, StoreBrowseCommand.self,
            StoreHistoryCommand.self, StoreDiffCommand.self, StoreDoctorCommand.self, StoreBackupCommand.self,
            StoreCopyCommand.self, StoreCompactCommand.self, StoreMigrateCommand.self,
        ])
}

/// The arguments of all commands on stores.
struct StoreArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("\(StoreLocation.help)", valueName: "store"))
    var store: StoreLocation

    @Option(help: ArgumentHelp("The model. The default is the model in the store.", valueName: "path"))
    var model: FilePath?

    /// Opens the store with the model of the arguments.
    func open() throws -> ReadOnlyStore {
        store.removeLeftovers()
        return try ReadOnlyStore(store, modelPath: model?.text)
    }
}

/// `coredata store info STORE`
struct StoreInfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Prints the number of objects of each entity, and the metadata of a store.",
        discussion: """
            The number for an entity does not include the objects of its subentities. XML and binary stores contain no \
            model: without --model, their metadata alone are printed.
            """)

    @OptionGroup var arguments: StoreArguments

    @Option(help: "The output format.")
    var format: TextFormat = .text

    func run() throws {
        let location = arguments.store
        let bar = ProgressBar("counting the objects")
        defer { bar.clear() }
        let kind = try StoreFile.kindWithoutModel(StoreFile.type(of: location.url))
        let store = kind == nil || arguments.model != nil ? try arguments.open() : nil
        let metadata = try StoreFile.metadata(at: location.url)
        let counts = try store?.counts()
        bar.clear()
        if format == .json {
            return try StandardStreams.output(
                JSONText.of(InfoDocument(store: location.text, metadata: metadata, counts: counts)))
        }
        try StandardStreams.outputText("Store: \(location.text)")
        if let counts {
            try StandardStreams.outputText("Entities:")
            let rows = counts.map { entity, count in
                [entity.name ?? "", entity.isAbstract ? "\(count)  abstract" : "\(count)"]
            }
            for line in ColumnLayout(rows: rows).lines { try StandardStreams.outputText("  \(line)") }
        } else {
            try StandardStreams.outputText(
                "Entities: not read, since \(kind ?? "the store") contains no model. Add it with --model.")
        }
        try StandardStreams.outputText("Metadata:")
        for line in MetadataOutline(metadata: metadata).lines { try StandardStreams.outputText("  \(line)") }
    }
}

/// The JSON form of the information on a store.
private struct InfoDocument: Encodable {
    struct Entity: Encodable {
        let entity: String
        let count: Int
        let abstract: Bool
    }

    let store: String
    /// Texts, as the outline has them; numbers and lists are texts too.
    let metadata: [String: String]
    /// Nil for a store whose model is not known.
    let entities: [Entity]?

    init(store: String, metadata: [String: Any], counts: [(entity: NSEntityDescription, count: Int)]?) {
        self.store = store
        self.metadata = metadata.mapValues(MetadataOutline.text)
        entities = counts?.map { Entity(entity: $0.name ?? "", count: $1, abstract: $0.isAbstract) }
    }
}

/// The metadata of a store as sorted lines `KEY: VALUE`. Version hashes are only counted: `coredata model hashes`
/// prints them.
struct MetadataOutline {
    let metadata: [String: Any]

    var lines: [String] {
        metadata.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.text(of: $0.value))" }
    }

    static func text(of value: Any) -> String {
        switch value {
        case let data as Data: Wording.count(data.count, "byte")
        case let text as String: text
        case let number as NSNumber: number.stringValue
        case let date as Date: DateText.text(of: date)
        case let hashes as [String: Data]: Wording.count(hashes.count, "entity")
        case let members as [Any]: "[" + members.map { text(of: $0) }.joined(separator: ", ") + "]"
        case let members as [String: Any]:
            "{" + members.sorted { $0.key < $1.key }.map { "\($0.key): \(text(of: $0.value))" }.joined(separator: ", ")
                + "}"
        default: String(describing: value)
        }
    }
}
