// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata model`
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Edits, prints, compares, converts, checks and draws models.",
        subcommands: [
            ModelShowCommand.self, ModelHashesCommand.self, ModelDiffCommand.self, ModelConvertCommand.self,
            ModelLintCommand.self, ModelDiagramCommand.self, ModelEditCommand.self, ModelNewCommand.self,
            ModelAddVersionCommand.self, ModelSetVersionCommand.self, ModelGenerateCommand.self,
        ])
}

/// `coredata model hashes PATH`
struct ModelHashesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hashes",
        abstract: "Prints the version hash of each entity as ENTITY HEX, sorted by name.",
        discussion: "The hashes of a store are read from its metadata. It needs no model cache.")

    @Argument(help: ArgumentHelp("A source model, a compiled model, or a store.", valueName: "path"))
    var path: FilePath

    @Option(help: "The output format.")
    var format: TextFormat = .text

    func run() throws {
        let hashes = try ModelSource.versionHashes(at: path.text)
        if format == .json {
            return try StandardStreams.output(JSONText.of(hashes.mapValues(Hexadecimal.text)))
        }
        for (name, hash) in hashes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            try StandardStreams.outputText("\(name) \(Hexadecimal.text(of: hash))")
        }
    }
}

/// Bytes as lowercase hexadecimal digits.
enum Hexadecimal {
    static func text(of data: Data) -> String {
        let digits = Array("0123456789abcdef")
        return String(data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
