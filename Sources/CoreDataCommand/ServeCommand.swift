// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata serve`: hands over to the program `coredata-serve`, which has a package of its own.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves a model: devices sync their stores with the server's.",
        discussion: """
            Runs the program coredata-serve, which stands beside this one or in PATH, with the same arguments. It is \
            built from the folder Server of OpenCoreData: 'swift build -c release --product coredata-serve'.
            """)

    @Argument(parsing: .captureForPassthrough, help: "The arguments of coredata-serve.")
    var arguments: [String] = []

    func run() throws {
        guard let program = Self.program else {
            guard arguments != ["--help"], arguments != ["-h"] else { throw CleanExit.helpRequest(self) }
            throw CoreDataErrors.error(
                NSCoreDataError, "There is no program coredata-serve.",
                reason: "It stands neither beside this program nor in a folder of PATH.",
                suggestion: """
                    Build it in the folder Server of OpenCoreData by 'swift build -c release --product \
                    coredata-serve', and copy it into a folder of PATH.
                    """)
        }
        try StandardStreams.flush()
        let words = ([program.path] + arguments).map { strdup($0) } + [nil]
        execv(program.path, words)
        let code = errno
        throw CoreDataErrors.error(
            NSCoreDataError, "The program \(program.path) can\u{2019}t be run.",
            reason: String(cString: strerror(code)))
    }

    /// The program beside this one, or the first one in the folders of PATH.
    private static var program: URL? {
        let beside = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = [beside].compactMap { $0 } + path.split(separator: ":").map { URL(fileURLWithPath: String($0)) }
        return folders.map { $0.appendingPathComponent("coredata-serve") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
