import ArgumentParser
import OpenCoreData

/// The root of the command; it only gathers the verbs.
@main
struct CoreDataTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coredata",
        abstract: "Looks into Core Data models and stores.",
        discussion: """
            PATH of a model may be a source model (.xcdatamodeld, .xcdatamodel, .coredata), a compiled one (.momd, .mom) or a store.
            No verb writes to what it looks at, and none over what is there unless it is told to. Errors go to standard error with exit code 1, mistakes of usage with 64.
            """,
        subcommands: [ModelCommand.self, StoreCommand.self])

    /// Runs the verb that the arguments name. Mistakes of usage and `--help` are the parser's to report,
    /// everything else is ours: it knows what Core Data puts into an error.
    static func main() {
        StandardStreams.prepare()
        do {
            do {
                var command = try parseAsRoot()
                try command.run()
                try StandardStreams.flush()
            } catch let error where !(error is OutputError) {
                // What was found before the error is worth having.
                try StandardStreams.flush()
                throw error
            }
        } catch let error as OutputError where error.isReaderGone {
            return
        } catch let code as ExitCode {
            // A verb that has said all it had to say.
            exit(withError: code)
        } catch {
            guard exitCode(for: error) == .failure else { exit(withError: error) }
            StandardStreams.error("Error: \(ErrorReport.text(for: error))")
            exit(withError: ExitCode.failure)
        }
    }
}
