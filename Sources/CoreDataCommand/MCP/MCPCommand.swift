// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata mcp [PATH …]`
struct MCPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Answers programs that write code about stores and models, by the Model Context Protocol.",
        discussion: """
            Reads requests from standard input and writes answers to standard output, a line of JSON each. The tools \
            are verbs of this command: what a store contains, fetches and their SQL, history, differences, an \
            examination, the plan of a migration, models, their differences and faults. Each call is a process of its \
            own, which ends with the call.

            Files at the given paths and below them can be read, and no others; a store on a server only by its whole \
            URL. Nothing is changed without --edit, which adds the import of rows.

            An entry in the configuration of a client:
              {"mcpServers": {"coredata": {"command": "coredata", "args": ["mcp", "Data"]}}}
            """)

    @Argument(
        help: ArgumentHelp(
            "Stores, models and folders that can be read. The default is the current folder.", valueName: "path"))
    var paths: [FilePath] = []

    @Flag(help: "Let calls import rows into stores.")
    var edit = false

    @Option(help: ArgumentHelp("How long a call may take.", valueName: "seconds"))
    var seconds = 60

    @Option(help: ArgumentHelp("The size at which the text of an answer is cut.", valueName: "bytes"))
    var mostBytes = 100_000

    func validate() throws {
        if !(1...86_400).contains(seconds) { throw ValidationError("--seconds must be 1 to 86400.") }
        if !(1000...100_000_000).contains(mostBytes) {
            throw ValidationError("--most-bytes must be 1000 to 100000000.")
        }
    }

    func run() throws {
        guard let program = Bundle.main.executableURL else {
            throw CommandError("The path of this program is unknown. Start it by its path.")
        }
        let limits = MCPProcess.Limits(seconds: seconds, bytes: mostBytes)
        let server = MCPServer(
            tools: MCPTool.all.filter { edit || !$0.changesStores },
            paths: try MCPPaths(paths.isEmpty ? ["."] : paths.map(\.text)),
            program: program, limits: limits)
        try server.run(FileHandle.standardInput)
    }
}
