/// Finds what a modeller should know about a model before it is used: what Xcode warns about, and a little more.
package enum ModelLint {
    /// Everything that the checks find, in the order of the source file's lines, or of the names where there are none.
    ///
    /// - Parameter model: any model, also one made in code.
    package static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        let found = checks.flatMap { $0.findings(in: model) }
        // The position keeps the order of what is alike otherwise.
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
            PropertyCountCheck.self, RenamingCheck.self, FetchRequestCheck.self, LocalizationCheck.self,
            CloudKitCheck.self,
        ]
    }
}

/// One of the checks of a model.
protocol ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding]
}

extension NSManagedObjectModel {
    /// The entities in the order of their names.
    var entitiesByNameOrder: [NSEntityDescription] {
        entities.sorted { ($0.name ?? "").precedesBytewise($1.name ?? "") }
    }

    /// What a check finds in the properties that the entities declare, one after the other.
    func flatMapOwnProperties<Property: NSPropertyDescription>(
        _ body: (NSEntityDescription, Property) -> [ModelFinding]
    ) -> [ModelFinding] {
        entitiesByNameOrder.flatMap { entity in
            entity.ownProperties.flatMap { property in (property as? Property).map { body(entity, $0) } ?? [] }
        }
    }
}

extension ModelFinding {
    /// A finding about an entity.
    init(_ severity: Severity, _ kind: Kind, _ entity: NSEntityDescription, key: String? = nil, _ message: String) {
        self.init(severity, kind, entity: entity.name, key: key, line: entity.sourceLine, message)
    }

    /// A finding about a property; the message begins with `Entity.property`.
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
    /// The question as the end of a finding: "; did you mean 'title'?"; empty where nothing is near.
    static func hint(for name: String, in candidates: some Sequence<String>) -> String {
        let names = nearest(to: name, in: candidates).map { "'\($0)'" }
        return names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"
    }
}
