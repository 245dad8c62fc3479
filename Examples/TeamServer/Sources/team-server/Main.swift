import Foundation
import Logging
import TeamServer

/// Serves the tasks of teams: see `Settings` for the environment variables.
@main
struct Main {
    static func main() async {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        do {
            try await TeamServer(try Settings(environment: ProcessInfo.processInfo.environment)).run()
        } catch {
            FileHandle.standardError.write(Data("team-server: \(error)\n".utf8))
            exit(1)
        }
    }
}
