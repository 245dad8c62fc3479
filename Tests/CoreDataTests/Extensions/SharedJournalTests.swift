import CoreData
import Testing

/// A journal of external data that a process which ended has left.
@Suite("Journals in a folder that two stores share")
struct SharedJournalTests {
    private let stores: PhotoStores

    init() throws { stores = try PhotoStores() }

    private func makeStores() throws {
        try stores.save([1, 2], in: "Music.sqlite")
        try stores.save([3, 4], in: "Music.db")
    }

    @Test("opening one leaves a journal of the other one, with the files that it names")
    func openingBesideJournal() throws {
        try makeStores()
        let names = stores.files("Music").sorted()
        let text = (["STORE \(try stores.uuid("Music.db")) Music.db"] + names).map { $0 + "\n" }.joined()
        let journal = try stores.folder.write(text, to: ".Music_SUPPORT/_PENDING_\(UUID().uuidString)")
        try expectEqual(stores.images(of: "Music.sqlite"), [1, 2])
        expectEqual(stores.files("Music").count, 4)
        expectTrue(FileManager.default.fileExists(atPath: journal.path))
        // The journal's own store removes the files that none of its rows names. It can decide only about its own
        // files.
        let own = ["STORE \(try stores.uuid("Music.db")) Music.db", UUID().uuidString].joined(separator: "\n")
        try own.write(to: journal, atomically: true, encoding: .utf8)
        try expectEqual(stores.images(of: "Music.db"), [3, 4])
        expectFalse(FileManager.default.fileExists(atPath: journal.path))
        try expectEqual(stores.images(of: "Music.sqlite"), [1, 2])
    }

    @Test(
        "a journal without a whole line is removed: its process ended before it wrote a file", arguments: ["", "STOR"])
    func journalWithoutLine(text: String) throws {
        try makeStores()
        let journal = try stores.folder.write(text, to: ".Music_SUPPORT/_PENDING_\(UUID().uuidString)")
        try expectEqual(stores.images(of: "Music.sqlite"), [1, 2])
        expectFalse(FileManager.default.fileExists(atPath: journal.path))
        try expectEqual(stores.images(of: "Music.db"), [3, 4])
    }

    @Test("a journal that names no store is left, with the files in it")
    func journalWithoutStore() throws {
        try makeStores()
        let text = stores.files("Music").map { $0 + "\n" }.joined()
        try stores.folder.write(text, to: ".Music_SUPPORT/_PENDING_\(UUID().uuidString)")
        try expectEqual(stores.images(of: "Music.sqlite"), [1, 2])
        try expectEqual(stores.images(of: "Music.db"), [3, 4])
    }

    @Test(
        "a link, a pipe or a folder in place of a journal is left alone",
        .timeLimit(.minutes(TestRun.hangMinutes)), arguments: LinkedFileTests.Node.allCases)
    func journal(_ node: LinkedFileTests.Node) throws {
        try stores.save([1], in: "Music.sqlite")
        let url = stores.folder.file(".Music_SUPPORT/_PENDING_\(UUID().uuidString)")
        try node.make(at: url, in: stores.folder)
        try expectEqual(stores.images(of: "Music.sqlite"), [1])
        try expectEqual(Data(contentsOf: stores.folder.file("secret")), PhotoStores.image(99))
    }
}
