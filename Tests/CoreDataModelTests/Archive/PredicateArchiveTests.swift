import CoreDataPredicates
import Testing

@testable import CoreDataModel

@Suite("Archived predicates and expressions")
struct PredicateArchiveTests {
    private static let path = NSExpression(forKeyPath: "a.b")
    private static let selfExpression = NSExpression.expressionForEvaluatedObject()

    private func roundTrip(_ predicate: NSPredicate) throws -> NSPredicate {
        let writer = KeyedArchiveWriter()
        let root = try PredicateArchiver(writer: writer, owner: "test").add(predicate)
        return try PredicateUnarchiver().predicate(KeyedArchiveReader(writer.data(root: root)).root())
    }

    private func archive(_ expression: NSExpression) throws -> KeyedArchiveObject {
        let writer = KeyedArchiveWriter()
        let root = try PredicateArchiver(writer: writer, owner: "test").add(expression)
        return try KeyedArchiveReader(writer.data(root: root)).root()
    }

    @Test("Every operator, modifier and option is decoded unchanged")
    func comparisons() throws {
        let types: [NSComparisonPredicate.Operator] = [
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .matches, .like,
            .beginsWith, .endsWith, .in, .contains, .between,
        ]
        for type in types {
            for modifier in [NSComparisonPredicate.Modifier.direct, .all, .any] {
                let options: NSComparisonPredicate.Options =
                    type == .between ? [] : [.caseInsensitive, .diacriticInsensitive]
                let predicate = NSComparisonPredicate(
                    leftExpression: Self.path, rightExpression: NSExpression(forConstantValue: "x"), modifier: modifier,
                    type: type, options: options)
                expectTrue(try roundTrip(predicate).structurallyEquals(predicate), "\(type) \(modifier)")
            }
        }
    }

    @Test("Compound predicates and constants are decoded unchanged")
    func compounds() throws {
        let one = LibraryModel.comparison(.equalTo, 1)
        for type in [NSCompoundPredicate.LogicalType.and, .or, .not] {
            let predicate = NSCompoundPredicate(
                type: type, subpredicates: type == .not ? [one] : [one, one, NSPredicate(value: false)])
            expectTrue(try roundTrip(predicate).structurallyEquals(predicate))
        }
        expectTrue(try roundTrip(NSPredicate(value: true)).structurallyEquals(NSPredicate(value: true)))
    }

    @Test("Every kind of expression is decoded unchanged")
    func expressions() throws {
        let constant = NSExpression(forConstantValue: NSNumber(value: 2))
        let variable = NSExpression(forVariable: "v")
        let expressions: [NSExpression] = [
            Self.selfExpression, variable, constant, NSExpression(forConstantValue: nil), NSExpression(forKeyPath: "a"),
            Self.path,
            NSExpression(forConstantValue: Date(timeIntervalSinceReferenceDate: 1)),
            NSExpression(
                forFunction: variable, selectorName: "valueForKeyPath:",
                arguments: [NSExpression(forConstantValue: "x.y")]),
            NSExpression(
                forFunction: variable, selectorName: "valueForKeyPath:",
                arguments: [NSExpression(forConstantValue: "x")]),
            NSExpression(
                forFunction: variable, selectorName: "valueForKey:", arguments: [NSExpression(forConstantValue: "x")]),
            NSExpression(
                forFunction: variable, selectorName: "valueForKey:",
                arguments: [NSExpression(forConstantValue: "x.y")]),
            NSExpression(forFunction: variable, selectorName: "frob:", arguments: [constant]),
            NSExpression(forAggregate: [constant, variable, Self.path]),
            NSExpression(forUnionSet: Self.path, with: variable),
            NSExpression(forIntersectSet: Self.path, with: variable),
            NSExpression(forMinusSet: Self.path, with: variable),
            NSExpression(
                forSubquery: Self.path, usingIteratorVariable: "i",
                predicate: LibraryModel.comparison(.equalTo, 1, on: variable)),
            NSExpression(forConditional: NSPredicate(value: true), trueExpression: constant, falseExpression: variable),
            NSExpression.expressionForAnyKey(),
        ]
        for expression in expressions {
            let read = try PredicateUnarchiver().expression(archive(expression))
            expectTrue(read.structurallyEquals(expression), "\(expression.expressionType)")
        }
    }

