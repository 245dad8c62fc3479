// SPDX-License-Identifier: Apache-2.0

/// The `@Model` class of an entity.
struct ModelClassSource {
    private let entity: NSEntityDescription
    private let types: SchemaTypes
    private let access: ClassGenerationOptions.Access
    private let properties: [ModelPropertySource]

    init(_ entity: NSEntityDescription, _ types: SchemaTypes, _ access: ClassGenerationOptions.Access) {
        self.entity = entity
        self.types = types
        self.access = access
        properties = Self.ownProperties(of: entity).map { ModelPropertySource($0, of: entity, types, access) }
    }

    /// The properties that the entity declares itself, sorted by name.
    private static func ownProperties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
        let inherited = Set(entity.superentity?.propertiesByName.keys.map { $0 } ?? [])
        return entity.properties.filter { !inherited.contains($0.name) }.sortedBytewise { $0.name }
    }

    /// The name as source text.
    var name: String { SwiftName.spelled(entity.name ?? "") }

    private var superclass: ModelClassSource? { entity.superentity.map { ModelClassSource($0, types, access) } }

    // MARK: Text

    /// The declaration, indented.
    var text: String {
        let modifier = access.modifier
        let kind = entity.subentities.isEmpty ? "final class" : "class"
        let parent = superclass.map { ": \($0.name)" } ?? ""
        var text = "    @Model \(modifier)\(kind) \(name)\(parent) {\n"
        text += constraints
        for property in properties { text += property.text(indent: "        ") }
        text += (properties.isEmpty ? "" : "\n") + initializer
        for composite in properties.compactMap(\.composite) { text += "\n" + composite.text(indent: "        ") }
        return text + "    }\n"
    }

    private var constraints: String {
        let several = entity.uniquenessConstraintNames.filter { $0.count > 1 || !isAttribute($0[0]) }
        var text = several.isEmpty ? "" : "        #Unique<\(name)>(\(several.map(keyPaths).joined(separator: ", ")))\n"
        let indexed = indexes.map { $0.elements.compactMap(\.propertyName) }.filter { !$0.isEmpty }
        if !indexed.isEmpty { text += "        #Index<\(name)>(\(indexed.map(keyPaths).joined(separator: ", ")))\n" }
        return text.isEmpty ? "" : text + "\n"
    }

    private func isAttribute(_ name: String) -> Bool { entity.attributesByName[name] != nil }

    private func keyPaths(_ names: [String]) -> String {
        let keyPaths = names.map { name in
            "\\." + name.split(separator: ".").map { SwiftName.spelled(String($0)) }.joined(separator: ".")
        }
        return "[\(keyPaths.joined(separator: ", "))]"
    }

    /// The indexes that SwiftData can have: binary, over properties, without a condition.
    private var indexes: [NSFetchIndexDescription] { entity.indexes.filter(Self.isPlain) }

    private static func isPlain(_ index: NSFetchIndexDescription) -> Bool {
        index.partialIndexPredicate == nil
            && index.elements.allSatisfy { $0.collationType == .binary && $0.propertyName != nil && $0.property != nil }
    }

    private var initializer: String {
        let inherited = superclass?.parameters ?? []
        let own = ownParameters
        let all = inherited + own
        let isOverride = all.isEmpty && superclass != nil
        let start = "        \(access.modifier)\(isOverride ? "override " : "")init("
        if all.isEmpty, superclass == nil { return start + ") {}\n" }
        var text = start + Self.list(all.map { "\($0.name): \($0.type)" }, after: start.count) + ") {\n"
        for parameter in own { text += "            self.\(parameter.name) = \(parameter.name)\n" }
        if superclass != nil {
            let values = inherited.map { "\($0.name): \($0.name)" }
            text += "            super.init(\(Self.list(values, after: 23, indent: "            ")))\n"
        }
        return text + "        }\n"
    }

    /// The items on one line, or on one line each if one line has no room for them.
    private static func list(_ items: [String], after width: Int, indent: String = "        ") -> String {
        let line = items.joined(separator: ", ")
        guard width + line.count > 110 else { return line }
        return "\n" + items.map { "\(indent)    \($0)" }.joined(separator: ",\n") + "\n\(indent)"
    }

    private var ownParameters: [(name: String, type: String)] {
        properties.compactMap { property in
            guard property.needsValue, let type = property.type else { return nil }
            return (property.name, type)
        }
    }

    /// The parameters of the initializer: first the superclasses' parameters, then the class's own.
    private var parameters: [(name: String, type: String)] { (superclass?.parameters ?? []) + ownParameters }

    // MARK: Findings

    var findings: [ModelFinding] {
        let name = entity.name ?? ""
        var findings: [ModelFinding] = []
        func record(_ severity: ModelFinding.Severity, _ text: String, key: String? = nil) {
            findings.append(ModelFinding(severity, .generation, entity: name, key: key, "\(name): \(text)"))
        }
        if !SwiftName.isIdentifier(name) { record(.error, "the name is no valid name of a Swift class") }
        if entity.isAbstract { record(.error, "SwiftData has no abstract models") }
        if entity.versionHashModifier != nil { record(.error, "SwiftData has no version hash modifier of a model") }
        if entity.renamingIdentifier != entity.name {
            record(.warning, "the renaming identifier '\(entity.renamingIdentifier ?? "")' is left out")
        }
        for index in entity.indexes where !Self.isPlain(index) {
            record(.warning, "the index '\(index.name)' is left out", key: index.name)
        }
        return findings + properties.flatMap(\.findings)
    }
}
