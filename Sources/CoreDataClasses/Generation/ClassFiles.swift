// SPDX-License-Identifier: Apache-2.0

/// The two generated files of a class: `Song+CoreDataClass.swift` and `Song+CoreDataProperties.swift`.
struct ClassFiles {
    private let planned: PlannedClass
    private let options: ClassGenerationOptions

    init(_ planned: PlannedClass, _ options: ClassGenerationOptions) {
        self.planned = planned
        self.options = options
    }

    /// The files that the code generation setting of the entity selects.
    var files: [GeneratedFile] {
        (planned.hasDeclaration ? [declaration] : []) + (planned.hasProperties ? [properties] : [])
    }

    // MARK: Declaration

    private var declaration: GeneratedFile {
        let name = "\(planned.name)+CoreDataClass.swift"
        var text = GeneratedText.header(name)
        text += GeneratedText.imports(options, needsFoundation: false)
        switch options.style {
        case .portable:
            text += GeneratedText.objectiveCName(planned.name, indent: "")
            text += "\(options.access.modifier)class \(planned.name): \(planned.superclass) {\n\n}\n"
        case .selfContained:
            text += "\(options.access.modifier)nonisolated class \(planned.name): \(planned.superclass) {\n\n}\n"
        }
        return GeneratedFile(name: name, text: text)
    }

    // MARK: Properties

    private var properties: GeneratedFile {
        let name = "\(planned.name)+CoreDataProperties.swift"
        var text = GeneratedText.header(name) + GeneratedText.imports(options, needsFoundation: planned.needsFoundation)
        text += keys
        text += "\(isolation)extension \(planned.name) {\n\n"
        text += fetchRequest
        text += planned.properties.map(accessor).joined()
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

    /// `nonisolated`, since the default isolation of the module may be the main actor.
    private var isolation: String { isSelfContained ? "nonisolated " : "" }

    private var access: String { options.access.modifier }

    private var fetchRequest: String {
        guard let entity = planned.fetchedEntityName else { return "" }
        let attribute = isSelfContained ? "" : "@nonobjc "
        return "    \(attribute)\(access)class func fetchRequest() -> NSFetchRequest<\(planned.name)> {\n"
            + "        return NSFetchRequest<\(planned.name)>(entityName: \(String(reflecting: entity)))\n    }\n\n"
    }

    /// The keys of the accessors, one for each property: reading a value needs no lookup by name.
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
                ManagedPropertyDeclaration<\(type)>(\(String(reflecting: property.name)))\n
                """
        }
        return "private nonisolated enum \(keysName) {\n\(lines.joined())}\n\n"
    }

    private var keysName: String { planned.name + "ManagedProperties" }

    private func accessor(_ property: PlannedProperty) -> String {
        let name = SwiftName.escaped(property.name)
        guard isSelfContained else { return "    @NSManaged \(access)var \(name): \(property.type)\n" }
        let key = "self[\(keysName).\(name).property]"
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

/// The common parts of generated files.
enum GeneratedText {
    static func header(_ name: String) -> String {
        "//\n//  \(name)\n//\n//  This file was automatically generated and should not be edited.\n//\n\n"
    }

    /// The imports. On Apple's platforms `CoreData` doesn't re-export Foundation to each file; in this package it does.
    static func imports(_ options: ClassGenerationOptions, needsFoundation: Bool) -> String {
        (options.style == .portable || needsFoundation ? "import Foundation\n" : "") + "import CoreData\n\n"
    }

    /// An `@objc` attribute, for compilers with Objective-C only.
    static func objectiveCName(_ name: String, indent: String) -> String {
        "#if canImport(ObjectiveC)\n\(indent)@objc(\(name))\n#endif\n"
    }
}
