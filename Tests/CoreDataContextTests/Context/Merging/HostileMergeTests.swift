import CoreData
import Testing

@Suite("Merges of altered notifications")
struct HostileMergeTests {
    static let keys = [
        NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedObjectsKey,
        NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey, NSRefreshedObjectIDsKey,
        NSInvalidatedObjectIDsKey, NSInvalidatedAllObjectsKey, "historyToken",
    ]

    /// Merges each value under each key, as a dictionary and as a notification, and saves afterwards.
    @Test("leave the objects of the context as they are, whatever a field has", arguments: StoreKind.everyKind)
    func fields(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "book")
            let gone = stack.context.make("Book", "gone")
            try stack.context.save()
            stack.context.delete(gone)
            try stack.context.save()
            let unsaved = stack.context.make("Book", "unsaved")
            let foreign = try TestStack(kind)
            let otherModel = try TestStack(
                kind, model: model([entity("Other", [attribute("name", .stringAttributeType)])]))
            var others: [Any] = []
            try on(foreign.context) {
                let other = foreign.context.make("Book", "foreign")
                try foreign.context.save()
                others += [other.objectID, other.objectID.uriRepresentation()]
            }
            try on(otherModel.context) {
                let other = otherModel.context.make("Other", "other")
                try otherModel.context.save()
                others += [other.objectID, other.objectID.uriRepresentation()]
            }
            let uri = book.objectID.uriRepresentation()
            let altered = [
                uri.absoluteString.replacingOccurrences(of: "/Book/", with: "/Tag/"),
                uri.absoluteString.replacingOccurrences(of: "/Book/", with: "/Nothing/"),
                uri.absoluteString + "999", uri.absoluteString.replacingOccurrences(of: "/p", with: "/q"),
                uri.absoluteString.replacingOccurrences(of: "/p", with: "/p-"), "x-coredata:///Book/p1", "file:///",
            ].compactMap(URL.init(string:))
            let members: [Any] =
                [1, "text", NSNull(), Data([1]), Date(), uri, gone.objectID, unsaved.objectID, book.entity] + altered
                + others
            let values: [Any] =
                members + members.map { [$0] } + [members, NSSet(array: members), NSOrderedSet(array: members)]
                + [NSArray(array: members), ["a": 1], [[uri]], Set([uri]), NSDictionary(dictionary: ["a": members])]
            let other = stack.newContext()
            try on(other) {
                let same = try other.one("Book", "book")
                _ = same.text("name")
                for key in Self.keys where key != NSInvalidatedAllObjectsKey {
                    for value in values {
                        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: value], into: [other])
                        other.mergeChanges(
                            fromContextDidSave: Notification(
                                name: .NSManagedObjectContextDidSave, object: nil, userInfo: [key: value]))
                        try other.checkInvariants()
                        // A deletion that was reported is taken at its word until the next fetch.
                        if !key.lowercased().contains("deleted") { expectEqual(same.text("name"), "book") }
                    }
                }
                other.reset()
                try expectEqual(other.names("Book"), ["book"])
                other.make("Book", "new")
                try other.save()
            }
        }
    }
}
