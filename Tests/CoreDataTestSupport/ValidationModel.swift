import CoreData

/// Items with a code, an amount and parts, whose values have rules.
package enum ValidationModel {
    package static func make() -> NSManagedObjectModel {
        let item = entity("Item")
        let part = entity("Part")
        let code = attribute("code", .stringAttributeType, optional: false)
        code.setValidationPredicates(
            [
                NSPredicate(format: "length >= 2"), NSPredicate(format: "length <= 4"),
                NSPredicate(format: "SELF MATCHES '[A-Z]+'"),
            ],
            withValidationWarnings: ["too short", "too long", "no capitals"])
        let amount = attribute("amount", .integer32AttributeType)
        amount.setValidationPredicates(
            [NSPredicate(format: "SELF >= 1"), NSPredicate(format: "SELF <= 10")],
            withValidationWarnings: ["too small", "too large"])
        let parts = toMany("parts", part, minCount: 1, maxCount: 2)
        let owner = toOne("item", item)
        pair(parts, owner)
        item.properties = [code, amount, parts]
        part.properties = [attribute("name", .stringAttributeType), owner]
        return model([item, part])
    }
}
