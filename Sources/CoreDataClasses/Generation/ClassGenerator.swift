/// Writes the classes of a model's entities, as Xcode does: `Song+CoreDataClass.swift` and
/// `Song+CoreDataProperties.swift`.
///
/// Which files an entity gets is its code generation setting: both for `class`, the properties for `category`, none for
/// manual.
package struct ClassGenerator {
    private let model: NSManagedObjectModel
    private let options: ClassGenerationOptions
    private let plan: ClassPlan

    package init(model: NSManagedObjectModel, options: ClassGenerationOptions = ClassGenerationOptions()) {
        self.model = model
        self.options = options
        plan = ClassPlan(model: model, options: options)
    }

    /// Why classes can't be generated, all reasons; and what is left out, as warnings.
    package var findings: [ModelFinding] { plan.findings }

    /// The names of the classes whose declarations are generated, sorted; not those that get an extension only.
    package var declaredClassNames: [String] { plan.classes.filter(\.hasDeclaration).map(\.name).sorted() }

    /// The files, sorted by name. Equal models give equal files.
    ///
    /// - Throws: `CocoaError(.fileWriteUnknown)` naming entity and key for a name that Swift doesn't allow; `findings`
    ///   holds them all.
    package func files() throws -> [GeneratedFile] {
        if let problem = findings.first(where: { $0.severity == .error }) {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [
                    NSLocalizedDescriptionKey: "Classes can't be generated: \(problem.message).",
                    ModelFileError.entityKey: problem.entity ?? "", ModelFileError.keyKey: problem.key ?? "",
                ])
        }
        return plan.classes.flatMap { planned in
            (planned.hasDeclaration ? [DeclarationFile(planned, options).file] : [])
                + (planned.hasProperties ? [PropertiesFile(planned, options).file] : [])
        }.sortedBytewise { $0.name }
    }
}
