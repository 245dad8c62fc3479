import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Requests whose connection is cut at a message of the protocol.
@Suite("Requests whose connection is cut", .enabled(if: TestServer.isPresent))
struct CutConnectionTests {
    /// A library behind a proxy, and a context that reads it past the proxy.
    private final class Library {
        let proxy: TestProxy
        let folder: TemporaryFolder
        let context: NSManagedObjectContext
        let store: PostgreSQLDatabase
        private let reader: NSManagedObjectContext
        /// The content of the store after the saves that happened.
        private(set) var expected: [String] = []

        init() throws {
            proxy = try TestProxy()
            folder = try TemporaryFolder()
            let model = LibraryModel.make()
            let url = StoreKind.postgresql.url("store", in: folder)
            func context(_ url: URL) throws -> (NSManagedObjectContext, NSPersistentStore) {
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
                let store = try coordinator.addPersistentStore(
                    ofType: NSPostgreSQLStoreType, configurationName: nil, at: url)
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                return (context, store)
            }
            let (through, store) = try context(proxy.url(url))
            self.context = through
            self.store = try requireValue(store as? PostgreSQLStore).database
            reader = try context(url).0
            try on(through) {
                through.make("Shelf", "first")
                through.make("Tag", "t")
                try through.save()
            }
            expected = try contents()
        }

        deinit {
            // Removed while the proxy passes everything: the notices go out.
            proxy.passAll()
            try? context.persistentStoreCoordinator?.remove(requireValue(store.identity.store))
            proxy.stop()
        }

        /// Sends the notices of the saves, and closes the connections of the store.
        func disconnect() throws {
            let open = try store.requireOpen()
            open.notifier.finish()
            open.pool.closeIdleConnections()
        }

        /// Everything in the store, read past the proxy.
        func contents() throws -> [String] {
            try reader.performAndWait {
                reader.reset()
                let books = try reader.all("Book").map { book in
                    let author = book.object("author")?.text("name") ?? "-"
                    return "\(book.text("name") ?? "") \(author) \(book.names("chapters")) \(book.names("tags"))"
                }
                let others = try ["Author", "Chapter", "Shelf"].map { "\($0) \(try reader.names($0))" }
                return books.sorted() + others
            }
        }

        /// One save that inserts, updates and deletes. It happens wholly, or throws and hasn't happened.
        func save(_ name: String) throws -> Bool {
            let hasHappened: Bool = try context.performAndWait {
                for book in try context.all("Book") {
                    if let author = book.object("author") { context.delete(author) }
                }
                let book = context.make("Book", name, ["author": context.make("Author", name)])
                let chapters = ["b", "a", "c"].map { context.make("Chapter", name + $0) }
                book.setValue(NSOrderedSet(array: chapters), forKey: "chapters")
                book.setValue(NSSet(array: try context.all("Tag")), forKey: "tags")
                try context.all("Shelf").first?.setValue(name, forKey: "name")
                do {
                    try context.save()
                    return true
                } catch {
                    expectEqual((error as NSError).domain, NSCocoaErrorDomain)
                    context.rollback()
                    return false
                }
            }
            if hasHappened {
                expected = [
                    "\(name) \(name) \(["b", "a", "c"].map { name + $0 }) [\"t\"]", "Author [\"\(name)\"]",
                    "Chapter \(["a", "b", "c"].map { name + $0 })", "Shelf [\"\(name)\"]",
                ]
            }
            return hasHappened
        }
    }

