import CoreData
import Testing

/// A predicate that a fetch refuses, and what the error names.
struct RefusedPredicate: Sendable, CustomTestStringConvertible {
    let entity: String
    let testDescription: String
    /// Texts in the message.
    let parts: [String]
    /// The kinds of stores that refuse it; the others evaluate it.
    let kinds: [StoreKind]
    let predicate: @Sendable () -> NSPredicate

    init(_ entity: String, _ format: String, naming parts: String..., kinds: [StoreKind] = [.sqlite]) {
        self.entity = entity
        testDescription = "\(entity): \(format)"
        self.parts = parts
        self.kinds = kinds
        predicate = { NSPredicate(format: format, argumentArray: nil) }
    }

    init(
        _ entity: String, code: String, naming parts: String..., kinds: [StoreKind] = [.sqlite],
        _ predicate: @escaping @Sendable () -> NSPredicate
    ) {
        self.entity = entity
        testDescription = "\(entity): \(code)"
        self.parts = parts
        self.kinds = kinds
        self.predicate = predicate
    }

    static let all: [RefusedPredicate] = unknown + notInSQL + code

    /// Keys that there aren't, in every store.
    private static var unknown: [RefusedPredicate] {
        [
            RefusedPredicate("Sample", "nothing == 1", naming: "nothing", "Sample", kinds: StoreKind.allCases),
            RefusedPredicate(
                "Sample", "i16 == 1 AND NOT (i32 == 2 OR nothing == 1)", naming: "nothing", "Sample",
                kinds: StoreKind.allCases),
            RefusedPredicate(
                "Sample", "next.nothing == 1", naming: "next.nothing", "Sample", kinds: StoreKind.allCases),
            RefusedPredicate("Sample", "i16 == nothing", naming: "nothing", kinds: StoreKind.allCases),
            RefusedPredicate("Sample", "i32 IN {1, $unbound}", naming: "$unbound", kinds: StoreKind.allCases),
            RefusedPredicate(
                "Work", "author.home.nothing == 1", naming: "author.home.nothing", "Town", kinds: StoreKind.allCases),
            RefusedPredicate("Work", "ANY tags.nothing == 1", naming: "nothing", "Tag", kinds: StoreKind.allCases),
            RefusedPredicate("Work", "tags.@max.nothing == 1", naming: "nothing", kinds: StoreKind.allCases),
            RefusedPredicate("Work", "i16 == 1", naming: "i16", "Work", kinds: StoreKind.allCases),
            RefusedPredicate("Animal", "age == 1", naming: "age", "Animal", kinds: StoreKind.allCases),
            RefusedPredicate("Sample", "nothing + 1 == 2", naming: "nothing", kinds: StoreKind.allCases),
            RefusedPredicate("Sample", "i16 IN {1, nothing}", naming: "nothing", kinds: StoreKind.allCases),
            RefusedPredicate("Sample", "length(nothing) == 2", naming: "nothing", kinds: StoreKind.allCases),
            RefusedPredicate(
                "Work", "SUBQUERY(nothing, $x, $x.name == 'a').@count == 1", naming: "nothing",
                kinds: StoreKind.allCases),
            RefusedPredicate(
                "Work", "SUBQUERY(tags, $x, $x.nothing == 'a').@count == 1", naming: "nothing",
                kinds: StoreKind.allCases),
            RefusedPredicate(
                "Sample", "TERNARY(nothing == 1, 1, 2) == 2", naming: "nothing", kinds: StoreKind.allCases),
        ]
    }

    /// Values that no row has, and conditions that SQL can't express.
    private static var notInSQL: [RefusedPredicate] {
        [
            RefusedPredicate("Sample", "mood == 'x'", naming: "mood", "transient"),
            RefusedPredicate("Sample", "next.mood == 'x'", naming: "mood", "transient"),
            RefusedPredicate("Sample", "info == 'x'", naming: "info"),
            RefusedPredicate("Sample", "info IN {'x', 'y'}", naming: "info"),
            RefusedPredicate("Sample", "name.nothing == 1", naming: "nothing"),
            RefusedPredicate("Sample", "i16.nothing == 1", naming: "nothing"),
            RefusedPredicate("Sample", "i16 == $X", naming: "$X", kinds: StoreKind.allCases),
            RefusedPredicate("Sample", "ANYKEY == 'x'", naming: "ANYKEY"),
            RefusedPredicate("Work", "tags.name == 'old'", naming: "tags.name", "ANY"),
            RefusedPredicate("Work", "tags == nil", naming: "tags", "ANY"),
            RefusedPredicate("Work", "tags.weight > 1", naming: "tags.weight", "ANY"),
            RefusedPredicate("Work", "tags.name BEGINSWITH 'o'", naming: "tags.name", "ANY"),
            RefusedPredicate("Work", "author.works.name == 'Echo'", naming: "author.works.name", "ANY"),
            RefusedPredicate("Work", "tags.@sum.name == 1", naming: "tags.@sum.name"),
            RefusedPredicate("Work", "pages BETWEEN author", naming: "BETWEEN"),
        ]
    }

    private static var code: [RefusedPredicate] {
        [
            RefusedPredicate("Sample", code: "a block", naming: "block") { NSPredicate { _, _ in true } },
            RefusedPredicate("Sample", code: "a block within a compound", naming: "block") {
                NSCompoundPredicate(andPredicateWithSubpredicates: [
                    NSPredicate(format: "i16 == 1"), NSPredicate { _, _ in true },
                ])
            },
            RefusedPredicate("Sample", code: "a block expression", naming: "BLOCK") {
                NSComparisonPredicate(
                    leftExpression: NSExpression(block: { _, _, _ in 1 }, arguments: nil),
                    rightExpression: NSExpression(forConstantValue: 1),
                    modifier: .direct, type: .equalTo)
            },
            RefusedPredicate("Sample", code: "a key path without a key", naming: "name") {
                NSComparisonPredicate(
                    leftExpression: NSExpression(
                        forFunction: NSExpression(forKeyPath: "name"), selectorName: "valueForKeyPath:", arguments: []),
                    rightExpression: NSExpression(forConstantValue: 1), modifier: .direct, type: .equalTo)
            },
            RefusedPredicate("Sample", code: "an invalid pattern", naming: "(") {
                NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: "text"),
                    rightExpression: NSExpression(forConstantValue: "("), modifier: .direct,
                    type: .matches)
            },
        ]
    }
}
