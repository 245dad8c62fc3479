import ArgumentParser
import CoreData
import CoreDataSync
import NotesModel

/// The notes in a terminal.
@main
struct Notes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Your notes, on this machine and on the server.",
        subcommands: [Add.self, Change.self, List.self, Watch.self], defaultSubcommand: List.self)
}

/// Where the notes are.
struct Place: ParsableArguments {
    @Option(help: "The file of the notes.")
    var store = "Notes.sqlite"

    @Option(help: "The URL of the server; NOTES_SERVER.")
    var server: String?

    @Option(help: "The user's token; NOTES_TOKEN.")
    var token: String?

    /// Opens the notes, with an engine if there is a server.
    func open() throws -> (container: NSPersistentContainer, engine: SyncEngine?) {
        let container = PersistenceController(url: URL(fileURLWithPath: store)).container
        let environment = ProcessInfo.processInfo.environment
        guard let server = server ?? environment["NOTES_SERVER"] else { return (container, nil) }
        guard let url = URL(string: server), let token = token ?? environment["NOTES_TOKEN"] else {
            throw ValidationError(
                "The server needs a URL and a token: --server and --token, or NOTES_SERVER and NOTES_TOKEN.")
        }
        return (container, try SyncEngine(container, server: url) { token })
    }

    /// Runs a body in a context, and sends what it saves. Without a network, or while another process of this store
    /// syncs, the changes wait.
    func change(_ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
        let (container, engine) = try open()
        try await container.performBackgroundTask { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try body(context)
            try context.save()
        }
        guard let engine else { return }
        try await engine.startOrUpload()
        do {
            try await engine.waitForPending()
        } catch SyncEngineError.otherProcess {
            // `notes watch` of this store sends it.
        } catch {
            print("Saved here. The server gets it later: \(error.localizedDescription)")
        }
        await engine.stop()
    }
}

struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Makes a note.")

    @Argument(help: "The title.") var title: String
    @Option(help: "A topic.") var topic: [String] = []
    @OptionGroup var place: Place

    func run() async throws {
        let (title, topics) = (title, topic)
        try await place.change { context in
            let note = Note(context: context)
            note.title = title
            note.topicNames = topics
            note.touch()
        }
    }
}

struct Change: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Changes the notes with a title.")

    @Argument(help: "The title.") var title: String
    @Option(help: "Another title.") var rename: String?
    @Option(help: "The text.") var text: String?
    @Flag(inversion: .prefixedNo, help: "Whether the notes stand at the top.") var pin: Bool?
    @Flag(help: "Put the notes into the trash.") var trash = false
    @OptionGroup var place: Place

    func run() async throws {
        let arguments = self
        try await place.change { context in
            let request: NSFetchRequest<Note> = Note.fetchRequest()
            request.predicate = NSPredicate(format: "title == %@ AND isTrashed == NO", arguments.title)
            let notes = try context.fetch(request)
            guard !notes.isEmpty else { throw ValidationError("There is no note “\(arguments.title)”.") }
            for note in notes {
                if let rename = arguments.rename { note.title = rename }
                if let text = arguments.text { note.text = text }
                if let pin = arguments.pin { note.isPinned = pin }
                if arguments.trash { note.isTrashed = true }
                note.touch()
            }
        }
    }
}

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows the notes that this machine has.")

    @Option(help: "A part of the title or the text, or a topic.") var search = ""
    @OptionGroup var place: Place

    func run() async throws {
        let (container, search) = (try place.open().container, search)
        for line in try await container.lines(search) { print(line) }
    }
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the notes, again after each change of this machine or another one, until Control-C.")

    @OptionGroup var place: Place

    func run() async throws {
        let (container, engine) = try place.open()
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator, queue: nil
        ) { _ in change.yield() }
        defer { NotificationCenter.default.removeObserver(observer) }
        try await engine?.startOrUpload()
        let reports = Task { await Self.report(engine) }
        let signals = Self.endSignals()
        let ending = Task {
            for await _ in signals {
                await engine?.stop()
                Foundation.exit(0)
            }
        }
        defer {
            reports.cancel()
            ending.cancel()
        }
        var shown: [String]?
        func show() async throws {
            let lines = try await container.lines()
            guard lines != shown else { return }
            shown = lines
            print((["\(lines.count) notes"] + lines.map { "  \($0)" }).joined(separator: "\n"))
            // At once, also into a pipe.
            fflush(nil)
        }
        try await show()
        for await _ in changes { try await show() }
    }

    /// Says why the notes don't sync, once for each reason.
    private static func report(_ engine: SyncEngine?) async {
        guard let engine else { return }
        var last: String?
        for await case .status(let status) in engine.events where status.failure != last {
            last = status.failure
            if let last { print("Not synced: \(last)") }
            fflush(nil)
        }
    }

    /// Control-C, and the end that other programs ask for.
    private static func endSignals() -> AsyncStream<Void> {
        AsyncStream { stream in
            let sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler { stream.yield() }
                source.resume()
                return source
            }
            let kept = KeptSources(sources: sources)
            stream.onTermination = { _ in for source in kept.sources { source.cancel() } }
        }
    }

    private struct KeptSources: @unchecked Sendable {
        // Sendable: nothing changes them.
        let sources: [any DispatchSourceSignal]
    }
}

extension NSPersistentContainer {
    /// The notes as lines, in the order of the list.
    func lines(_ search: String = "") async throws -> [String] {
        try await performBackgroundTask { context in
            try context.fetch(Note.listRequest(searchText: search)).map { note in
                let topics = note.topicNames.map { " #\($0)" }.joined()
                let text = note.text.isEmpty ? "" : ": \(note.text)"
                return "\(note.isPinned ? "* " : "")\(note.title ?? "")\(topics)\(text)"
            }
        }
    }
}
