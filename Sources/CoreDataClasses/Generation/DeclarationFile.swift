/// The file that declares a class: `Song+CoreDataClass.swift`.
struct DeclarationFile {
    private let planned: PlannedClass
    private let options: ClassGenerationOptions

    init(_ planned: PlannedClass, _ options: ClassGenerationOptions) {
        self.planned = planned
        self.options = options
    }

    var file: GeneratedFile {
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
}

/// What generated files have in common.
enum GeneratedText {
    static func header(_ name: String) -> String {
        "//\n//  \(name)\n//\n//  This file was automatically generated and should not be edited.\n//\n\n"
    }

    /// On Apple's platforms `CoreData` doesn't hand Foundation on to every file; ours does.
    static func imports(_ options: ClassGenerationOptions, needsFoundation: Bool) -> String {
        (options.style == .portable || needsFoundation ? "import Foundation\n" : "") + "import CoreData\n\n"
    }

    /// An Objective-C name, which only compilers with Objective-C take.
    static func objectiveCName(_ name: String, indent: String) -> String {
        "#if canImport(ObjectiveC)\n\(indent)@objc(\(name))\n#endif\n"
    }
}
