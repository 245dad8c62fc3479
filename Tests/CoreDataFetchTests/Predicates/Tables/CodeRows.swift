import CoreData

extension PredicateTable {
    private typealias Comparison = NSComparisonPredicate

    private static func key(_ path: String) -> NSExpression { NSExpression(forKeyPath: path) }
    private static func constant(_ value: Any?) -> NSExpression { NSExpression(forConstantValue: value) }
    private static func compare(
        _ left: NSExpression, _ type: Comparison.Operator, _ right: NSExpression,
        _ modifier: Comparison.Modifier = .direct,
        _ options: Comparison.Options = []
    ) -> NSPredicate {
        Comparison(leftExpression: left, rightExpression: right, modifier: modifier, type: type, options: options)
    }

    /// A compound that isn't parsed prints wrong on Linux: see Differences.
    private static let compound = PredicateRow.Ways.withoutText

    /// Predicates built by code.
    static var code: [PredicateRow] {
        [
            PredicateRow("Sample", code: "key == constant", "b") { _ in compare(key("i16"), .equalTo, constant(2)) },
            PredicateRow("Sample", code: "key != constant", "but b; but b h n") { _ in
                compare(key("i16"), .notEqualTo, constant(2))
            },
            PredicateRow("Sample", code: "key < constant", "z a c lo") { _ in
                compare(key("i16"), .lessThan, constant(2))
            },
            PredicateRow("Sample", code: "key <= constant", "z a b c lo") { _ in
                compare(key("i16"), .lessThanOrEqualTo, constant(2))
            },
            PredicateRow("Sample", code: "key > constant", "d m hi") { _ in
                compare(key("i16"), .greaterThan, constant(2))
            },
            PredicateRow("Sample", code: "key >= constant", "b d m hi") { _ in
                compare(key("i16"), .greaterThanOrEqualTo, constant(2))
            },
            PredicateRow("Sample", code: "key == nil", "n h") { _ in compare(key("i16"), .equalTo, constant(nil)) },
            PredicateRow("Sample", code: "key == NSNull", "n h") { _ in
                compare(key("i16"), .equalTo, constant(NSNull()))
            },
            PredicateRow("Sample", code: "key == key", "n z a; a z") { _ in compare(key("i16"), .equalTo, key("i32")) },
            PredicateRow("Sample", code: "key beginsWith[c]", "a lo") { _ in
                compare(key("text"), .beginsWith, constant("A"), .direct, .caseInsensitive)
            },
            PredicateRow("Sample", code: "key endsWith", "a d") { _ in compare(key("text"), .endsWith, constant("e")) },
            PredicateRow("Sample", code: "key contains[cd]", "c") {
                _ in
                compare(key("text"), .contains, constant("ÇH"), .direct, [.caseInsensitive, .diacriticInsensitive])
            },
            PredicateRow("Sample", code: "key like", "a lo") { _ in compare(key("text"), .like, constant("a*")) },
            PredicateRow("Sample", code: "key matches", "a d") { _ in
                compare(key("text"), .matches, constant("apple|date"))
            },
            PredicateRow("Sample", code: "key equal[n]", "a") { _ in
                compare(key("text"), .equalTo, constant("apple"), .direct, .normalized)
            },
            PredicateRow("Sample", code: "key in constant array", "a m") { _ in
                compare(key("i16"), .in, constant([1, 3]))
            },
            PredicateRow("Sample", code: "key in constant set", "a m") { _ in
                compare(key("i16"), .in, constant(Set([1, 3])))
            },
            PredicateRow("Sample", code: "key in aggregate", "a m") {
                _ in compare(key("i16"), .in, NSExpression(forAggregate: [constant(1), constant(3)]))
            },
            PredicateRow("Sample", code: "key between constant array", "z a b") { _ in
                compare(key("i16"), .between, constant([0, 2]))
            },
            PredicateRow("Sample", code: "key between aggregate", "z a b m hi") {
                _ in compare(key("i16"), .between, NSExpression(forAggregate: [constant(0), key("j")]))
            },
            PredicateRow("Sample", code: "function == constant", "b") {
                _ in
                compare(
                    NSExpression(forFunction: "add:to:", arguments: [key("i16"), constant(1)]), .equalTo, constant(3))
            },
            PredicateRow("Sample", code: "key in union of constants", "a b m") {
                _ in
                compare(key("i16"), .in, NSExpression(forUnionSet: constant(Set([1])), with: constant(Set([2, 3]))))
            },
            PredicateRow("Sample", code: "conditional == constant", "b") {
                _ in
                let condition = NSExpression(
                    forConditional: compare(key("flag"), .equalTo, constant(true)), trueExpression: key("i16"),
                    falseExpression: constant(0))
                return compare(condition, .equalTo, constant(2))
            },
            PredicateRow("Sample", code: "expression by format", "b") {
                _ in compare(NSExpression(format: "i16 * 2 + 1", argumentArray: []), .equalTo, constant(5))
            },
            PredicateRow("Person", code: "any key == constant", "Ann Bob") { _ in
                compare(key("works.year"), .equalTo, constant(2001), .any)
            },
            PredicateRow("Person", code: "all key > constant", "Bob Fay Cid Dot Gus Kid") {
                _ in compare(key("works.year"), .greaterThan, constant(2000), .all)
            },
            PredicateRow("Person", code: "any key in array", "Ann Fay") { _ in
                compare(key("works.year"), .in, constant([1990, 2020]), .any)
            },
            PredicateRow("Person", code: "subquery count", "Ann Bob") {
                _ in
                let year = compare(NSExpression(format: "$w.year", argumentArray: []), .equalTo, constant(2001))
                let subquery = NSExpression(forSubquery: key("works"), usingIteratorVariable: "w", predicate: year)
                let count = NSExpression(forFunction: "count:", arguments: [subquery])
                return compare(count, .greaterThan, constant(0))
            },
            PredicateRow("Person", code: "count function", "Ann Eva") {
                _ in compare(NSExpression(forFunction: "count:", arguments: [key("works")]), .equalTo, constant(2))
            },
            PredicateRow("Work", code: "key == object", "Atlas Birds", ways: .withoutText) {
                compare(key("author"), .equalTo, constant($0["Ann"]))
            },
            PredicateRow("Work", code: "evaluated object == object", "Fog", ways: .withoutText) {
                compare(NSExpression.expressionForEvaluatedObject(), .equalTo, constant($0["Fog"]))
            },
            PredicateRow("Work", code: "evaluated object in IDs", "Echo Fog", ways: .withoutText) {
                compare(NSExpression.expressionForEvaluatedObject(), .in, constant($0("Echo Fog").map(\.objectID)))
            },
            PredicateRow("Sample", code: "and", "a b", ways: compound) { _ in
                NSCompoundPredicate(andPredicateWithSubpredicates: [
                    NSPredicate(format: "i16 >= 1"), NSPredicate(format: "i16 <= 2"),
                    compare(key("flag"), .equalTo, constant(true)),
                ])
            },
            PredicateRow("Sample", code: "or", "a b h", ways: compound) { _ in
                NSCompoundPredicate(orPredicateWithSubpredicates: [
                    NSPredicate(format: "i16 == 1"), NSPredicate(format: "i16 == 2"), NSPredicate(format: "i32 == 5"),
                ])
            },
            PredicateRow("Sample", code: "not", "but b; but b h n", ways: compound) {
                _ in NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "i16 == 2"))
            },
            PredicateRow("Sample", code: "and of nothing", "all", ways: compound) { _ in
                NSCompoundPredicate(andPredicateWithSubpredicates: [])
            },
            PredicateRow("Sample", code: "or of nothing", "", ways: compound) { _ in
                NSCompoundPredicate(orPredicateWithSubpredicates: [])
            },
            PredicateRow("Sample", code: "not of or of and", "n z c h m lo; c lo z", ways: compound) { _ in
                let and = NSCompoundPredicate(andPredicateWithSubpredicates: [
                    NSPredicate(format: "i16 > 0"), NSPredicate(format: "i32 > 0"),
                ])
                let or = NSCompoundPredicate(orPredicateWithSubpredicates: [and, NSPredicate(format: "i16 == 1")])
                return NSCompoundPredicate(notPredicateWithSubpredicate: or)
            },
            PredicateRow("Sample", code: "a compound of one", "b", ways: compound) {
                _ in NSCompoundPredicate(type: .or, subpredicates: [NSPredicate(format: "i16 == 2")])
            },
            PredicateRow("Sample", code: "true", "all") { _ in NSPredicate(value: true) },
            PredicateRow("Sample", code: "false", "") { _ in NSPredicate(value: false) },
            PredicateRow("Sample", code: "and with constants", "b", ways: compound) { _ in
                NSCompoundPredicate(andPredicateWithSubpredicates: [
                    NSPredicate(value: true), NSPredicate(format: "i16 == 2"),
                ])
            },
            PredicateRow("Sample", code: "a copy", "b") { _ in NSPredicate(format: "i16 == 2").copy() as! NSPredicate },
        ]
    }

}
