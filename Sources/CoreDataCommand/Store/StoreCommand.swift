import ArgumentParser

/// `coredata store`
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Looks into a store, without writing to it.",
        subcommands: [StoreInfoCommand.self, StoreFetchCommand.self])
}
