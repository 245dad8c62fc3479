import CoreData
import Testing

@Suite("Validation predicates on attributes of each type")
struct ValidationRuleTests {
    /// A rule as a model has it, values that keep it and values that break it.
    struct Rule: Sendable, CustomTestStringConvertible {
        let type: NSAttributeType
        let format: String
        let warning: String
        let good: [ValidationValue]
        let bad: [ValidationValue]
        var testDescription: String { format }
    }

    static let rules: [Rule] = [
        Rule(
            type: .stringAttributeType, format: "length >= 2", warning: "short", good: [.text("ab"), .text("é!")],
            bad: [.text(""), .text("a")]),
        Rule(
            type: .stringAttributeType, format: "length <= 3", warning: "long", good: [.text(""), .text("abc")],
            bad: [.text("abcd")]),
        Rule(
            type: .stringAttributeType, format: "SELF MATCHES '[0-9]{3}'", warning: "pattern", good: [.text("123")],
            bad: [.text("12"), .text("1234"), .text("x123")]),
        Rule(
            type: .stringAttributeType, format: "SELF BEGINSWITH[c] 'a'", warning: "beginning", good: [.text("Abc")],
            bad: [.text("bc")]),
        Rule(
            type: .stringAttributeType, format: "SELF IN {'red', 'green'}", warning: "choice", good: [.text("red")],
            bad: [.text("blue")]),
        Rule(
            type: .stringAttributeType, format: "NOT (SELF CONTAINS ' ')", warning: "blank", good: [.text("ab")],
            bad: [.text("a b")]),
        Rule(
            type: .integer16AttributeType, format: "SELF BETWEEN {1, 10}", warning: "range",
            good: [.number(1), .number(10)], bad: [.number(0), .number(11)]),
        Rule(
            type: .integer32AttributeType, format: "SELF >= -5", warning: "small", good: [.number(-5)],
            bad: [.number(-6)]),
        Rule(
            type: .integer64AttributeType, format: "SELF < 9007199254740993", warning: "large",
            good: [.number(9_007_199_254_740_992)], bad: [.number(9_007_199_254_740_993)]),
        Rule(
            type: .doubleAttributeType, format: "SELF > 0.5 AND SELF < 1.5", warning: "range", good: [.real(1)],
            bad: [.real(0.5), .real(1.5)]),
        Rule(
            type: .floatAttributeType, format: "SELF <= 2.5", warning: "large", good: [.float(2.5)], bad: [.float(2.75)]
        ),
        Rule(
            type: .decimalAttributeType, format: "SELF >= 0", warning: "negative",
            good: [.decimal("0"), .decimal("0.01")], bad: [.decimal("-0.01")]),
        Rule(
            type: .dateAttributeType, format: "SELF >= CAST(100, 'NSDate') AND SELF <= CAST(200, 'NSDate')",
            warning: "dates", good: [.date(100), .date(200)], bad: [.date(99), .date(201)]),
    ]

    @Test(
        "a value that breaks the rule is refused with the rule's warning, one that keeps it and nil are saved",
        arguments: rules, StoreKind.allCases)
    func rule(rule: Rule, kind: StoreKind) throws {
        let value = attribute("value", rule.type)
        value.setValidationPredicates([NSPredicate(format: rule.format)], withValidationWarnings: [rule.warning])
        try withStack(kind, model: model([entity("Item", [value])])) { stack in
            let item = stack.context.make("Item")
            try stack.context.save()
            for good in rule.good {
                item.setValue(good.object, forKey: "value")
                expectEqual(thrownError { try stack.context.save() }, nil, "\(good)")
            }
            for bad in rule.bad {
                item.setValue(bad.object, forKey: "value")
                let error = try requireValue(thrownError { try stack.context.save() }, "\(bad)")
                expectEqual(error.code, 1550)
                expectEqual(error.localizedDescription, rule.warning)
                expectTrue(item.isUpdated)
                expectEqual(
                    (error.userInfo[NSValidationPredicateErrorKey] as? NSPredicate)?.evaluate(
                        with: rule.good[0].object),
                    true)
                stack.context.rollback()
            }
            item.setValue(nil, forKey: "value")
            expectEqual(thrownError { try stack.context.save() }, nil)
        }
    }

    @Test("Booleans, UUIDs, URLs and data have rules as well", arguments: StoreKind.allCases)
    func otherTypes(_ kind: StoreKind) throws {
        let uuid = UUID()
        let rows: [(NSAttributeType, NSPredicate, Any, Any)] = [
            (.booleanAttributeType, NSPredicate(format: "SELF == YES"), true, false),
            (.UUIDAttributeType, NSPredicate(format: "SELF == %@", argumentArray: [uuid]), uuid, UUID()),
            (
                .URIAttributeType, NSPredicate(format: "SELF.scheme == 'https'"), URL(string: "https://a.b")!,
                URL(string: "http://a.b")!
            ),
            (.binaryDataAttributeType, NSPredicate(format: "length <= 2"), Data([1, 2]), Data([1, 2, 3])),
        ]
        for (type, predicate, good, bad) in rows {
            let value = attribute("value", type)
            value.setValidationPredicates([predicate], withValidationWarnings: ["no"])
            try withStack(kind, model: model([entity("Item", [value])])) { stack in
                let item = stack.context.make("Item", nil, ["value": good])
                expectEqual(thrownError { try stack.context.save() }, nil, "\(predicate)")
                item.setValue(bad, forKey: "value")
                expectEqual(thrownError { try stack.context.save() }?.localizedDescription, "no", "\(predicate)")
            }
        }
    }

    @Test("the first of several rules that a value breaks is told", arguments: StoreKind.allCases)
    func first(_ kind: StoreKind) throws {
        let value = attribute("value", .stringAttributeType)
        value.setValidationPredicates(
            [NSPredicate(format: "length >= 2"), NSPredicate(format: "SELF MATCHES '[a-z]*'")],
            withValidationWarnings: ["short", "letters"])
        try withStack(kind, model: model([entity("Item", [value])])) { stack in
            let item = stack.context.make("Item", nil, ["value": "1"])
            expectEqual(thrownError { try stack.context.save() }?.localizedDescription, "short")
            item.setValue("12", forKey: "value")
            expectEqual(thrownError { try stack.context.save() }?.localizedDescription, "letters")
        }
    }

    @Test("rules of an ancestor's property hold in subentities", arguments: StoreKind.allCases)
    func inherited(_ kind: StoreKind) throws {
        let person = entity("Person", [attribute("name", .stringAttributeType, optional: false)])
        let worker = entity("Worker", [attribute("job", .stringAttributeType)])
        person.subentities = [worker]
        try withStack(kind, model: model([person, worker])) { stack in
            let worker = stack.context.make("Worker", nil, ["job": "cook"])
            let error = thrownError { try stack.context.save() }
            expectEqual(error?.code, 1570)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "name")
            worker.setValue("Ann", forKey: "name")
            try stack.context.save()
        }
    }

    @Test("a date that is no moment is refused", arguments: StoreKind.allCases)
    func invalidDate(_ kind: StoreKind) throws {
        try withStack(kind, model: model([entity("Item", [attribute("value", .dateAttributeType)])])) { stack in
            let item = stack.context.make("Item", nil, ["value": Date(timeIntervalSinceReferenceDate: .nan)])
            let error = thrownError { try stack.context.save() }
            expectEqual(error?.code, NSValidationInvalidDateError)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "value")
            item.setValue(Date(timeIntervalSinceReferenceDate: .infinity), forKey: "value")
            try stack.context.save()
        }
    }
}
