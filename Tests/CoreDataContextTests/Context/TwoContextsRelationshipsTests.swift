import CoreData
import Testing

@Suite("Relationships of two contexts at random")
struct TwoContextsRelationshipsTests {
    /// The contexts, which change books with ordered chapters, tags and shelves.
    private final class Run {
        private let stack: TestStack
        private let contexts: [NSManagedObjectContext]
        private var generator: SeededGenerator
        /// Objects that a program keeps, by context.
        private var kept: [[NSManagedObject]] = [[], []]
        private var ids: [String: [NSManagedObjectID]] = [:]
        private var next = 0
        /// What happened, for the message of a failure.
        private(set) var log: [String] = []
        private(set) var saves = 0
        private(set) var conflicts = 0

        init(_ stack: TestStack, _ other: NSManagedObjectContext, seed: UInt64) throws {
            self.stack = stack
            contexts = [stack.context, other]
            generator = SeededGenerator(seed: seed)
            for number in 0..<3 {
                let book = stack.context.make("Book", "book \(number)")
                let chapters = (0..<4).map { stack.context.make("Chapter", "chapter \(number).\($0)") }
                book.setValue(NSOrderedSet(array: chapters), forKey: "chapters")
                stack.context.make("Tag", "tag \(number)")
                let shelf = stack.context.make("Shelf", "shelf \(number)")
                shelf.mutableOrderedSetValue(forKey: "items").add(book)
            }
            try stack.context.save()
            for entity in ["Book", "Tag", "Shelf"] { ids[entity] = try stack.context.all(entity).map(\.objectID) }
        }

        private func note(_ text: String, _ objects: NSManagedObject...) {
            log[log.count - 1] += " " + text + objects.map { " " + Self.text([$0.objectID]) }.joined()
        }

        private func chance(_ part: Int, of total: Int) -> Bool { generator.chance(part, of: total) }

        /// An object, found in one of the ways in which programs find one; nil if it was deleted.
        private func any(_ entity: String, _ which: Int) throws -> NSManagedObject? {
            let context = contexts[which]
            let id = ids[entity]!.randomElement(using: &generator)!
            let found: NSManagedObject?
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: found = context.object(with: id)
            case 1: found = try? context.existingObject(with: id)
            case 2: found = try context.all(entity, "SELF == %@", [id]).first
            default: found = try context.all(entity).randomElement(using: &generator)
            }
            guard let found else { return nil }
            // Members are read before the row, or after it.
            if chance(1, of: 2), entity == "Book" { _ = found.ordered("chapters") }
            guard found.text("name") != nil, !found.isDeleted else { return nil }
            if chance(1, of: 3) { kept[which].append(found) }
            return found
        }

