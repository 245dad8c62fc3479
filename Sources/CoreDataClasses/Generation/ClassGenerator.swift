// SPDX-License-Identifier: Apache-2.0

/// Generates the classes of a model's entities, as Xcode does: `Song+CoreDataClass.swift` and
/// `Song+CoreDataProperties.swift`.
///
/// The code generation setting of an entity selects the files: both for `class`, the properties for `category`, none
/// for manual.
package struct ClassGenerator {
    private let model: NSManagedObjectModel
    private let options: ClassGenerationOptions
    private let plan: ClassPlan

    package init(model: NSManagedObjectModel, options: ClassGenerationOptions = ClassGenerationOptions()) {
        self.model = model
        self.options = options
        plan = ClassPlan(model: model, options: options)
    }

    /// Errors for the classes that can't be generated, and warnings for the parts that are left out.
    package var findings: [ModelFinding] { plan.findings }

    /// The classes that sources must declare, since the model generates only their properties, each with its entity.
    package var extendedClasses: [(entity: String, name: String)] {
        plan.classes.filter { $0.hasProperties && !$0.hasDeclaration }
            .map { ($0.fetchedEntityName ?? $0.name, $0.name) }
    }

    /// The files, sorted by name. Equal models give equal files.
    ///
    /// - Throws: `CocoaError(.fileWriteUnknown)` with entity and key for the first error in `findings`.
    package func files() throws -> [GeneratedFile] {
        if let problem = findings.first(where: { $0.severity == .error }) {
            throw CoreDataErrors.cocoaError(
                .fileWriteUnknown, message: "Classes can't be generated: \(problem.message).",
                reason: "classes can't be generated: \(problem.message)",
                userInfo: [ModelFileError.entityKey: problem.entity ?? "", ModelFileError.keyKey: problem.key ?? ""])
        }
        return plan.classes.flatMap { ClassFiles($0, options).files }.sortedBytewise { $0.name }
    }
}

/// The options of generated classes.
package struct ClassGenerationOptions: Equatable, Sendable {
    /// The form of the accessors.
    package enum Style: String, Sendable, CaseIterable {
        /// `@NSManaged`, as Xcode writes it. For Apple's platforms, and for Linux with the plugin.
        case portable
        /// Accessors with bodies. They compile with this package without the plugin.
        case selfContained = "self-contained"
    }

    /// The access level of the classes and their members.
    package enum Access: String, Sendable, CaseIterable {
        case `public`, package, `internal`

        /// The modifier with a space after it; empty for internal, which is the default.
        var modifier: String { self == .internal ? "" : rawValue + " " }
    }

    package var style: Style
    package var access: Access
    /// The module of the classes. A class that the model puts into another module isn't generated.
    package var module: String?
    /// Whether both files are generated for entities with manual code generation too, as by Xcode's menu command.
    package var includesManual: Bool

    package init(
        style: Style = .portable, access: Access = .public, module: String? = nil, includesManual: Bool = false
    ) {
        self.style = style
        self.access = access
        self.module = module
        self.includesManual = includesManual
    }
}

/// A generated source file.
package struct GeneratedFile: Equatable, Sendable {
    /// The name of the file, without folder.
    package let name: String
    /// The text of the file, which ends with a line break.
    package let text: String
}
