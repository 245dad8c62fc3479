import OpenCoreData

/// A readable name of an object.
enum ObjectLabel {
    private static let names = [
        "name", "title", "label", "displayName", "fullName", "lastName", "firstName", "text", "subject", "identifier",
        "email", "code",
    ]

    /// The value of the attribute that names objects of the entity best, or else the entity and the key. An object
    /// without texts, which often stands between two others, also has the name of one of these.
    static func text(of object: NSManagedObject) -> String {
        if let own = ownText(of: object) { return own }
        let short = "\(object.entity.name ?? "") p\(object.objectID.key)"
        guard names(of: object.entity).isEmpty else { return short }
        let relationships = object.entity.relationshipsByName.values.filter { !$0.isToMany && !$0.isTransient }
        let targets = relationships.sorted { $0.name < $1.name }.lazy.compactMap {
            (object.value(forKey: $0.name) as? NSManagedObject).flatMap(ownText)
        }
        return targets.first.map { "\(short) · \($0)" } ?? short
    }

    private static func ownText(of object: NSManagedObject) -> String? {
        let texts = names(of: object.entity).lazy.compactMap { object.value(forKey: $0) as? String }
        guard let text = texts.first(where: { !$0.isEmpty }) else { return nil }
        return cut(text.prefix(200).replacingOccurrences(of: "\n", with: " "), to: 60)
    }

    static func names(of entity: NSEntityDescription) -> [String] {
        let attributes = entity.attributesByName.filter {
            !$0.value.isTransient && $0.value.attributeType == .stringAttributeType
        }
        let known = names.filter { attributes[$0] != nil }
        let others = attributes.keys.filter { !known.contains($0) }.sorted()
        let named = others.filter { $0.lowercased().hasSuffix("name") || $0.lowercased().hasSuffix("title") }
        return Array((known + named + others.filter { !named.contains($0) }).prefix(4))
    }

    static func cut(_ text: String, to length: Int) -> String {
        let prefix = text.prefix(length)
        return prefix.endIndex == text.endIndex ? text : prefix + "…"
    }
}
