import CoreDataPredicates
import Testing

/// The examples in the documentation of this module. Change both together.
@Suite struct DocumentationExampleTests {
    // MARK: NSPredicate

    @Test func predicateOfSeveralWords() {
        let words = ["love", "night"]
        let predicate = NSPredicate(
            format: words.map { _ in "title CONTAINS[cd] %@" }.joined(separator: " OR "), argumentArray: words)
        expectTrue(predicate.evaluate(with: ["title": "Twelfth Night"]))
        expectFalse(predicate.evaluate(with: ["title": "Help"]))
        expectTrue(NSPredicate(format: "rating IN %@", argumentArray: [[1, 2, 3]]).evaluate(with: ["rating": 2]))
    }

    // MARK: NSComparisonPredicate

    func condition(key: String, text: String, ignoresCase: Bool) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: key),
            rightExpression: NSExpression(forConstantValue: text),
            modifier: .direct, type: .contains, options: ignoresCase ? [.caseInsensitive, .diacriticInsensitive] : [])
    }

    @Test func comparisonOfASearchForm() {
        let object = ["title": "Für Elise"]
        expectTrue(condition(key: "title", text: "fur", ignoresCase: true).evaluate(with: object))
        expectFalse(condition(key: "title", text: "fur", ignoresCase: false).evaluate(with: object))
    }

    // MARK: NSExpression

    @Test func expressionInCode() {
        let price = NSExpression(forKeyPath: "price")
        let total = NSExpression(
            forFunction: "multiply:by:", arguments: [price, NSExpression(forKeyPath: "quantity")])
        let value = total.expressionValue(with: ["price": 3, "quantity": 4], context: nil)  // 12
        #expect(value as? NSNumber == 12)
    }

    @Test func expressionFromText() {
        let discounted = NSExpression(format: "price * (100 - %d) / 100.0", 15)
        let value = discounted.expressionValue(with: ["price": 20], context: nil)  // 17.0
        #expect(value as? NSNumber == 17)
    }

    // MARK: UndoManager

    final class Document {
        let undoManager = UndoManager()
        private(set) var title = ""

        func setTitle(_ title: String) {
            let old = self.title
            undoManager.registerUndo(withTarget: self) { $0.setTitle(old) }
            undoManager.setActionName("Change Title")
            self.title = title
        }
    }

    @Test func undoOfAChange() {
        let document = Document()
        document.setTitle("Help")
        document.undoManager.undo()  // title is "" again
        expectEqual(document.title, "")
        expectEqual(document.undoManager.redoActionName, "Change Title")
        document.undoManager.redo()  // title is "Help"
        expectEqual(document.title, "Help")
    }

    // MARK: ValueTransformer

    struct Color: Equatable {
        var components: [UInt8]
    }

    final class ColorTransformer: ValueTransformer {
        override class func transformedValueClass() -> AnyClass { NSData.self }

        override func transformedValue(_ value: Any?) -> Any? {
            (value as? Color).map { Data($0.components) }
        }

        override func reverseTransformedValue(_ value: Any?) -> Any? {
            (value as? Data).map { Color(components: [UInt8]($0)) }
        }
    }

    @Test func transformerOfColors() throws {
        let name = NSValueTransformerName("ColorTransformer")
        ValueTransformer.setValueTransformer(ColorTransformer(), forName: name)
        defer { ValueTransformer.setValueTransformer(nil, forName: name) }
        let transformer = try requireValue(ValueTransformer(forName: name))
        let color = Color(components: [255, 128, 0])
        let data = transformer.transformedValue(color)
        #expect(data as? Data == Data([255, 128, 0]))
        #expect(transformer.reverseTransformedValue(data) as? Color == color)
    }
}
