import CoreData
import Testing

@Suite("Archives of predicates, expressions and requests")
struct PredicateCodingTests {
    static let formats = [
        "name == 'a'", "age != nil", "age > 3 AND age <= 7.5", "name BEGINSWITH[cd] 'x' OR NOT name ENDSWITH 'y'",
        "ANY books.pages > 100",
        "ALL books.pages > 100", "age BETWEEN {1, 9}", "name IN {'a', 'b'}", "name MATCHES 'a+'", "name LIKE[c] '*b?'",
        "books.@count > 2",
        "SUBQUERY(books, $b, $b.pages > 10 AND $b.name == $wanted).@count == 0",
        "TERNARY(age > 3, name, 'none') == 'none'", "age + 1 == 2 * 3",
        "CAST(age, 'NSString') == '3'", "length(name) > 2", "name CONTAINS[n] 'a'", "TRUEPREDICATE OR age == 1",
        "SELF == $object",
        "birthday > CAST(1000, 'NSDate')",
    ]

    @Test("a predicate comes back equal", arguments: formats)
    func predicates(_ format: String) throws {
        let predicate = NSPredicate(format: format)
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        let read = try requireValue(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data))
        expectEqual(read, predicate)
        expectEqual("\(read)", "\(predicate)")
    }

    @Test("an archive names Apple's classes")
    func classes() throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSPredicate(format: "a.b == nil AND c LIKE 'x'"), requiringSecureCoding: true)
        let text = String(decoding: data, as: UTF8.self)
        for name in [
            "NSCompoundPredicate", "NSComparisonPredicate", "NSKeyPathExpression", "NSEqualityPredicateOperator",
            "NSLikePredicateOperator", "NSSelfExpression",
        ] {
            expectContains(text, name, "\(name)")
        }
        #expect(!text.contains("CoreDataPredicates"))
    }

    @Test("expressions and sort descriptors come back equal")
    func others() throws {
        let expression = NSExpression(format: "sum:(books.pages) + 1")
        let data = try NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
        try expectEqual(NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: data), expression)
        let descriptors = [
            NSSortDescriptor(key: "a.b", ascending: false, selector: NSSelectorFromString("localizedCompare:")),
            NSSortDescriptor(key: "c", ascending: true),
        ]
        let list = try NSKeyedArchiver.archivedData(withRootObject: descriptors, requiringSecureCoding: true)
        try expectEqual(
            NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: NSSortDescriptor.self, from: list), descriptors)
        let one = try NSKeyedArchiver.archivedData(withRootObject: descriptors[0], requiringSecureCoding: true)
        try expectEqual(NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: one), descriptors[0])
    }

    @Test("a fetch request comes back with all that it says, and fetches")
    func requests() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "pages > 10 AND name BEGINSWITH 'B'")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        request.fetchLimit = 5
        request.fetchOffset = 1
        request.includesSubentities = false
        request.relationshipKeyPathsForPrefetching = ["author"]
        let data = try NSKeyedArchiver.archivedData(withRootObject: request, requiringSecureCoding: true)
        let read = try requireValue(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSFetchRequest<NSManagedObject>.self, from: data))
        expectEqual(read, request)
        expectEqual(read.fetchLimit, 5)
        expectEqual(read.fetchOffset, 1)
        expectFalse(read.includesSubentities)
        expectEqual(read.predicate, request.predicate)
        expectEqual(read.sortDescriptors, request.sortDescriptors)
        expectEqual(read.entityName, "Book")
        try withStack(.sqlite) { stack in
            for name in ["A", "B1", "B2", "B3"] { stack.context.make("Book", name) }
            try stack.context.save()
            try expectEqual(stack.context.fetch(read).map { $0.text("name") }, ["B2", "B1"])
        }
    }

    @Test("parts of other objects are archived with them")
    func nested() throws {
        let filter = CodedFilter(
            NSPredicate(format: "age > 3") as! NSComparisonPredicate, NSExpression(format: "age + 1"))
        let data = try NSKeyedArchiver.archivedData(withRootObject: filter, requiringSecureCoding: true)
        let read = try requireValue(try NSKeyedUnarchiver.unarchivedObject(ofClass: CodedFilter.self, from: data))
        expectEqual(read.predicate, filter.predicate)
        expectEqual(read.expression, filter.expression)
        let single = try NSKeyedArchiver.archivedData(
            withRootObject: filter.expression as Any, requiringSecureCoding: true)
        #expect(
            try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSExpression.self], from: single) as? NSExpression
                == filter.expression)
        try expectEqual(NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: single), filter.expression)
    }

    @Test("what was read is evaluated once that is allowed")
    func allowing() throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSPredicate(format: "SELF > 3 AND NOT SELF == 5"), requiringSecureCoding: true)
        let predicate = try requireValue(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data))
        predicate.allowEvaluation()
        expectTrue(predicate.evaluate(with: 4))
        expectFalse(predicate.evaluate(with: 5))
        expectFalse(predicate.evaluate(with: 2))
    }

    @Test("evaluating what was read before that is allowed stops the program, also after variables were given values")
    func forbidden() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: NSPredicate(format: "SELF > $least"), requiringSecureCoding: true)
            let predicate = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
            _ = predicate?.withSubstitutionVariables(["least": 3]).evaluate(with: 4)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expectContains(said, "allowEvaluation()")
    }

    @Test("a validator sees every part, and what it refuses stays forbidden")
    func validating() throws {
        let predicate = NSPredicate(format: "a.b.c == 1 AND SUBQUERY(d, $x, $x.e > 2).@count > 0")
        let validator = Validator()
        try predicate.allowEvaluation(validator: validator)
        expectEqual(validator.paths, ["a.b|c", "|d"])
        expectEqual(validator.operators, [.equalTo, .greaterThan, .greaterThan])
        expectEqual(validator.predicates, 4)
        validator.refusesKey = "c"
        #expect(throws: CocoaError.self) { try predicate.allowEvaluation(validator: validator) }
    }

    @Test("a block, or a sort descriptor with one, is refused with an error")
    func blocks() throws {
        let block = NSPredicate { _, _ in true }
        #expect(throws: CocoaError.self) {
            try NSKeyedArchiver.archivedData(withRootObject: block, requiringSecureCoding: true)
        }
        let inside = NSCompoundPredicate(andPredicateWithSubpredicates: [block, NSPredicate(value: true)])
        #expect(throws: CocoaError.self) {
            try NSKeyedArchiver.archivedData(withRootObject: inside, requiringSecureCoding: true)
        }
        let expression = NSExpression(block: { _, _, _ in 1 }, arguments: nil)
        #expect(throws: CocoaError.self) {
            try NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
        }
        let descriptor = NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame }
        #expect(throws: CocoaError.self) {
            try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
        }
    }

    @Test("damaged archives throw or are read, and archives of something else throw")
    func damaged() throws {
        let predicate = NSPredicate(
            format: "SUBQUERY(books, $b, $b.pages > 10).@count > 2 AND name IN {'a', 'b'} AND sum:(ages) > 3")
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        for position in stride(from: 0, to: data.count, by: TestRun.quick(5, long: 1)) {
            for value in [0, 0xFF, data[position] ^ 1] as [UInt8] {
                var mutant = data
                mutant[position] = value
                _ = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: mutant)
            }
            _ = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data.prefix(position))
        }
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: data)
        }
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: data)
        }
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSFetchRequest<NSManagedObject>.self, from: data)
        }
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: Data("x".utf8))
        }
    }

    @Test("an archive that is nested too deep throws")
    func deep() throws {
        var predicate = NSPredicate(format: "a == 1")
        for _ in 0..<300 { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
        let error = thrownError {
            let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
            _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        }
        expectEqual(error?.code, CocoaError.Code.coderInvalidValue.rawValue)
    }
}

