import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@Suite("A fetch that SQL can't do")
struct RefusalTests {
    let library = try! Library()

    private func refusal(_ query: SQLQuery) -> NSError? {
        thrownError { _ = try library.translator.statement(query) }
    }

    private func expectRefusal(_ error: NSError?, naming parts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == 134060, sourceLocation: sourceLocation)
        for part in parts {
            #expect(error?.localizedDescription.contains(part) == true, "\(String(describing: error))", sourceLocation: sourceLocation)
        }
    }

    @Test("because a key is unknown names the key path, the entity and what there is")
    func unknownKey() throws {
        expectRefusal(
            refusal(library.query("Song", try .parse("artist.foo == 1"))), naming: "keypath artist.foo not found in entity Artist", "name")
        var query = library.query("Song")
        query.sortDescriptors = [NSSortDescriptor(key: "bar", ascending: true)]
        expectRefusal(refusal(query), naming: "keypath bar not found in entity Song", "rating")
    }

    @Test(
        "is refused with the part that can't be done",
        arguments: [
            ("mood == 'x'", "transient"), ("picture == %@", "outside of the database"), ("info == %@", "transformed"),
            ("songs.title == 'a'", "ANY"), ("songs == nil", "ANY"), ("sqrt(age) == 2", "sqrt"), ("$x == 1", "$x"),
            ("name MATCHES name AND ident CONTAINS 'a'", "UUID"), ("songs.@unionOfObjects.title == 1", "unionOfObjects"),
            ("songs.tags.@count == 1", "@count"), ("median(songs.rating) == 1", "median"),
            ("SUBQUERY(songs.tags, $t, $t.name == 'a').@count == 1", "SUBQUERY"), ("name.nothing == 1", "nothing"),
        ])
    func unsupported(format: String, part: String) throws {
        let predicate = try NSPredicate.parse(format, arguments: format.contains("%@") ? [Data([1])] : [])
        expectRefusal(refusal(library.query("Artist", predicate)), naming: part)
    }

    @Test("is refused for blocks, in predicates, expressions and sort descriptors")
    func blocks() {
        expectRefusal(refusal(library.query("Song", NSPredicate { _, _ in true })), naming: "block predicate")
        let block = NSComparisonPredicate(
            leftExpression: NSExpression(block: { _, _, _ in 1 }, arguments: nil),
            rightExpression: NSExpression(forConstantValue: 1), modifier: .direct, type: .equalTo)
        expectRefusal(refusal(library.query("Song", block)), naming: "BLOCK")
        var query = library.query("Song")
        query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true, comparator: { _, _ in .orderedSame })]
        expectRefusal(refusal(query), naming: "title", "comparator")
        query.sortDescriptors = [NSSortDescriptor(key: "tags", ascending: true)]
        expectRefusal(refusal(query), naming: "tags", "@count")
    }

    @Test("is refused when a predicate is nested without end")
    func depth() {
        var predicate = NSPredicate(value: false)
        for _ in 0..<2_000 {
            predicate = NSCompoundPredicate(type: .not, subpredicates: [predicate])
        }
        expectRefusal(refusal(library.query("Song", predicate)), naming: "nested")
    }

    @Test("lets a missing value of an opaque attribute be asked for")
    func opaque() throws {
        let predicate = try NSPredicate.parse("info == nil AND picture != nil")
        #expect(try library.translator.statement(library.query("Artist", predicate)).text.hasSuffix("WHERE t0.ZINFO IS NULL AND t0.ZPICTURE IS NOT NULL"))
    }
}
