import Foundation
import SwiftData
import TestSupport
import Testing

/// The history of a store that another process writes.
@Suite(.timeLimit(.minutes(TestRun.hangMinutes))) struct HistoryProcessTests {
    @Test func changesOfAnotherProcessAreInTheHistory() async throws {
        let store = try VoyageStore()
        try store.add("A", author: "parent")
        let token = try requireValue(try store.history().last).token
        let path = store.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let context = ModelContext(try VoyageStore.container(URL(fileURLWithPath: path)))
            context.author = "child"
            let voyage = try requireValue(try context.fetch(FetchDescriptor<Voyage>()).first)
            voyage.name = "B"
            context.insert(Voyage(name: "C"))
            try context.save()
        }
        let transactions = try store.history(after: token)
        expectEqual(transactions.map(\.author), ["child"])
        expectEqual(transactions.first?.changes.count, 2)
        #expect(transactions.first?.processIdentifier != "")
        expectContains(try Set(store.context.fetch(FetchDescriptor<Voyage>()).map(\.name)), "C")
    }
}
