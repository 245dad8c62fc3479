import Foundation
import SwiftData
import Testing

@testable import GardenData

@Suite("Mirroring chores into a second container")
struct MirrorTests {
    /// Two containers in files, with a mirror in each direction.
    private struct Pair {
        let home: ModelContainer
        let shared: ModelContainer
        let there: GardenMirror
        let back: GardenMirror

        init(in folder: URL) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            home = try GardenStore.container(url: folder.appendingPathComponent("Home.store"))
            shared = try GardenStore.container(url: folder.appendingPathComponent("Shared.store"))
            there = GardenMirror(from: home, to: shared, tokenURL: folder.appendingPathComponent("there.token"))
            back = GardenMirror(from: shared, to: home, tokenURL: folder.appendingPathComponent("back.token"))
        }
    }

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Garden-\(UUID().uuidString)")

    /// Runs a block with the models of the chores of a container, and saves.
    private func edit(_ container: ModelContainer, _ body: (ModelContext, [String: Chore]) throws -> Void) throws {
        let context = ModelContext(container)
        let chores = try context.fetch(FetchDescriptor<Chore>())
        try body(context, Dictionary(uniqueKeysWithValues: chores.map { ($0.title, $0) }))
        try context.save()
    }

    /// A pair whose containers both have the chore "Water".
    private func pairWithWater() async throws -> Pair {
        let pair = try Pair(in: folder)
        try edit(pair.home) { context, _ in context.insert(Chore(title: "Water")) }
        try await pair.there.synchronize()
        return pair
    }

    private func titles(_ container: ModelContainer) throws -> [String] {
        try ModelContext(container).fetch(FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.title)])).map(\.title)
    }

    private func transactionCount(_ container: ModelContainer) throws -> Int {
        try ModelContext(container).fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count
    }

    @Test("inserted chores arrive with their values")
    func inserts() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pair = try Pair(in: folder)
        let due = Date(timeIntervalSince1970: 1_750_000_000)
        try edit(pair.home) { context, _ in
            context.insert(Chore(title: "Water", due: due, priority: .high))
            context.insert(Chore(title: "Weed"))
            context.insert(Species(name: "Leek"))
        }
        #expect(try await pair.there.synchronize() == 2)
        #expect(try titles(pair.shared) == ["Water", "Weed"])
        try edit(pair.shared) { _, chores in
            let water = try #require(chores["Water"])
            #expect(water.due == due)
            #expect(water.priority == .high)
            #expect(!water.isDone)
        }
    }

    @Test("updates bring the attributes that have changed")
    func updates() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pair = try await pairWithWater()
        for isDone in [true, false, true] {
            try edit(pair.home) { _, chores in chores["Water"]?.isDone = isDone }
            try edit(pair.shared) { _, chores in chores["Water"]?.priority = isDone ? .high : .low }
            #expect(try await pair.there.synchronize() == 1)
            try edit(pair.shared) { _, chores in
                let water = try #require(chores["Water"])
                #expect(water.isDone == isDone)
                #expect(water.priority == (isDone ? .high : .low))
            }
        }
    }

    @Test("deleted chores are deleted there, also with their garden")
    func deletes() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pair = try Pair(in: folder)
        try edit(pair.home) { context, _ in
            let garden = Garden(name: "Home")
            context.insert(garden)
            let bed = Bed(name: "South", area: 2)
            garden.beds.append(bed)
            bed.chores = [Chore(title: "Water"), Chore(title: "Weed")]
            context.insert(Chore(title: "Mow"))
            context.insert(Chore(title: "Rake"))
        }
        try await pair.there.synchronize()
        #expect(try titles(pair.shared) == ["Mow", "Rake", "Water", "Weed"])
        try edit(pair.home) { context, chores in
            try context.delete(model: Garden.self)
            context.delete(try #require(chores["Mow"]))
        }
        #expect(try await pair.there.synchronize() == 3)
        #expect(try titles(pair.shared) == ["Rake"])
    }

    @Test("a chore that came and went between two runs never arrives")
    func insertedAndDeleted() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pair = try Pair(in: folder)
        try edit(pair.home) { context, _ in context.insert(Chore(title: "Water")) }
        try edit(pair.home) { context, chores in context.delete(try #require(chores["Water"])) }
        #expect(try await pair.there.synchronize() == 0)
        #expect(try transactionCount(pair.shared) == 0)
    }

    @Test("a second run does nothing new")
    func secondRun() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pair = try await pairWithWater()
        let count = try transactionCount(pair.shared)
        #expect(try await pair.there.synchronize() == 0)
        #expect(try transactionCount(pair.shared) == count)
        #expect(try titles(pair.shared) == ["Water"])
    }

    @Test("the token survives a restart")
    func restart() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            let pair = try Pair(in: folder)
            try edit(pair.home) { context, _ in context.insert(Chore(title: "Water")) }
            try await pair.there.synchronize()
        }
        let pair = try Pair(in: folder)
        #expect(try await pair.there.synchronize() == 0)
        try edit(pair.home) { context, chores in
            chores["Water"]?.title = "Water twice"
            context.insert(Chore(title: "Weed"))
        }
        #expect(try await pair.there.synchronize() == 2)
        #expect(try titles(pair.shared) == ["Water twice", "Weed"])
    }

    @Test("changes by a mirror don't come back")
    func bothDirections() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pair = try Pair(in: folder)
        try edit(pair.home) { context, _ in context.insert(Chore(title: "Water")) }
        #expect(try await pair.there.synchronize() == 1)
        #expect(try await pair.back.synchronize() == 0)
        try edit(pair.shared) { context, chores in
            chores["Water"]?.isDone = true
            context.insert(Chore(title: "Weed"))
        }
        #expect(try await pair.back.synchronize() == 2)
        #expect(try await pair.there.synchronize() == 0)
        #expect(try titles(pair.home) == ["Water", "Weed"])
        try edit(pair.home) { _, chores in #expect(chores["Water"]?.isDone == true) }
    }

    @Test("a deletion wins over a change on the other side")
    func deletionWins() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pair = try await pairWithWater()
        try edit(pair.home) { _, chores in chores["Water"]?.isDone = true }
        try edit(pair.shared) { context, chores in context.delete(try #require(chores["Water"])) }
        try await pair.there.synchronize()
        try await pair.back.synchronize()
        #expect(try titles(pair.home) == [])
        #expect(try titles(pair.shared) == [])
    }

    @Test("history that has been mirrored is deleted")
    func historyIsDeleted() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pair = try Pair(in: folder)
        for number in 1...5 {
            try edit(pair.home) { context, _ in context.insert(Chore(title: "Chore \(number)")) }
        }
        #expect(try transactionCount(pair.home) == 5)
        try await pair.there.synchronize()
        #expect(try transactionCount(pair.home) == 1)
        #expect(try titles(pair.shared).count == 5)
    }
}
