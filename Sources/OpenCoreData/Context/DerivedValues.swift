/// The values of derived attributes that are computed when an object is saved.
enum DerivedValues {
    /// The value of an attribute's derivation for an object.
    ///
    /// - Throws: `NSCoreDataError` (134060) if the derivation names keys that the entity doesn't have, is of a kind that can't be
    ///   computed, or gives a value of another type than the attribute's.
    static func value(of slot: PropertySlot, for object: NSManagedObject) throws -> Any? {
        guard let expression = slot.derivation else { return nil }
        try check(expression, slot, object)
        guard let value = expression.expressionValue(with: object, context: nil) else { return nil }
        guard fits(value, slot.kind) else {
            throw failure(slot, object, "gives a value of type \(type(of: value)), which doesn't fit the attribute's type \(slot.kind)")
        }
        return value
    }

    private static func check(_ expression: NSExpression, _ slot: PropertySlot, _ object: NSManagedObject) throws {
        switch expression.expressionType {
        case .keyPath:
            try PredicateCheck.check(keyPath: expression.keyPath, object.layout)
        case .function where ["canonical:", "uppercase:", "lowercase:", "now", "count:", "sum:"].contains(expression.function):
            for argument in expression.arguments ?? [] {
                guard argument.expressionType == .keyPath else { throw failure(slot, object, "has an argument that is no key path") }
                try PredicateCheck.check(keyPath: argument.keyPath, object.layout)
            }
        default:
            throw failure(slot, object, "is no key path, count:, sum:, canonical:, uppercase:, lowercase: or now()")
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

    private static func failure(_ slot: PropertySlot, _ object: NSManagedObject, _ what: String) -> NSError {
        NSError(domain: NSCocoaErrorDomain, code: NSCoreDataError, userInfo: [
            NSLocalizedDescriptionKey: "\(object.layout.name).\(slot.name) can't be derived: its derivation \(slot.derivation?.description ?? "") \(what).",
            NSAffectedObjectsErrorKey: [object],
            NSValidationKeyErrorKey: slot.name,
        ])
    }
}
