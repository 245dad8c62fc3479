/// Checks that the key paths of a predicate exist, so that a mistake is an error of the fetch in every store.
enum PredicateCheck {
    static func check(_ predicate: NSPredicate, layout: EntityLayout) throws {
        switch predicate.kind {
        case .comparison(let comparison):
            try check(comparison.leftExpression, layout)
            try check(comparison.rightExpression, layout)
        case .compound(_, let parts):
            for part in parts { try check(part, layout: layout) }
        default:
            return
        }
    }

    /// Checks that the keys to sort by exist.
    static func check(_ descriptors: [NSSortDescriptor], layout: EntityLayout) throws {
        for key in descriptors.compactMap(\.key) { try check(keyPath: key, layout) }
    }

    private static func check(_ expression: NSExpression, _ layout: EntityLayout) throws {
        guard expression.expressionType == .keyPath else { return }
        try check(keyPath: expression.keyPath, layout)
    }

    static func check(keyPath: String, _ layout: EntityLayout) throws {
        var current: EntityLayout? = layout
        for key in keyPath.split(separator: ".").map(String.init) {
            guard let here = current else { return }
            if key.hasPrefix("@") || ["self", "SELF", "objectID", "entity"].contains(key) { return }
            guard let slot = here.slotHereOrBelow(named: key) else {
                throw NSError(domain: NSCocoaErrorDomain, code: NSCoreDataError, userInfo: [
                    NSLocalizedDescriptionKey: "keypath \(keyPath) not found in entity \(layout.name): \(here.name) has no property '\(key)'. It has: \(here.properties.map(\.name).sorted().joined(separator: ", ")).",
                ])
            }
            current = slot.isRelationship ? here.model[slot.destination] : nil
        }
    }
}
