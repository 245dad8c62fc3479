/// The properties that a fetch of objects names in `propertiesToFetch`.
enum FetchedProperties {
    /// The positions of the properties in the layout; nil for all.
    ///
    /// - Parameter properties: property descriptions or names.
    /// - Throws: `NSCoreDataError` (134060) for what no attribute or to-one relationship of the entity is.
    static func positions(_ properties: [Any]?, layout: EntityLayout) throws -> Set<Int>? {
        guard let properties, !properties.isEmpty else { return nil }
        return Set(
            try properties.map { property in
                let name = (property as? String) ?? (property as? NSPropertyDescription)?.name ?? "\(property)"
                if property is NSExpressionDescription {
                    throw refusal(
                        "the expression '\(name)'",
                        "only dictionaries have values of expressions: set resultType to dictionaryResultType", layout)
                }
                // An element comes with the composite that it is part of.
                let key = name.contains(".") ? KeyPathWalk.split(name)[0] : name
                guard let slot = layout.slot(named: key), key == name || slot.kind == .composite else {
                    throw refusal(
                        "'\(name)'",
                        """
                        the entity has no such property; it has: \
                        \(layout.properties.map(\.name).sorted().joined(separator: ", "))
                        """,
                        layout)
                }
                guard slot.cell >= 0 else {
                    throw refusal("'\(name)'", "it is no attribute or to-one relationship", layout)
                }
                return slot.index
            })
    }

    private static func refusal(_ part: String, _ reason: String, _ layout: EntityLayout) -> NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: NSCoreDataError,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "propertiesToFetch of a fetch of objects of entity \(layout.name) can't have \(part): \(reason).",
                "entity": layout.name, "part": part,
            ])
    }
}
