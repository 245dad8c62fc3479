import CoreData
import Logging
import NotesServer

/// Serves notes. `NOTES_TOKEN` is what clients must name, `NOTES_STORE` the file, `NOTES_PORT` the port.
@main
struct Main {
    static func main() async {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let environment = ProcessInfo.processInfo.environment
        guard let token = environment["NOTES_TOKEN"], token.utf8.count >= 16 else {
            return fail("NOTES_TOKEN needs 16 characters or more.")
        }
        guard let port = UInt16(environment["NOTES_PORT"] ?? "8080") else { return fail("NOTES_PORT is no port.") }
        let store = URL(fileURLWithPath: environment["NOTES_STORE"] ?? "TeamNotes.sqlite")
        do {
            try await NotesServer(store: store, token: token).application(port: Int(port)).runService()
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) {
        FileHandle.standardError.write(Data("notes-server: \(message)\n".utf8))
        exit(1)
    }
}