    @Test("around COMMIT: each save happens once, or throws and hasn't happened")
    func commit() throws {
        let library = try Library()
        for number in 0..<TestRun.quick(24, long: 200) {
            let cut = TestProxy.Cut.allCases[number % 3]
            let isAnswer = number / 3 % 2 == 1
            // In each second round the questions for the fate of the transaction are cut as well.
            let cutQuestions = number / 6 % 2 == 1 ? 2 : 0
            var rest: Int?
            library.proxy.cut { message in
                guard let questions = rest else {
                    guard isAnswer ? message.isCommitted : message.isCommit else { return nil }
                    rest = cutQuestions
                    return cut
                }
                guard questions > 0, message.type == (number % 2 == 0 ? " " : "P") else { return nil }
                rest = questions - 1
                return cut
            }
            let before = library.proxy.cutCount
            let hasHappened = try library.save("\(number)")
            library.proxy.passAll()
            expectEqual(library.proxy.cutCount, before + 1 + cutQuestions)
            // The server gets the COMMIT, or not.
            expectEqual(hasHappened, (isAnswer || cut == .after), "\(number)")
            try expectEqual(library.contents(), library.expected, "\(number)")
        }
    }

    @Test("at each message of a save: it is repeated before its COMMIT, and happens once")
    func everyMessage() throws {
        let library = try Library()
        /// Counts the messages from BEGIN to the end of COMMIT on one connection.
        final class Counter {
            var connection: Int?
            var count = 0
            /// The answer to the last statement before COMMIT.
            var lastAnswer = 0
            var commit = Int.max
            var isComplete = false

            func number(_ message: TestProxy.Message) -> Int? {
                if connection == nil, message.isBegin { connection = message.connection }
                guard message.connection == connection, !isComplete else { return nil }
                if message.isCommit { commit = count }
                if message.sender == .server, message.type == "C", commit > count { lastAnswer = count }
                if commit < count, message.type == "Z" { isComplete = true }
                defer { count += 1 }
                return count
            }
        }
        // Each save begins on a new connection, so that its statements are prepared. It deletes what the one before has
        // inserted.
        try expectTrue(library.save("first"))
        try library.disconnect()
        let first = Counter()
        library.proxy.cut { message in
            _ = first.number(message)
            return nil
        }
        try expectTrue(library.save("second"))
        let total = first.count
        expectTrue(first.isComplete, "\(total) messages")
        #expect(total > 40, "\(total) messages")
        let steps = (0..<total).flatMap { step in TestProxy.Cut.allCases.map { (step, $0) } }
        let planned = TestRun.isLong ? steps : stride(from: 0, to: steps.count, by: 7).map { steps[$0] }
        var repeated = 0
        var cuts = 0
        for (step, cut) in planned {
            try library.disconnect()
            let counter = Counter()
            var isDone = false
            library.proxy.cut { message in
                guard !isDone, counter.number(message) == step else { return nil }
                isDone = true
                return cut
            }
            let before = library.proxy.cutCount
            let hasHappened = try library.save("\(step) \(cut)")
            library.proxy.passAll()
            cuts += library.proxy.cutCount - before
            // A cut behind the last answer is noticed by the COMMIT.
            if step < first.lastAnswer || step == first.lastAnswer && cut != .after {
                repeated += 1
                expectTrue(hasHappened, "\(step) \(cut)")
            }
            try expectEqual(library.contents(), library.expected, "\(step) \(cut)")
        }
        expectEqual(cuts, planned.count)
        #expect(repeated > planned.count / 2)
        #expect(repeated < planned.count)
        print("Connections cut in a save of \(total) messages: \(cuts), saves repeated: \(repeated)")
    }

    @Test("within the rows of a fetch: it is repeated once and has each row once")
    func rows() throws {
        let library = try Library()
        try on(library.context) {
            for number in 0..<500 { library.context.make("Tag", "\(number)") }
            try library.context.save()
        }
        try library.disconnect()
        for (number, cut) in [(0, TestProxy.Cut.before), (250, .within), (499, .after)] {
            var count = 0
            library.proxy.cut { message in
                guard message.isRow else { return nil }
                defer { count += 1 }
                return count == number ? cut : nil
            }
            try on(library.context) {
                library.context.reset()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
                request.returnsObjectsAsFaults = false
                let names = try library.context.fetch(request).compactMap { $0.text("name") }
                expectEqual(Set(names).count, 501)
                expectEqual(names.count, 501)
            }
            library.proxy.cut(cut, times: 2) { $0.isRow }
            try on(library.context) {
                library.context.reset()
                let error = thrownError { _ = try library.context.all("Tag") }
                expectEqual(error?.domain, NSCocoaErrorDomain)
                expectEqual(error?.code, CocoaError.fileReadUnknown.rawValue)
            }
            library.proxy.passAll()
            try on(library.context) { try expectEqual(library.context.all("Tag").count, 501) }
        }
    }

