import ArgumentParser

/// `coredata model show PATH`
struct ModelShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints a model's entities with their properties, indexes, configurations and fetch requests.")

    @Argument(help: ArgumentHelp("A source model, a compiled model, or a store with a model cache.", valueName: "path"))
    var path: FilePath

    func run() throws {
        let model = try ModelSource.model(at: path.text)
        for line in ModelOutline(model: model).lines { try StandardStreams.outputText(line) }
    }
}
