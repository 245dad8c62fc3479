// SPDX-License-Identifier: Apache-2.0

/// Defaults that a model declares for all its entities and properties: whether they are syncable, and whether
/// attributes have scalar accessors. They are not part of version hashes.
struct TextNotationDefaults: Equatable {
    /// The elements that are syncable by default.
    enum Syncable: String, CaseIterable {
        case unset, entities, everything
        static let choices = allCases.map { (word: $0.rawValue, value: $0.rawValue) }
    }

    /// The attributes that have scalar accessors by default.
    enum Scalars: String, CaseIterable {
        /// Numbers and Booleans have scalar accessors. Dates, UUIDs and URIs are objects.
        case unset, numbers, none, all
        static let choices = allCases.map { (word: $0.rawValue, value: $0.rawValue) }
    }

    static let syncableAttribute = "syncableDefault"
    static let scalarsAttribute = "scalarsDefault"
    /// The value of an attribute that is explicitly absent, until the defaults are applied.
    static let unset = "\u{0}unset"

    var syncable = Syncable.unset
    /// Without a setting numbers have scalar accessors, as new attributes have in Xcode.
    static let standardScalars = Scalars.numbers
    var scalars = standardScalars

    /// The default of an attribute of an element; nil if there is none.
    func value(of attribute: String, for element: SourceElement) -> String? {
        switch attribute {
        case "syncable":
            if syncable == .everything { return "YES" }
            return syncable == .entities && element.name == "entity" ? "YES" : nil
        case "usesScalarValueType":
            let type = element["attributeType"] ?? ""
            switch scalars {
            case .unset: return nil
            case .numbers: return Self.numbers.contains(type) ? "YES" : Self.objects.contains(type) ? "NO" : nil
            case .none: return Self.numbers.contains(type) || Self.objects.contains(type) ? "NO" : nil
            case .all: return Self.numbers.contains(type) || Self.objects.contains(type) ? "YES" : nil
            }
        default: return nil
        }
    }

    private static let numbers: Set<String> = ["Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Boolean"]
    private static let objects: Set<String> = ["Date", "UUID", "URI"]
    private static let propertyNames: Set<String> = ["attribute", "relationship", "fetchedProperty"]

    /// Applies the defaults to all elements without an explicit value.
    func apply(_ root: SourceElement) {
        for element in Self.elements(of: root) {
            for attribute in Self.attributes(of: element) {
                switch element[attribute] {
                case nil: if let value = value(of: attribute, for: element) { element.set(attribute, to: value) }
                case Self.unset: element.set(attribute, to: nil)
                default: break
                }
            }
        }
    }

    /// The defaults that require the fewest explicit values.
    static func mostCompact(_ root: SourceElement) -> TextNotationDefaults {
        let elements = elements(of: root)
        func exceptions(_ defaults: TextNotationDefaults, _ attribute: String) -> Int {
            elements.count {
                attributes(of: $0).contains(attribute) && $0[attribute] != defaults.value(of: attribute, for: $0)
            }
        }
        var best = TextNotationDefaults()
        for syncable in Syncable.allCases {
            var other = best
            other.syncable = syncable
            if exceptions(other, "syncable") < exceptions(best, "syncable") { best = other }
        }
        for scalars in Scalars.allCases {
            var other = best
            other.scalars = scalars
            if exceptions(other, "usesScalarValueType") < exceptions(best, "usesScalarValueType") { best = other }
        }
        return best
    }

    private static func attributes(of element: SourceElement) -> [String] {
        element.name == "attribute" ? ["syncable", "usesScalarValueType"] : ["syncable"]
    }

    /// All entities, all properties, and the attributes of composites.
    private static func elements(of root: SourceElement) -> [SourceElement] {
        root.children.flatMap { owner -> [SourceElement] in
            switch owner.name {
            case "entity": return [owner] + owner.children.filter { propertyNames.contains($0.name) }
            case "composite": return owner.children.filter { propertyNames.contains($0.name) }
            default: return []
            }
        }
    }
}
