import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Passwords of URLs are in no error, description or log.
@Suite("Passwords", .enabled(if: TestServer.isPresent))
struct SecretTests {
    /// A password with characters that a URL has in another form.
    private static let items = "password=geheim%2Fcr3t%20pw"
    private static let forms = ["cr3t", "geheim"]

    /// Provokes errors of every kind, and prints what a program can get of them.
    private final class Provocation {
        let database: TestDatabase
        private let model = LibraryModel.make()
        private var coordinators: [NSPersistentStoreCoordinator] = []

        init() throws { database = try TestDatabase() }

        func url(_ name: String = "store", _ more: String = "") -> URL {
            database.url(name, SecretTests.items + (more.isEmpty ? "" : "&" + more))
        }

        /// Runs a block that throws an error, and prints the error in each form.
        func fail(_ name: String, _ body: () throws -> Void) {
            guard let error = thrownError(body) else { return print("NO ERROR: \(name)") }
            print("ERROR: \(name)")
            show(error)
        }

        func show(_ error: NSError) {
            print(error, error.localizedDescription, error.debugDescription, error.userInfo)
            print(error.localizedFailureReason ?? "", error.localizedRecoverySuggestion ?? "")
            dump(error)
            for case let inner as NSError in error.userInfo.values { show(inner) }
        }

        @discardableResult
        func open(
            _ url: URL, _ options: [AnyHashable: Any]? = nil, model: NSManagedObjectModel? = nil
        ) throws -> NSPersistentStoreCoordinator {
            try database.coordinator(at: url, options: options, model: model ?? self.model)
        }

        // MARK: Opening

        func opening() throws {
            let folder = try TemporaryFolder()
            fail("wrong password") {
                try database.execute(
                    """
                    DO $$ BEGIN CREATE ROLE coredata_password LOGIN PASSWORD 'right';
                    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
                    """)
                try open(url("store", "user=coredata_password"))
            }
            fail("unknown user") { try open(url("store", "user=nobody_of_this_name")) }
            fail("unknown database") { try open(url("store", "dbname=missing")) }
            fail("no server") { try open(url("store", "host=\(folder.url.path)")) }
            fail("no such host") { try open(url("store", "host=host.invalid&connect_timeout=5")) }
            fail("unknown item") { try open(url("store", "unknown=1")) }
            fail("no number") { try open(url("store", "pool_size=many")) }
            fail("wrong mode") { try open(url("store", "host=localhost&sslmode=wrong")) }
            fail("wrong encoding") { try open(url("store", "client_encoding=latin1")) }
            fail("wrong option") { try open(url("store"), [NSPostgreSQLPoolSizeOption: "x"]) }
            fail("wrong listener") { try open(url("store"), [NSPostgreSQLListenerURLOption: 7]) }
            let text = "user:geheim%2Fcr3t%20pw"
            for (name, wrong) in [
                ("wrong port", "postgresql://\(text)@localhost:99999/db"),
                ("other scheme", "http://\(text)@localhost/db"),
                ("nobody at the port", "postgresql://\(text)@127.0.0.1:1/db?sslmode=disable"),
                ("refused host", "postgresql://\(text)@[::1]:1/db?sslmode=disable&connect_timeout=5"),
            ] {
                fail(name) { try open(try requireValue(URL(string: wrong))) }
            }
            let listener = try requireValue(URL(string: "postgresql://\(text)@localhost:99999/db"))
            fail("wrong listener URL") { try open(url(), [NSPostgreSQLListenerURLOption: listener]) }
            fail("read-only without a store") { try open(url("none"), [NSReadOnlyPersistentStoreOption: true]) }
            let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
            let description = NSPersistentStoreDescription(url: url("store", "dbname=missing"))
            description.type = NSPostgreSQLStoreType
            container.persistentStoreDescriptions = [description]
            container.loadPersistentStores { [self] description, error in
                print("ERROR: container")
                if let error { show(error as NSError) }
                print(description, description.debugDescription)
            }
        }

        // MARK: Requests

