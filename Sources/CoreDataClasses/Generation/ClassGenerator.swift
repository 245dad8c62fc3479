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

    /// The sorted names of the classes whose declarations are generated. Classes with only an extension aren't
    /// included.
    package var declaredClassNames: [String] { plan.classes.filter(\.hasDeclaration).map(\.name).sorted() }

    /// The files, sorted by name. Equal models give equal files.
    ///
    /// - Throws: `CocoaError(.fileWriteUnknown)` with entity and key for the first error in `findings`.
    package func files() throws -> [GeneratedFile] {
        if let problem = findings.first(where: { $0.severity == .error }) {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [
                    NSLocalizedDescriptionKey: "Classes can't be generated: \(problem.message).",
                    ModelFileError.entityKey: problem.entity ?? "", ModelFileError.keyKey: problem.key ?? "",
                ])
        }
        return plan.classes.flatMap { ClassFiles($0, options).files }.sortedBytewise { $0.name }
    }
}