final class CodedFilter: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let predicate: NSComparisonPredicate
    let expression: NSExpression

    init(_ predicate: NSComparisonPredicate, _ expression: NSExpression) {
        self.predicate = predicate
        self.expression = expression
    }

    init?(coder: NSCoder) {
        guard let predicate = coder.decodeObject(of: NSComparisonPredicate.self, forKey: "predicate"),
            let expression = coder.decodeObject(of: NSExpression.self, forKey: "expression")
        else { return nil }
        self.predicate = predicate
        self.expression = expression
    }

    func encode(with coder: NSCoder) {
        coder.encode(predicate, forKey: "predicate")
        coder.encode(expression, forKey: "expression")
    }
}

private final class Validator: NSObject, NSPredicateValidating {
    var paths: [String] = []
    var operators: [NSComparisonPredicate.Operator] = []
    var predicates = 0
    var refusesKey: String?

    func visit(_ predicate: NSPredicate) throws { predicates += 1 }
    func visit(_ operatorType: NSComparisonPredicate.Operator) throws { operators.append(operatorType) }
    func visitExpressionKeyPath(_ expression: NSExpression, scope: String?, key: String?) throws {
        if let refusesKey, key == refusesKey { throw CocoaError(.coderReadCorrupt) }
        paths.append("\(scope ?? "")|\(key ?? "")")
    }
}
