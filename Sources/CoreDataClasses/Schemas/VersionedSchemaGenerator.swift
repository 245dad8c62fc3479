// SPDX-License-Identifier: Apache-2.0

/// Generates `@Model` classes of a model's entities, in a frozen `VersionedSchema`.
///
/// A schema that SwiftData makes of the classes has the version hashes of the model, so that it opens the same stores.
/// Parts that SwiftData can't express are reported: as errors if they change version hashes, otherwise as warnings.
package struct VersionedSchemaGenerator {
    /// A version of the model.
    package struct Version {
        /// The name of the schema's type.
        let name: String
        let model: NSManagedObjectModel
        /// The three numbers of the version.
        package let number: [Int]

        package init(name: String, model: NSManagedObjectModel, number: [Int]) {
            self.name = name
            self.model = model
            self.number = number
        }
    }

    private let versions: [Version]
    private let access: ClassGenerationOptions.Access

    package init(_ versions: [Version], access: ClassGenerationOptions.Access = .internal) {
        self.versions = versions
        self.access = access
    }

    /// The numbers of a version's identifier, such as `1.2.0`; nil for another identifier.
    package static func number(of model: NSManagedObjectModel) -> [Int]? {
        guard model.versionIdentifiers.count == 1, let text = model.versionIdentifiers.first as? String else {
            return nil
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...3).contains(parts.count), parts.allSatisfy({ $0 != nil && $0! >= 0 }) else { return nil }
        return (parts.compactMap { $0 } + [0, 0]).prefix(3).map { $0 }
    }

    /// The parts of the models that the source can't have.
    package var findings: [ModelFinding] { versions.flatMap { SchemaSource($0, access).findings } }

    /// The source, which ends with a line break. Equal models give equal sources.
    ///
    /// - Throws: `CocoaError(.fileWriteUnknown)` with entity and key for the first error in `findings`.
    package func source() throws -> String {
        if let problem = findings.first(where: { $0.severity == .error }) {
            throw CoreDataErrors.cocoaError(
                .fileWriteUnknown, message: "The schema can't be generated: \(problem.message).",
                reason: "the schema can't be generated: \(problem.message)",
                userInfo: [ModelFileError.entityKey: problem.entity ?? "", ModelFileError.keyKey: problem.key ?? ""])
        }
        let schemas = versions.map { SchemaSource($0, access).text }
        return "import Foundation\nimport SwiftData\n\n" + schemas.joined(separator: "\n")
    }
}

/// The source of one version.
struct SchemaSource {
    private let version: VersionedSchemaGenerator.Version
    private let access: ClassGenerationOptions.Access
    private let classes: [ModelClassSource]

    init(_ version: VersionedSchemaGenerator.Version, _ access: ClassGenerationOptions.Access) {
        self.version = version
        self.access = access
        let entities = version.model.entities.sortedBytewise { $0.name ?? "" }
        let types = SchemaTypes(hiding: Set(entities.compactMap(\.name)))
        classes = entities.map { ModelClassSource($0, types, access) }
    }

    var findings: [ModelFinding] {
        classes.flatMap(\.findings)
            + version.model.configurations.filter { $0 != "default" }.sortedBytewise().map {
                ModelFinding(
                    .warning, .generation, key: $0, "the configuration '\($0)' is left out: make a ModelConfiguration")
            }
    }

    var text: String {
        let modifier = access.modifier
        let names = classes.map { "\($0.name).self" }
        var text = """
            /// A frozen version of the schema: don't change it, add a new one.
            \(modifier)enum \(SwiftName.escaped(version.name)): VersionedSchema {
                \(modifier)static let versionIdentifier = Schema.Version(\
            \(version.number.map { "\($0)" }.joined(separator: ", ")))
                \(modifier)static var models: [any PersistentModel.Type] {
                    [
            \(names.map { "            \($0),\n" }.joined())        ]
                }

            """
        for source in classes { text += "\n" + source.text }
        return text + "}\n"
    }
}
