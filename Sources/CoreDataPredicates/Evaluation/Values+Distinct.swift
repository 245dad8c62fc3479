extension Values {
    /// What a collection holds, and what the collections in it hold, without what is missing; nil for no collection.
    /// Elements of collections in others come once each, as the objects at the end of a path across several
    /// relationships.
    static func reached(by collection: Any?) -> [Any]? {
        let elements = elements(of: collection)?.compactMap(unwrap)
        guard let elements, Self.elements(of: elements.first) != nil else { return elements }
        return distinct(elements.flatMap(leaves))
    }

    private static func leaves(of value: Any) -> [Any] {
        guard let elements = elements(of: value) else { return [value] }
        return elements.compactMap(unwrap).flatMap(leaves)
    }

    /// The values without those that equal an earlier one. Foundation's ordered sets on Linux keep equal Swift strings.
    package static func distinct(_ values: [Any]) -> [Any] {
        var seen = ValueSet()
        return values.filter { seen.insert($0) }
    }
}
