// SPDX-License-Identifier: Apache-2.0

/// Checks a model before it is used, for the errors that Xcode warns about and some more.
package enum ModelLint {
    /// The findings of all checks, in the order of lines in the source file, or in the order of names if there are no
    /// lines.
    ///
    /// - Parameter model: any model, including one made in code.
    package static func findings(in model: NSManagedObjectModel) -> [ModelFinding] { findings(of: checks, in: model) }

    /// The errors alone, without the cost of the checks that give warnings only.
    static func errors(in model: NSManagedObjectModel) -> [ModelFinding] {
        findings(of: checks.filter { $0.findsErrors }, in: model).filter { $0.severity == .error }
    }

    private static func findings(of checks: [any ModelCheck.Type], in model: NSManagedObjectModel) -> [ModelFinding] {
        let found = checks.flatMap { $0.findings(in: model) }
        // The position makes the sort stable.
        return found.enumerated().sorted { left, right in
            let leftLine = left.element.line ?? .max
            let rightLine = right.element.line ?? .max
            if leftLine != rightLine { return leftLine < rightLine }
            let leftNames = [left.element.entity ?? "", left.element.key ?? ""]
            let rightNames = [right.element.entity ?? "", right.element.key ?? ""]
            if leftNames != rightNames { return leftNames.lexicographicallyPrecedes(rightNames) }
            return left.offset < right.offset
        }.map(\.element)
    }

    private static var checks: [any ModelCheck.Type] {
        [
            NameCheck.self, ClassNameCheck.self, AttributeTypeCheck.self, InverseCheck.self, DeleteRuleCheck.self,
            CascadeCycleCheck.self,
            TransformerCheck.self, LimitsCheck.self, DefaultValueCheck.self, IndexCheck.self, AbstractEntityCheck.self,
            PropertyCountCheck.self, RenamingCheck.self, FetchRequestCheck.self, DerivationCheck.self,
            LocalizationCheck.self, CloudKitCheck.self,
        ]
    }
}

/// One check of a model.
protocol ModelCheck {
    /// Whether some findings are errors. The default is false: all are warnings.
    static var findsErrors: Bool { get }
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding]
}

extension ModelCheck {
    static var findsErrors: Bool { false }
}

extension NSManagedObjectModel {
    /// The entities in the order of their names.
    var entitiesByNameOrder: [NSEntityDescription] {
        entities.sortedBytewise { $0.name ?? "" }
    }

    /// The findings in the declared properties of all entities.
    func flatMapOwnProperties<Property: NSPropertyDescription>(
        _ body: (NSEntityDescription, Property) -> [ModelFinding]
    ) -> [ModelFinding] {
        entitiesByNameOrder.flatMap { entity in
            entity.ownProperties.flatMap { property in (property as? Property).map { body(entity, $0) } ?? [] }
        }
    }
}

extension ModelFinding {
    /// Creates a finding about an entity.
    init(_ severity: Severity, _ kind: Kind, _ entity: NSEntityDescription, key: String? = nil, _ message: String) {
        self.init(severity, kind, entity: entity.name, key: key, line: entity.sourceLine, message)
    }

    /// Creates a finding about a property. The message begins with `Entity.property`.
    init(
        _ severity: Severity, _ kind: Kind, _ entity: NSEntityDescription, _ property: NSPropertyDescription,
        _ message: String
    ) {
        self.init(
            severity, kind, entity: entity.name, key: property.name,
            line: property.sourceLine == 0 ? entity.sourceLine : property.sourceLine,
            "\(entity.name ?? "").\(property.name) \(message)")
    }
}

extension NearestNames {
    /// A question at the end of a finding: "; did you mean 'title'?". Empty if no name is similar.
    static func findingSuggestion(for name: String, in candidates: some Sequence<String>) -> String {
        let names = nearest(to: name, in: candidates).map { "'\($0)'" }
        return names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"
    }

    /// The same for the name of a property. A renamed property is reported with its new name: ": it is named 'title'
    /// now".
    static func findingSuggestion(for name: String, in properties: [NSPropertyDescription]) -> String {
        newName(of: name, in: properties).map { ": it is named '\($0)' now" }
            ?? findingSuggestion(for: name, in: properties.map(\.name))
    }
}
