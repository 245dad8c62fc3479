import CoreData
import Testing

@Suite("Archives of history tokens with altered fields")
struct HistoryTokenArchiveTests {
    @Test("are read, or refused with an error, and name transactions that a request accepts or refuses")
    func bytes() throws {
        let stack = try TestStack(.tables, options: [NSPersistentHistoryTrackingKey: true])
        try on(stack.context) {
            let store = try requireValue(stack.store.identifier)
            let archive = try requireValue(
                stack.coordinator.currentPersistentHistoryToken(fromStores: nil).map {
                    try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
                })
            let plain = try PropertyListSerialization.propertyList(from: archive, format: nil)
            let objects = try requireValue((plain as? [String: Any])?["$objects"] as? [Any])
            let position = try requireValue(objects.firstIndex { ($0 as? String)?.contains(store) == true })
            let texts: [Any] = [
                "\(store):9223372036854775807", "\(store):-1", "\(store):99999999999999999999", "\(store)", ":", ":1",
                "", " ", "\(store):1 \(store):2", "other:5", "\(store):1 other:2", 7, Data([1]), ["a"],
                String(repeating: "x:1 ", count: 10_000),
            ]
            for text in texts {
                var altered = plain as? [String: Any] ?? [:]
                var list = objects
                list[position] = text
                altered["$objects"] = list
                let data = try PropertyListSerialization.data(fromPropertyList: altered, format: .binary, options: 0)
                let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
                guard let token else { continue }
                _ = (token.description, token.hash, token.isEqual(token))
                _ = thrownError {
                    _ = try stack.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
                }
                _ = thrownError {
                    _ = try stack.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token))
                }
            }
            stack.context.make("Book", "book")
            try stack.context.save()
        }
    }
}
