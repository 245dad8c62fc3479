// SPDX-License-Identifier: Apache-2.0

/// The values of derived attributes that are computed when an object is saved.
package enum DerivedValues {
    /// The value of an attribute's derivation for an object.
    ///
    /// - Parameters:
    ///   - slot: the derived attribute.
    ///   - object: an object of the context, or a row with key-value access.
    ///   - layout: the layout of the object.
    /// - Throws: `NSCoreDataError` (134060) if the derivation names keys that the entity doesn't have, is of a kind
    ///   that can't be computed, or has a value of another type than the attribute.
    package static func value(of slot: PropertySlot, for object: Any, layout: EntityLayout) throws -> Any? {
        guard let derivation = slot.derivation else { return nil }
        try check(slot, layout)
        guard let value = derivation.expression.expressionValue(with: object, context: nil) else { return nil }
        guard isComputed(slot.kind), slot.accepts(value) else {
            throw failure(
                slot, layout,
                "has a value of type \(type(of: value)), but the type of the attribute is \(slot.kind)")
        }
        return value
    }

    /// Checks that a derivation can be computed, if the attribute has one.
    ///
    /// - Throws: `NSCoreDataError` (134060) if it names keys that the entity doesn't have, or is of a kind that can't
    ///   be computed.
    static func check(_ slot: PropertySlot, _ layout: EntityLayout) throws {
        guard let derivation = slot.derivation else { return }
        if case .unsupported(let mismatch) = derivation.form { throw failure(slot, layout, "\(mismatch)") }
        for path in derivation.keyPaths { try PredicateCheck.check(keyPath: path, layout) }
    }

    /// Whether stores compute values of a kind: they don't where any object would be one.
    private static func isComputed(_ kind: StorageKind) -> Bool {
        ![.transformable, .undefined, .composite, .objectID].contains(kind)
    }

    private static func failure(_ slot: PropertySlot, _ layout: EntityLayout, _ problem: String) -> NSError {
        CoreDataErrors.error(
            NSCoreDataError, "\(layout.name).\(slot.name) can't be derived.",
            reason: "Its derivation \(slot.derivation?.expression.description ?? "") \(problem).",
            suggestion: "Correct the derivation in the model.", userInfo: [NSValidationKeyErrorKey: slot.name])
    }
}