        func requests() throws {
            let coordinator = try open(url("store", "pool_size=1&pool_timeout=0.01"))
            try database.fill(coordinator)
            let added = try requireValue(coordinator.persistentStores.first as? PostgreSQLStore)
            let store = added.database
            let listening = try open(url(), [NSPostgreSQLListenerURLOption: url()])
            print(listening.persistentStores.map(\.options))
            print(added, added.url ?? "", coordinator.url(for: added), coordinator.metadata(for: added))
            print(try store.requireOpen().location)
            dump(try store.requireOpen().location)
            fail("other model") { try open(url(), model: AlbumModel.make()) }
            let schema = database.schema("store")
            try database.use(coordinator) { context in
                fail("no connection") { try store.read { _ in _ = try context.all("Author") } }
                fail("constraint of the server") {
                    try database.execute("CREATE UNIQUE INDEX ON \(schema).ztag (zname)")
                    context.make("Tag", "red")
                    try context.save()
                }
                context.rollback()
                fail("statement") { try store.read { _ = try $0.connection.execute("SELECT 1 / 0") } }
                fail("lost connection") {
                    try store.read { session in
                        let other = try TestServer.connect()
                        defer { other.close() }
                        try TestServer.terminate(session.connection.backendProcess, by: other)
                        try session.connection.executeScript("SELECT 1")
                        throw TestFailure("The connection isn't lost.")
                    }
                }
                fail("dropped table") {
                    try database.execute("ALTER TABLE \(schema).zshelf RENAME TO zother")
                    _ = try context.all("Shelf")
                }
                fail("missing table") { try open(url()) }
                try database.execute("ALTER TABLE \(schema).zother RENAME TO zshelf")
                let listing = try context.all("Author").map(\.objectID)
                print(listing, listing.map { $0.uriRepresentation() })
            }
            typealias Coordinator = NSPersistentStoreCoordinator
            fail("metadata") {
                _ = try Coordinator.metadataForPersistentStore(type: .postgreSQL, at: url("none"))
            }
            fail("copy to nowhere") {
                let copy = url("copy", "dbname=missing")
                _ = try open(url()).migratePersistentStore(
                    try requireValue(coordinator.persistentStores.first), to: copy, type: .postgreSQL)
            }
            fail("replacement by nothing") {
                try coordinator.replacePersistentStore(
                    at: url("copy"), withPersistentStoreFrom: url("none"), type: .postgreSQL)
            }
            fail("destruction without a server") {
                try coordinator.destroyPersistentStore(at: url("store", "host=/none"), type: .postgreSQL)
            }
            fail("destroyed store") {
                try Coordinator(managedObjectModel: model).destroyPersistentStore(at: url(), type: .postgreSQL)
                try database.use(coordinator) { _ = try $0.all("Author") }
            }
        }
    }

    @Test("are in no error, description or log")
    func errors() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            let provocation = try Provocation()
            try provocation.opening()
            try provocation.requests()
            fflush(nil)
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        for form in Self.forms {
            for text in [output, errorOutput(result)] {
                let found = text.split(separator: "\n").filter { $0.contains(form) }
                expectEmpty(found, "\(found.prefix(3))")
            }
        }
        #expect(!output.contains("NO ERROR"), "\(output.split(separator: "\n").filter { $0.hasPrefix("NO ERROR") })")
        #expect(output.split(separator: "\n").count { $0.hasPrefix("ERROR: ") } >= 30)
        expectContains(output, "NSURL")
    }

    @Test(
        "are not in the output of the command",
        arguments: [
            ["info"], ["doctor"], ["fetch", "--entity", "Nothing"], ["backup", "/none/file"], ["copy", "/none"],
        ])
    func command(_ arguments: [String]) async throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        for more in ["", "&dbname=missing", "&unknown=1", "&user=coredata_password", "&schema=none"] {
            let url = database.url("store", Self.items).absoluteString + more
            let run = try await CommandRun(arguments: ["store", arguments[0], url] + arguments.dropFirst())
            for form in Self.forms { #expect(!(run.output + run.errors).contains(form), "\(more)") }
            #expect(more.isEmpty || run.status != 0)
        }
    }
}