        func step() throws {
            let which = Int.random(in: 0...1, using: &generator)
            let context = contexts[which]
            log.append("\(which)")
            if chance(1, of: 10) { kept[which] = kept[which].filter { _ in generator.chance(1, of: 2) } }
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<8: try changeBook(which)
            case 8..<10:
                guard let book = try any("Book", which), let tag = try any("Tag", which) else { return }
                let (set, object) =
                    chance(1, of: 2)
                    ? (book.mutableSetValue(forKey: "tags"), tag) : (tag.mutableSetValue(forKey: "books"), book)
                note("tag", book, tag)
                if chance(1, of: 2) { set.add(object) } else { set.remove(object) }
            case 10..<12:
                guard let shelf = try any("Shelf", which), let book = try any("Book", which) else { return }
                let items = shelf.mutableOrderedSetValue(forKey: "items")
                note("shelf", shelf, book)
                if items.contains(book) {
                    items.remove(book)
                } else {
                    items.insert(book, at: Int.random(in: 0...items.count, using: &generator))
                }
            case 12..<17: try save(which)
            case 17:
                note("refresh all")
                context.refreshAllObjects()
            case 18:
                if let object = context.registeredObjects.sorted(by: {
                    $0.objectID.description < $1.objectID.description
                })
                .randomElement(using: &generator) {
                    note("refresh", object)
                    context.refresh(object, mergeChanges: true)
                }
            default: discard(which)
            }
        }

        private func changeBook(_ which: Int) throws {
            let context = contexts[which]
            guard let book = try any("Book", which) else { return }
            let chapters = book.mutableOrderedSetValue(forKey: "chapters")
            note("of \(Self.text(book.ordered("chapters").map(\.objectID))):", book)
            next += 1
            if chapters.count == 0 || chance(1, of: 3) {
                let new = context.make("Chapter", "chapter \(next)")
                note("insert", new)
                if chance(1, of: 2) {
                    new.setValue(book, forKey: "book")
                } else {
                    chapters.insert(new, at: Int.random(in: 0...chapters.count, using: &generator))
                }
                return
            }
            let index = Int.random(in: 0..<chapters.count, using: &generator)
            let chapter = chapters[index] as! NSManagedObject
            guard chapter.text("name") != nil, !chapter.isDeleted else { return }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                note("move", chapter)
                let target = Int.random(in: 0..<chapters.count, using: &generator)
                chapters.moveObjects(at: [index], to: target)
            case 1:
                note("remove", chapter)
                chapters.removeObject(at: index)
            case 2:
                note("delete", chapter)
                context.delete(chapter)
            case 3:
                guard let other = try any("Book", which) else { return }
                if chapter.isDeleted { return }
                note("to book", chapter, other)
                chapter.setValue(other, forKey: "book")
            case 4:
                guard let other = try any("Book", which) else { return }
                if chapter.isDeleted { return }
                note("added to book", chapter, other)
                other.mutableOrderedSetValue(forKey: "chapters").add(chapter)
            default:
                note("pages", book)
                book.setValue(next, forKey: "pages")
            }
        }

        private func discard(_ which: Int) {
            note("discard")
            contexts[which].rollback()
            kept[which] = []
            contexts[which].reset()
        }

        /// Saves. What a context shows of its changed objects after a save must be what the store has.
        private func save(_ which: Int) throws {
            let context = contexts[which]
            context.processPendingChanges()
            // An object that has its former values again isn't written, so that its version isn't checked.
            let changed = context.updatedObjects.union(context.insertedObjects).filter(\.hasPersistentChangedValues)
            do {
                try context.save()
            } catch let error as NSError {
                guard error.code == NSManagedObjectMergeError else { throw error }
                note("conflict")
                conflicts += 1
                return discard(which)
            }
            note("saved " + changed.map { Self.text([$0.objectID]) + ($0.isDeleted ? "d" : "") }.joined(separator: " "))
            saves += 1
            try inFreshContext(stack) { fresh in
                for object in changed {
                    try Self.compare(object, fresh.existingObject(with: object.objectID))
                }
                try Self.check(fresh)
            }
        }

        private static func compare(_ shown: NSManagedObject, _ stored: NSManagedObject) throws {
            for (key, relationship) in shown.entity.relationshipsByName where relationship.isToMany {
                func ids(_ object: NSManagedObject) -> String {
                    let isOrdered = relationship.isOrdered
                    let members = isOrdered ? object.ordered(key) : Array(object.objects(key))
                    let ids = members.map { $0.objectID.uriRepresentation().lastPathComponent }
                    return (isOrdered ? ids : ids.sorted()).joined(separator: " ")
                }
                if ids(shown) != ids(stored) {
                    throw TestFailure("\(key) of \(shown.text("name") ?? "") are \(ids(shown)), not \(ids(stored))")
                }
            }
        }

        private static func text(_ ids: [NSManagedObjectID]) -> String {
            ids.map { $0.uriRepresentation().lastPathComponent }.joined(separator: " ")
        }

        /// Both sides of each relationship agree, and no object is in a list twice.
        private static func check(_ context: NSManagedObjectContext) throws {
            let books = try context.all("Book")
            for book in books {
                let chapters = book.ordered("chapters")
                guard Set(chapters).count == chapters.count, chapters.allSatisfy({ $0.object("book") === book }) else {
                    throw TestFailure("\(book.text("name") ?? "") has chapters that it should not have")
                }
                guard book.objects("shelves").allSatisfy({ $0.ordered("items").contains(book) }) else {
                    throw TestFailure("\(book.text("name") ?? "") is missing in a shelf")
                }
            }
            for chapter in try context.all("Chapter") {
                if let book = chapter.object("book"), !book.ordered("chapters").contains(chapter) {
                    throw TestFailure("\(chapter.text("name") ?? "") is missing in its book")
                }
            }
            for shelf in try context.all("Shelf")
            where shelf.ordered("items").contains(where: { $0.text("name") == nil }) {
                throw TestFailure("\(shelf.text("name") ?? "") has a book that is gone")
            }
        }
    }

    @Test(
        "what a context shows of the objects that it has saved is what the store has",
        arguments: StoreKind.allCases.without(.fileReadOnce), 0..<TestRun.quick(4, long: 20))
    func random(_ kind: StoreKind, _ round: Int) throws {
        // The quick run repeats known sequences. New ones still find a fault in about one of 300 long sequences, for
        // example with COREDATA_SEED=15507362404440498955 in memory: a member that was read earlier is removed, and
        // then refreshed.
        let seed = TestRun.isLong ? TestRun.seed(for: "relationships of two contexts") : UInt64(round)
        do {
            try withStack(kind) { stack in
                let other = round % 2 == 0 ? stack.newContext() : try stack.afresh()
                try on(other) {
                    let run = try Run(stack, other, seed: seed)
                    do {
                        for _ in 0..<TestRun.quick(200, long: 1000) { try run.step() }
                    } catch {
                        throw TestFailure("\(error), after these steps:\n\(run.log.suffix(40).joined(separator: "\n"))")
                    }
                    #expect(run.saves > 0 && run.conflicts > 0)
                }
            }
        } catch {
            Issue.record("COREDATA_SEED=\(seed): round \(round): \(error)")
        }
    }
}
