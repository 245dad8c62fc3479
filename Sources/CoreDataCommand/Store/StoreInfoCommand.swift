import ArgumentParser
import OpenCoreData

/// `coredata store info STORE`
struct StoreInfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Prints a store's metadata, and its entities with the count of their objects.",
        discussion: "The count of an entity leaves out the objects of its subentities.")

    @OptionGroup var arguments: StoreArguments

    func run() throws {
        let store = try arguments.open()
        try StandardStreams.outputText("Store: \(store.path)")
        let metadata = try StoreFile.metadata(at: URL(fileURLWithPath: store.path))
        try StandardStreams.outputText("Metadata:")
        for line in MetadataOutline(metadata: metadata).lines { try StandardStreams.outputText("  \(line)") }
        try StandardStreams.outputText("Entities:")
        let rows = try counts(in: store).map { [$0.name, $0.text] }
        for line in ColumnLayout(rows: rows).lines { try StandardStreams.outputText("  \(line)") }
    }

    private func counts(in store: ReadOnlyStore) throws -> [(name: String, text: String)] {
        let entities = store.coordinator.managedObjectModel.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        return try store.context.performAndWait {
            try entities.map { entity in
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                request.includesSubentities = false
                let count = try store.context.count(for: request)
                return (entity.name ?? "", entity.isAbstract ? "\(count)  abstract" : "\(count)")
            }
        }
    }
}
