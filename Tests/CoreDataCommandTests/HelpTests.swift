import ArgumentParser
import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata: help and completions")
struct HelpTests {
    private static func commands(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap(commands)
    }

    @Test("each page of help fits into the terminal, and its paragraphs are wrapped once", arguments: [80, 120])
    func pages(columns: Int) {
        for command in Self.commands(CoreDataTool.self) {
            let text = CoreDataTool.helpMessage(for: command, columns: columns)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            // The parser doesn't wrap the line of the usage.
            expectEqual(lines.filter { $0.count > columns && !$0.hasPrefix("USAGE:") }, [], "\(command)")
            let overview = lines.prefix { !$0.hasPrefix("USAGE:") }
            for (line, next) in zip(overview, overview.dropFirst()) {
                guard !line.isEmpty, !line.hasSuffix(":"), let word = next.split(separator: " ").first,
                    ![line, next].contains(where: { $0.hasPrefix(" ") || $0.hasPrefix("- ") })
                else { continue }
                // The parser leaves the last column free.
                #expect(line.count + 1 + word.count >= columns, "\(command): \(line)")
            }
        }
    }

    @Test("the names of entities are completed from the store, or from the model, that the line names")
    func entities() throws {
        let cars = try GrowingCars()
        let store = try cars.makeStore(3)
        expectEqual(EntityCompletion.names(["coredata", "store", "fetch", store, "--entity", ""]), ["Car"])
        let model = ["--model", cars.path(ofVersion: 3)]
        expectEqual(EntityCompletion.names(["coredata", "store", "fetch"] + model + [store, "--entity"]), ["Car"])
        expectEqual(EntityCompletion.names(["coredata", "store", "fetch", "none.sqlite", "--entity"]), [])
        expectEqual(EntityCompletion.names(["store", "fetch", "postgresql://localhost.example/a", "--model"]), [])
    }

    @Test("paths are completed as files, in each shell", arguments: ["bash", "zsh", "fish"])
    func paths(shell: String) async throws {
        let run = try await CommandRun("--generate-completion-script", shell)
        let marks = ["bash": "add_completions -f", "zsh": "_files", "fish": "F"]
        let mark = try requireValue(marks[shell])
        let files = run.lines.filter { shell == "fish" ? $0.hasSuffix(mark) : $0.contains(mark) }
        #expect(files.count > 40, "\(files)")
    }
}
