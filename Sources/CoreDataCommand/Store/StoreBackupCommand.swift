import ArgumentParser
import OpenCoreData

/// `coredata store backup STORE FILE`
struct StoreBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a store, also while programs use it.",
        discussion: """
            The copy is a store of its own, with its external data, and the same UUID. It has what was saved when the
            copying began: all of a save or nothing. Programs go on saving meanwhile. No model is needed.
            """)

    @Argument(help: ArgumentHelp("An SQLite store.", valueName: "store"))
    var store: FilePath

    @Argument(help: ArgumentHelp("The file of the copy.", valueName: "file"))
    var file: FilePath

    @Flag(help: "Replace an existing store.")
    var force = false

    func run() throws {
        let (source, destination) = (URL(fileURLWithPath: store.text), URL(fileURLWithPath: file.text))
        // Reading the metadata first gives a better error for a file that is no store.
        _ = try StoreFile.metadata(at: source)
        if !force, FileManager.default.fileExists(atPath: destination.path) {
            throw CommandError("\(file.text) exists. Replace it with --force.")
        }
        // A backup of an open store does the same. A store that isn't open here needs no model.
        try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
            at: destination, withPersistentStoreFrom: source, type: .sqlite)
        let size = StoreFiles(of: destination.path).files.reduce(0) { $0 + $1.size }
        try StandardStreams.outputText("\(store.text) → \(file.text) (\(Wording.count(size, "byte")))")
    }
}
