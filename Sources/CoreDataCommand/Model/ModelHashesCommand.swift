import ArgumentParser
import OpenCoreData

/// `coredata model hashes PATH`
struct ModelHashesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hashes",
        abstract: "Prints the version hash of each entity, one line ENTITY HEX each, sorted by name.",
        discussion:
            "For a store these are the hashes in its metadata, so that a store without a model cache has them too.")

    @Argument(help: ArgumentHelp("A source model, a compiled model, or a store.", valueName: "path"))
    var path: FilePath

    func run() throws {
        let hashes = try ModelSource.versionHashes(at: path.text)
        for (name, hash) in hashes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            try StandardStreams.outputText("\(name) \(Hexadecimal.text(of: hash))")
        }
    }
}
