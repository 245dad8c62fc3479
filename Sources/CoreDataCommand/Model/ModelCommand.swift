import ArgumentParser

/// `coredata model`
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Looks into a model.",
        subcommands: [ModelShowCommand.self, ModelHashesCommand.self])
}