    /// The messages at which batch requests are cut, and whether the request happens.
    private static let batchSteps: [(name: String, matches: @Sendable (TestProxy.Message) -> Bool)] = [
        ("BEGIN", { $0.isBegin }), ("COPY is answered", { $0.sender == .server && $0.type == "G" }),
        ("rows are copied", { $0.sender == .client && $0.type == "d" }),
        ("the rows end", { $0.sender == .client && $0.type == "c" }), ("COMMIT", { $0.isCommit }),
        ("COMMIT is answered", { $0.isCommitted }),
    ]

    @Test("in a batch insert: it happens once, or throws and hasn't happened", arguments: batchSteps.indices)
    func batchInsert(_ index: Int) throws {
        let step = Self.batchSteps[index]
        // A cluster gets the rows as arrays.
        if TestServer.cluster.isCluster, (1...3).contains(index) { return }
        let library = try Library()
        var count = 0
        for cut in TestProxy.Cut.allCases {
            library.proxy.cut(cut, at: step.matches)
            try on(library.context) {
                let rows = (0..<5000).map { ["name": "\(cut) \($0)"] as [String: Any] }
                let request = NSBatchInsertRequest(entityName: "Chapter", objects: rows)
                let error = thrownError { try library.context.execute(request) }
                let isExpected = step.name == "COMMIT is answered" || step.name == "COMMIT" && cut == .after
                expectEqual((error == nil), isExpected, "\(cut)")
                if let error { expectEqual(error.domain, NSCocoaErrorDomain) }
                if error == nil { count += 5000 }
            }
            #expect(library.proxy.cutCount > 0)
            library.proxy.passAll()
            try on(library.context) {
                try expectEqual(
                    library.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Chapter")), count)
                let request = NSBatchInsertRequest(entityName: "Chapter", objects: [["name": "one"]])
                try library.context.execute(request)
                count += 1
            }
        }
    }

    @Test("in batch updates and deletions: they happen once, or throw and haven't happened")
    func batchUpdatesAndDeletions() throws {
        let library = try Library()
        try on(library.context) {
            for number in 0..<100 { library.context.make("Publisher", "\(number)") }
            try library.context.save()
        }
        func names() throws -> Set<String> {
            var names: [String] = []
            try on(library.context) {
                library.context.reset()
                names = try library.context.names("Publisher")
            }
            return Set(names)
        }
        for cut in TestProxy.Cut.allCases {
            for isAnswer in [false, true] {
                let matches: (TestProxy.Message) -> Bool = isAnswer ? { $0.isCommitted } : { $0.isCommit }
                library.proxy.cut(cut, at: matches)
                let update = NSBatchUpdateRequest(entityName: "Publisher")
                let name = "\(cut) \(isAnswer)"
                update.propertiesToUpdate = ["name": name]
                let before = try names()
                var error: NSError?
                try on(library.context) { error = thrownError { try library.context.execute(update) } }
                expectEqual((error == nil), (isAnswer || cut == .after), "\(name)")
                try expectEqual(names(), (error == nil ? [name] : before))
            }
        }
        library.proxy.cut(.within) { $0.isCommit }
        let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Publisher"))
        try on(library.context) { #expect(thrownError { try library.context.execute(request) } != nil) }
        try expectEqual(names().count, 1)
        library.proxy.cut(.after) { $0.isCommit }
        try on(library.context) { try library.context.execute(request) }
        try expectEmpty(names())
    }
}

extension TestProxy.Message {
    /// Whether the server sends a row: of a statement, or of a COPY.
    fileprivate var isRow: Bool { sender == .server && (type == "D" || type == "d") }
}
