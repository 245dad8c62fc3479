import Testing

@testable import CoreDataModel

@Suite("What a derivation computes")
struct DerivationTests {
    private let model = NSManagedObjectModel()

    /// Makes a list with items, and with a transient attribute and a transient relationship.
    init() {
        let (list, item) = (NSEntityDescription(), NSEntityDescription())
        (list.name, item.name) = ("List", "Item")
        func attribute(_ name: String, isTransient: Bool = false) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .integer64AttributeType
            attribute.isTransient = isTransient
            return attribute
        }
        func relationship(_ name: String, to destination: NSEntityDescription, maxCount: Int)
            -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = destination
            relationship.maxCount = maxCount
            return relationship
        }
        let hidden = relationship("hidden", to: item, maxCount: 1)
        hidden.isTransient = true
        list.properties = [
            attribute("title"), relationship("items", to: item, maxCount: 0),
            relationship("first", to: item, maxCount: 1), hidden,
        ]
        item.properties = [attribute("price"), attribute("shown", isTransient: true)]
        model.entities = [list, item]
    }

    private func text(_ derivation: Derivation) -> String {
        switch derivation.form {
        case .count(let relationship): "count \(relationship.name)"
        case .sum(let relationship, let attribute): "sum \(relationship.name) \(attribute.name)"
        case .related(let relationship, let attribute): "related \(relationship.name) \(attribute.name)"
        case .own: "own \(derivation.keyPaths.joined(separator: " "))"
        case .unsupported(let mismatch): "unsupported \(mismatch)"
        }
    }

    @Test(
        "is recognized by the expression and the entity",
        arguments: [
            ("items.@count", "count items"), ("count:(items)", "count items"),
            ("items.price.@sum", "sum items price"), ("items.@sum.price", "sum items price"),
            ("sum:(items.price)", "sum items price"), ("first.price", "related first price"),
            ("title", "own title"), ("uppercase:(first.price)", "own first.price"), ("now()", "own "),
            ("items.@max.price", "own items.@max.price"), ("items.price", "own items.price"),
            ("first.shown", "own first.shown"), ("items.@sum.shown", "own items.@sum.shown"),
            ("hidden.price", "own hidden.price"), ("unknown.@count", "own unknown.@count"),
            ("count:(title)", "own title"),
            ("title + 1", "unsupported is not a key path, count:, sum:, canonical:, uppercase:, lowercase: or now()"),
            ("uppercase:('a')", "unsupported has an argument that is not a key path"),
        ])
    func form(expression: String, expected: String) {
        expectEqual(text(Derivation(NSExpression(format: expression), of: model.entitiesByName["List"])), expected)
    }

    @Test("is its own value without an entity")
    func withoutEntity() {
        expectEqual(text(Derivation(NSExpression(format: "items.@count"), of: nil)), "own items.@count")
    }
}
