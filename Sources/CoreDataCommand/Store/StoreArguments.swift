import ArgumentParser

/// What every verb on a store takes.
struct StoreArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("A SQLite store.", valueName: "store"))
    var store: FilePath

    @Option(help: ArgumentHelp("The model to use instead of the one cached in the store.", valueName: "path"))
    var model: FilePath?

    /// Opens the store with the model that the arguments ask for.
    func open() throws -> ReadOnlyStore {
        try ReadOnlyStore(path: store.text, modelPath: model?.text)
    }
}
