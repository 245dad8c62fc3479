// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// The root command with its subcommands.
@main
struct CoreDataTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coredata",
        abstract: "Reads, fills, compares and migrates Core Data stores; prints, checks and converts models.",
        discussion: """
            The path of a model may be a source model (.xcdatamodeld, .xcdatamodel, .coredata), a compiled model \
            (.momd, .mom) or a store.

            'store import', 'store migrate', 'store compact' and 'store browse --edit' alone change a store, and \
            'model edit', 'add-version' and 'set-version' alone a model. Existing files are replaced with --force \
            only.

            Errors are printed to standard error. The exit code is 1 after an error, and 64 after wrong arguments. \
            'model diff', 'store fetch', 'store import', 'store diff' and 'store doctor' have others too: see their \
            help.

            --version prints the version, and --generate-completion-script bash, zsh or fish what a shell needs to \
            complete verbs and options.
            """,
        subcommands: [ModelCommand.self, StoreCommand.self, SyncCommand.self, ServeCommand.self, MCPCommand.self])

    /// Runs the subcommand of the arguments. The argument parser reports wrong arguments and `--help`. This function
    /// reports other errors, with the details in Core Data's errors.
    static func main() {
        StandardStreams.prepare()
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if arguments == ["--version"] {
                try StandardStreams.output(ToolVersion.text)
                return try StandardStreams.flush()
            }
            do {
                var command = try parseAsRoot()
                try command.run()
                try StandardStreams.flush()
            } catch let error where !(error is OutputError) {
                // The results before the error are printed too.
                try StandardStreams.flush()
                throw error
            }
        } catch let error as OutputError where error.isPipeClosed {
            return
        } catch let code as ExitCode {
            // The subcommand has reported its result.
            exit(withError: code)
        } catch {
            guard exitCode(for: error) == .failure else { reportArguments(error) }
            StandardStreams.error("Error: \(ErrorReport.text(for: error))")
            exit(withError: ExitCode.failure)
        }
    }

    /// Prints what the argument parser says, and ends the process.
    private static func reportArguments(_ error: any Error) -> Never {
        let code = exitCode(for: error)
        if code != .success, let unknown = UnknownVerb(Array(CommandLine.arguments.dropFirst()), of: Self.self) {
            StandardStreams.errorText(unknown.message)
            exit(withError: code)
        }
        // Help, which was asked for.
        guard code != .success else { exit(withError: error) }
        StandardStreams.errorText(PublicText.of(fullMessage(for: error)))
        exit(withError: code)
    }
}
