import CoreData
import Testing

@Suite("Mutable sets at the end of a key path")
struct KeyPathSetTests {
    @Test("change the relationship of the object that the path leads to", arguments: StoreKind.allCases)
    func change(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "b")
            let chapter = stack.context.make("Chapter", "c", ["book": book])
            let tag = stack.context.make("Tag", "t")
            chapter.mutableSetValue(forKeyPath: "book.tags").add(tag)
            expectEqual(book.objects("tags"), [tag])
            expectEqual(tag.objects("books"), [book])
            let second = stack.context.make("Chapter", "d")
            chapter.mutableOrderedSetValue(forKeyPath: "book.chapters").insert(second, at: 0)
            expectEqual(book.ordered("chapters"), [second, chapter])
            book.mutableSetValue(forKeyPath: "tags").remove(tag)
            expectEmpty(book.objects("tags"))
        }
    }

    @Test(
        "are connected with nothing where a relationship on the way has no destination", arguments: StoreKind.allCases)
    func missing(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let chapter = stack.context.make("Chapter", "c")
            let tags = chapter.mutableSetValue(forKeyPath: "book.tags")
            tags.add(stack.context.make("Tag", "t"))
            expectEqual(chapter.mutableSetValue(forKeyPath: "book.tags").count, 0)
            expectEqual(chapter.mutableOrderedSetValue(forKeyPath: "book.chapters").count, 0)
        }
    }
}
