/// The file with a class's properties and accessors: `Song+CoreDataProperties.swift`.
struct PropertiesFile {
    private let planned: PlannedClass
    private let options: ClassGenerationOptions

    init(_ planned: PlannedClass, _ options: ClassGenerationOptions) {
        self.planned = planned
        self.options = options
    }

    var file: GeneratedFile {
        let name = "\(planned.name)+CoreDataProperties.swift"
        var text = GeneratedText.header(name) + GeneratedText.imports(options, needsFoundation: planned.needsFoundation)
        text += keys
        text += "\(isolation)extension \(planned.name) {\n\n"
        text += fetchRequest
        text += planned.properties.map(declaration).joined()
        text += planned.properties.isEmpty ? "}\n" : "\n}\n"
        for relationship in planned.toManyRelationships {
            let accessors = ToManyAccessors(relationship, options)
            text += "\n// MARK: Generated accessors for \(relationship.name)\n"
            text += "\(isolation)extension \(planned.name) {\n\n\(accessors.text)}\n"
        }
        if planned.isIdentifiable { text += "\n\(isolation)extension \(planned.name) : Identifiable {\n\n}\n" }
        return GeneratedFile(name: name, text: text)
    }

    private var isSelfContained: Bool { options.style == .selfContained }

    /// The file may be part of a module whose declarations belong to the main actor unless they say otherwise.
    private var isolation: String { isSelfContained ? "nonisolated " : "" }

    private var access: String { options.access.modifier }

    private var fetchRequest: String {
        guard let entity = planned.fetchedEntityName else { return "" }
        let attribute = isSelfContained ? "" : "@nonobjc "
        return "    \(attribute)\(access)class func fetchRequest() -> NSFetchRequest<\(planned.name)> {\n"
            + "        return NSFetchRequest<\(planned.name)>(entityName: \(String(reflecting: entity)))\n    }\n\n"
    }

    /// The keys of the accessors: one for each property, so that reading a value is no look-up by name.
    private var keys: String {
        let keyed = planned.properties.filter { $0.access != .fetched }
        guard isSelfContained, !keyed.isEmpty else { return "" }
        let lines = keyed.map { property in
            let type =
                property.access == .dateInterval
                ? property.type.replacingOccurrences(of: "TimeInterval", with: "Date") + "?" : property.type
            return
                """
                    static let \(SwiftName.escaped(property.name)) = \
                ManagedProperty<\(type)>(\(String(reflecting: property.name)))\n
                """
        }
        return "private nonisolated enum \(keysName) {\n\(lines.joined())}\n\n"
    }

    private var keysName: String { planned.name + "ManagedProperties" }

    private func declaration(_ property: PlannedProperty) -> String {
        let name = SwiftName.escaped(property.name)
        guard isSelfContained else { return "    @NSManaged \(access)var \(name): \(property.type)\n" }
        let key = "self[\(keysName).\(name)]"
        let start = "    \(access)var \(name): \(property.type) {\n"
        switch property.access {
        case .value:
            return start + "        get { \(key) }\n        set { \(key) = newValue }\n    }\n"
        case .dateInterval:
            return start + "        get { \(key)?.timeIntervalSinceReferenceDate ?? 0 }\n"
                + "        set { \(key) = .init(timeIntervalSinceReferenceDate: newValue) }\n    }\n"
        case .fetched:
            let type = property.type.hasSuffix("?") ? String(property.type.dropLast()) : property.type
            return start + "        value(forKey: \(String(reflecting: property.name))) as? \(type)\n    }\n"
        }
    }
}
