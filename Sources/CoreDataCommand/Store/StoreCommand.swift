import ArgumentParser
import OpenCoreData

/// `coredata store`
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Reads, shows, examines, fills, copies and migrates a store.",
        subcommands: [
            StoreInfoCommand.self, StoreFetchCommand.self, StoreImportCommand.self, StoreBrowseCommand.self,
            StoreDoctorCommand.self, StoreBackupCommand.self,
            StoreCopyCommand.self, StoreMigrateCommand.self,
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
        abstract: "Prints the metadata of a store, and the number of objects of each entity.",
        discussion: """
            The number for an entity does not include the objects of its subentities. XML and binary stores contain no
            model: without --model, their metadata alone are printed.
            """)

    @OptionGroup var arguments: StoreArguments

    func run() throws {
        let location = arguments.store
        let kind = try StoreFile.kindWithoutModel(StoreFile.type(of: location.url))
        let store = kind == nil || arguments.model != nil ? try arguments.open() : nil
        let metadata = try StoreFile.metadata(at: location.url)
        try StandardStreams.outputText("Store: \(location.text)")
        try StandardStreams.outputText("Metadata:")
        for line in MetadataOutline(metadata: metadata).lines { try StandardStreams.outputText("  \(line)") }
        guard let store else {
            return try StandardStreams.outputText(
                "Entities: not read, since \(kind ?? "the store") contains no model. Add it with --model.")
        }
        try StandardStreams.outputText("Entities:")
        let rows = try store.counts().map { entity, count in
            [entity.name ?? "", entity.isAbstract ? "\(count)  abstract" : "\(count)"]
        }
        for line in ColumnLayout(rows: rows).lines { try StandardStreams.outputText("  \(line)") }
    }
}

/// The metadata of a store as sorted lines `KEY: VALUE`. Version hashes are only counted: `coredata model hashes`
/// prints them.
struct MetadataOutline {
    let metadata: [String: Any]

    var lines: [String] {
        metadata.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.text(of: $0.value))" }
    }

    private static func text(of value: Any) -> String {
        switch value {
        case let data as Data: Wording.count(data.count, "byte")
        case let text as String: text
        case let number as NSNumber: number.stringValue
        case let date as Date: CellValue.text(of: date)
        case let hashes as [String: Data]: Wording.count(hashes.count, "entity")
        case let members as [Any]: "[" + members.map { text(of: $0) }.joined(separator: ", ") + "]"
        case let members as [String: Any]:
            "{" + members.sorted { $0.key < $1.key }.map { "\($0.key): \(text(of: $0.value))" }.joined(separator: ", ")
                + "}"
        default: String(describing: value)
        }
    }
}
