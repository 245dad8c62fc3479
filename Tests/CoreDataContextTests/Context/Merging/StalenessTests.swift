import CoreData
import Testing

@Suite("Old rows and deleted rows")
struct StalenessTests {
    @Test("faults use cached rows of any age unless the context has a staleness interval")
    func staleness() throws {
        let stack = try TestStack(.sqlite)
        let other = try stack.afresh()
        let keeper = stack.newContext()
        try on(stack.context) {
            expectEqual(stack.context.stalenessInterval, -1)
            let book = stack.context.make("Book", "A")
            try stack.context.save()
            let id = book.objectID
            try on(keeper) {
                // Retains the row in the row cache.
                let kept = try keeper.existingObject(with: id)
                expectEqual(kept.number("pages"), 100)
                try on(other) {
                    try other.existingObject(with: id).setValue(2, forKey: "pages")
                    try other.save()
                }
                let patient = stack.newContext()
                let impatient = stack.newContext()
                try on(patient) {
                    patient.stalenessInterval = 3600
                    expectEqual(patient.object(with: id).number("pages"), 100)
                }
                try on(impatient) {
                    impatient.stalenessInterval = 0
                    let object = impatient.object(with: id)
                    expectEqual(object.number("pages"), 2)
                    expectEqual(kept.number("pages"), 100)
                }
            }
        }
    }

    @Test("a fetched fault that is fired late gets the newest row if the staleness interval demands it")
    func lateFault() throws {
        let stack = try TestStack(.sqlite)
        let other = try stack.afresh()
        try on(stack.context) {
            stack.context.make("Book", "A")
            try stack.context.save()
            stack.context.reset()
            stack.context.stalenessInterval = 0
            let book = try requireValue(try stack.context.all("Book").first)
            expectTrue(book.isFault)
            try on(other) {
                try other.one("Book", "A").setValue(2, forKey: "pages")
                try other.save()
            }
            expectEqual(book.number("pages"), 2)
        }
    }

    private final class Asking: NSManagedObjectContext, @unchecked Sendable {
        var asked: [NSManagedObjectID] = []
        var answer = true
        override func shouldHandleInaccessibleFault(
            _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
        ) -> Bool {
            asked.append(oid)
            return answer
        }
    }

    @Test("a context decides about a fault whose row was deleted", arguments: StoreKind.allCases)
    func asking(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let context = Asking(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        context.shouldDeleteInaccessibleFaults = false
        try on(stack.context) {
            let book = stack.context.make("Book", "A")
            try stack.context.save()
            let id = book.objectID
            stack.context.delete(book)
            try stack.context.save()
            try on(context) {
                let lost = context.object(with: id)
                expectEqual(lost.text("name"), nil)
                expectTrue(lost.isDeleted)
                expectEqual(context.asked, [id])
                try context.save()
                expectEqual(lost.managedObjectContext, nil)
            }
        }
    }

    @Test(
        "a save keeps a row that was missing when the context read it, and that another context has inserted again",
        arguments: StoreKind.everyKind)
    func insertedAgain(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let (deleting, keeping, reading) = (stack.context, stack.newContext(), stack.newContext())
            let book = deleting.make("Book", "A")
            let cover = deleting.make("Cover", "C")
            try deleting.save()
            let (bookID, coverID) = (book.objectID, cover.objectID)
            try on(keeping) {
                keeping.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                keeping.object(with: coverID).setValue(keeping.object(with: bookID), forKey: "book")
                deleting.delete(book)
                try deleting.save()
                try on(reading) {
                    let missing = reading.object(with: bookID)
                    expectEqual(missing.text("name"), nil)
                    expectTrue(missing.isDeleted)
                    try keeping.save()
                    try reading.save()
                    expectEqual(missing.managedObjectContext, nil)
                }
            }
            try inFreshContext(stack) { fresh in
                expectEqual(try fresh.existingObject(with: coverID).object("book")?.text("name"), "A")
            }
        }
    }

    @Test("a fault whose row was deleted stops the program if the context doesn't handle it") func unhandled() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { stack in
                let book = stack.context.make("Book", "A")
                try stack.context.save()
                let id = book.objectID
                stack.context.delete(book)
                try stack.context.save()
                let other = stack.newContext()
                try on(other) {
                    other.shouldDeleteInaccessibleFaults = false
                    _ = other.object(with: id).text("name")
                }
            }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expectContains(said, "could not fulfill a fault")
    }
}