    @Test("Key paths are archived as Apple does")
    func keyPathLayout() throws {
        let single = try archive(NSExpression(forKeyPath: "a"))
        expectEqual(single.className, "NSKeyPathExpression")
        try expectEqual(single.integer("NSExpressionType"), 3)
        try expectEqual(single.string("NSSelectorName"), "valueForKey:")
        try expectEqual(single.object("NSOperand")?.className, "NSSelfExpression")
        let specifier = try requireValue(try single.objects("NSArguments")?.first)
        expectEqual(specifier.className, "NSKeyPathSpecifierExpression")
        try expectEqual(specifier.integer("NSExpressionType"), 10)
        try expectEqual(specifier.string("NSKeyPath"), "a")
        try expectEqual(archive(Self.path).string("NSSelectorName"), "valueForKeyPath:")
    }

    @Test("Blocks can't be archived, and the error names their owner")
    func blocks() {
        let predicate = NSPredicate { _, _ in true }
        let error = #expect(throws: CocoaError.self) { try roundTrip(predicate) }
        expectEqual(error?.code, .coderInvalidValue)
    }

    @Test("Every function is decoded with as many arguments as its name has colons")
    func functions() throws {
        for name in FunctionLibrary.names {
            let arguments = Array(repeating: NSExpression(forKeyPath: "a"), count: name.count(where: { $0 == ":" }))
            let expression = NSExpression(forFunction: name, arguments: arguments)
            let object = try archive(expression)
            try expectEqual(object.object("NSOperand")?.string("NSConstantValueClassName"), "_NSPredicateUtilities")
            expectTrue(try PredicateUnarchiver().expression(object).structurallyEquals(expression), "\(name)")
        }
    }

    @Test("Functions outside of the library are refused")
    func unknownFunctions() throws {
        let writer = KeyedArchiveWriter()
        let expressionClass = KeyedArchiveClass("NSFunctionExpression", "NSExpression")
        let operand = writer.add(
            class: KeyedArchiveClass("NSConstantValueExpression", "NSExpression"),
            [
                ("NSConstantValueClassName", writer.add(string: "_NSPredicateUtilities"))
            ])
        let root = writer.add(
            class: expressionClass,
            [
                ("NSOperand", operand), ("NSSelectorName", writer.add(string: "launch:")),
                ("NSArguments", writer.add(array: [operand])),
            ])
        let object = try KeyedArchiveReader(writer.data(root: root)).root()
        #expect(throws: CocoaError.self) { try PredicateUnarchiver().expression(object) }
    }

    @Test("A predicate that contains itself is refused")
    func circle() throws {
        let writer = KeyedArchiveWriter()
        let root = writer.reserve()
        writer.fill(
            root, class: KeyedArchiveClass("NSCompoundPredicate", "NSPredicate"),
            [
                ("NSCompoundPredicateType", .integer(1)), ("NSSubpredicates", writer.add(array: [root, root])),
            ])
        let object = try KeyedArchiveReader(writer.data(root: root)).root()
        #expect(throws: CocoaError.self) { try PredicateUnarchiver().predicate(object) }
    }

    @Test("A small predicate with exponentially many references is refused")
    func unfolding() throws {
        let writer = KeyedArchiveWriter()
        var part = writer.add(class: KeyedArchiveClass("NSTruePredicate", "NSPredicate"), [])
        for _ in 0..<60 {
            part = writer.add(
                class: KeyedArchiveClass("NSCompoundPredicate", "NSPredicate"),
                [
                    ("NSCompoundPredicateType", .integer(2)), ("NSSubpredicates", writer.add(array: [part, part])),
                ])
        }
        let object = try KeyedArchiveReader(writer.data(root: part)).root()
        #expect(throws: CocoaError.self) {
            try PredicateUnarchiver(budget: KeyedArchiveBudget(values: 10_000)).predicate(object)
        }
    }
}
