import ArgumentParser

/// `coredata model`
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Looks into models, compares, converts, checks and draws them.",
        subcommands: [
            ModelShowCommand.self, ModelHashesCommand.self, ModelDiffCommand.self, ModelConvertCommand.self,
            ModelLintCommand.self, ModelDiagramCommand.self,
        ])
}
