/// The values of derived attributes that are computed when an object is saved.
enum DerivedValues {
    /// The value of an attribute's derivation for an object.
    ///
    /// - Throws: `NSCoreDataError` (134060) if the derivation names keys that the entity doesn't have, is of a kind
    ///   that can't be computed, or gives a value of another type than the attribute's.
    ///
    /// - Parameter object: an object of the context, or a row of a store that answers keys.
    static func value(of slot: PropertySlot, for object: Any, layout: EntityLayout) throws -> Any? {
        guard let expression = slot.derivation else { return nil }
        try check(expression, slot, layout)
        guard let value = expression.expressionValue(with: object, context: nil) else { return nil }
        guard fits(value, slot.kind) else {
            throw failure(
                slot, layout,
                "gives a value of type \(type(of: value)), which doesn't fit the attribute's type \(slot.kind)")
        }
        return value
    }

    private static func check(_ expression: NSExpression, _ slot: PropertySlot, _ layout: EntityLayout) throws {
        switch expression.expressionType {
        case .keyPath:
            try PredicateCheck.check(keyPath: expression.keyPath, layout)
        case .function
        where ["canonical:", "uppercase:", "lowercase:", "now", "count:", "sum:"].contains(expression.function):
            for argument in expression.arguments ?? [] {
                guard argument.expressionType == .keyPath else {
                    throw failure(slot, layout, "has an argument that is no key path")
                }
                try PredicateCheck.check(keyPath: argument.keyPath, layout)
            }
        default:
            throw failure(slot, layout, "is no key path, count:, sum:, canonical:, uppercase:, lowercase: or now()")
        }
    }

    private static func fits(_ value: Any, _ kind: StorageKind) -> Bool {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal: value is NSNumber
        case .string: value is String
        case .date: value is Date
        case .uuid: value is UUID
        case .uri: value is URL
        case .data: value is Data
        default: false
        }
    }

    private static func failure(_ slot: PropertySlot, _ layout: EntityLayout, _ what: String) -> NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: NSCoreDataError,
            userInfo: [
                NSLocalizedDescriptionKey: """
                \(layout.name).\(slot.name) can't be derived: its derivation \
                \(slot.derivation?.description ?? "") \(what).
                """,
                NSValidationKeyErrorKey: slot.name,
            ])
    }
}
