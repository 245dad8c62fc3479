import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@Suite("A fetch that SQL doesn't support")
struct RefusalTests {
    let library = try! Library()

    private func refusal(_ query: StoreQuery) -> NSError? {
        thrownError { _ = try library.translator.statement(query) }
    }

    private func expectRefusal(
        _ error: NSError?, naming parts: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.domain == NSCocoaErrorDomain, sourceLocation: sourceLocation)
        #expect(error?.code == 134060, sourceLocation: sourceLocation)
        for part in parts {
            #expect(
                error?.localizedDescription.contains(part) == true, "\(String(describing: error))",
                sourceLocation: sourceLocation)
        }
    }

    @Test("names the key path, the entity and its properties, for an unknown key")
    func unknownKey() throws {
        expectRefusal(
            refusal(library.query("Song", try .parse("artist.foo == 1"))),
            naming: "keypath artist.foo not found in entity Artist", "name")
        var query = library.query("Song")
        query.sortDescriptors = [NSSortDescriptor(key: "bar", ascending: true)]
        expectRefusal(refusal(query), naming: "keypath bar not found in entity Song", "rating")
    }

    @Test(
        "throws an error that names the unsupported part",
        arguments: [
            ("mood == 'x'", "transient"), ("picture == %@", "outside of the database"), ("info == %@", "transformed"),
            ("songs.title == 'a'", "ANY"), ("songs == nil", "ANY"), ("ANY songs == favourites", "ANY"),
            ("$x == 1", "$x"),
            ("mode:(songs.rating) == 1", "mode:"), ("age.foo == 1", "foo"), ("songs.@foo.rating == 1", "@foo"),
            ("songs.@sum.title == 1", "numbers"), ("songs.tags.@max.name == 'a'", "two to-many"),
            ("songs.title.@max.length == 1", "values"),
            ("songs.tags.name.@count == 1", "SUBQUERY"),
            ("SUBQUERY(songs.title, $t, $t == 'a').@count == 1", "objects"),
            ("songs[0].title == 'a'", "ordered"), ("tracks.title[1] == 'a'", "index"),
            ("tracks[age].rating == 1", "constant"),
            ("CAST(photo, 'NSString') == 'a'", "NSString"), ("sqrt(name) == 1", "name"), ("born * 2 == 1", "born"),
            ("name.nothing == 1", "nothing"), ("10.number == 1", "number"), ("2.@avg.x > 1", "2"),
            ("FUNCTION(-1, 'lowercaseString') == name", "lowercaseString"),
            ("songs.mood == 'a'", "mood"),
            // Each of these has a part that would mean something else if it were not refused.
            ("info > 'a'", "transformed"), ("info < name", "transformed"), ("name >= info", "transformed"),
            ("info IN {'a'}", "transformed"), ("info CONTAINS 'a'", "transformed"),
            ("uppercase(info) == 'A'", "transformed"), ("uppercase(age) == 'A'", "no string"),
            ("age + name == 1", "name"), ("name + born == born", "name"), ("born + name == born", "born"),
            ("born - name == born", "born"), ("born + idol.born == born", "born"), ("~name == 1", "name"),
            ("name[0] == 'a'", "name"), ("tracks[random()].rating == 1", "constant"),
            ("count:(age) == 1", "to-many"), ("TERNARY(age > 0, age, name) == 1", "different kinds"),
            ("TERNARY(age > 0, name, age) == 'a'", "different kinds"),
            ("TERNARY(age > 0, songs, songs) == 1", "single value"),
            ("FUNCTION(name, 'stringByAppendingString:', 'length') == 5", "stringByAppendingString"),
            ("FUNCTION(SELF, 'valueForKey:', 'idol.name') == 'a'", "idol.name"),
            ("ANY FUNCTION(songs.@unionOfObjects.artist, 'valueForKeyPath:', 'name') == 'a'", "valueForKeyPath"),
            ("SUBQUERY(songs.@unionOfObjects.artist, $a, $a.age > 1).@count == 1", "must be a key path"),
            ("songs IN favourites", "ANY"), ("songs IN {1, age}", "ANY"), ("songs IN {1, 2}", "ANY"),
            ("songs IN name", "ANY"), ("songs IN (favourites UNION tracks)", "ANY"),
            ("(songs UNION tracks) IN favourites", "ANY"), ("age BETWEEN songs", "BETWEEN"),
        ])
    func unsupported(format: String, part: String) throws {
        let predicate = try NSPredicate.parse(format, arguments: format.contains("%@") ? [Data([1])] : [])
        expectRefusal(refusal(library.query("Artist", predicate)), naming: part)
    }

    @Test("throws for blocks in predicates, expressions and sort descriptors")
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

    @Test("throws for a predicate that is nested too deeply")
    func depth() {
        var predicate = NSPredicate(value: false)
        for _ in 0..<2_000 {
            predicate = NSCompoundPredicate(type: .not, subpredicates: [predicate])
        }
        expectRefusal(refusal(library.query("Song", predicate)), naming: "nested")
    }

    @Test("does so from the 451st level on")
    func limit() throws {
        // The comparison and its sides are two levels.
        func nested(_ count: Int) throws -> NSPredicate {
            try (0..<count).reduce(NSPredicate.parse("rating == 1")) { predicate, _ in
                NSCompoundPredicate(type: .not, subpredicates: [predicate])
            }
        }
        let allowed = try library.query("Song", nested(448))
        let refused = try library.query("Song", nested(449))
        expectTrue(refusal(allowed) == nil)
        expectRefusal(refusal(refused), naming: "nested")
    }

    @Test("may compare an attribute with nil whose values can't be compared")
    func opaque() throws {
        let predicate = try NSPredicate.parse("info == nil AND picture != nil")
        expectTrue(
            try library.translator.statement(library.query("Artist", predicate)).text.hasSuffix(
                "WHERE t0.ZINFO IS NULL AND t0.ZPICTURE IS NOT NULL"))
    }
}
