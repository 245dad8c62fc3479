import Testing

@testable import CoreDataPredicates

@Suite("Counts and articles in messages")
struct WordingTests {
    @Test(
        "a count has the noun in its number",
        arguments: [
            (0, "object", "0 objects"), (1, "object", "1 object"), (2, "object", "2 objects"),
            (1, "entity", "1 entity"), (3, "entity", "3 entities"), (2, "key", "2 keys"), (2, "index", "2 indexes"),
            (2, "open undo group", "2 open undo groups"),
        ])
    func counts(count: Int, noun: String, expected: String) {
        expectEqual(Wording.count(count, noun), expected)
    }

    @Test(
        "the article follows the sound of the name",
        arguments: [
            "a String", "an Int", "an NSString", "an NSManagedObjectContext", "a URL", "a UUID", "a UInt8",
            "an SQLiteStore",
            "an XMLParser", "a Date", "an Optional<Int>", "an Array<Int>", "an _Umbrella", "an unknown value",
            "a union",
            "a User", "a Unit", "a to-many relationship", "an ordered to-many relationship",
            "an (Int, Int)",
        ])
    func articles(expected: String) {
        expectEqual(Wording.withArticle(String(expected.drop { $0 != " " }.dropFirst())), expected)
    }
}
