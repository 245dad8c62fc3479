// SPDX-License-Identifier: Apache-2.0

/// A derived attribute over a relationship: `items.@count`, `items.price.@sum`, `album.title`.
///
/// A store in memory updates it when related objects are saved, as the triggers of a SQLite store do. The other derived
/// attributes are computed when their own object is saved.
struct MemoryDerivation {
    let layout: EntityLayout
    let relationship: PropertySlot

    /// - Returns: nil for an attribute that is not derived over a relationship.
    init?(of slot: PropertySlot, in layout: EntityLayout) {
        guard let expression = slot.derivation, let path = Self.keyPath(expression), let first = path.first,
            let relationship = layout.slot(named: first), relationship.isRelationship, !relationship.isTransient
        else { return nil }
        let destination = layout.model[relationship.destination]
        func isAttribute(_ name: String) -> Bool {
            destination.slot(named: name).map { $0.attribute != nil && !$0.isTransient && $0.kind != .composite }
                ?? false
        }
        switch relationship.kind {
        case .toOne:
            guard path.count == 2, isAttribute(path[1]) else { return nil }
        default:
            let isCount = path.count == 2 && path[1] == "@count"
            let isSum =
                path.count == 3
                && (path[1] == "@sum" && isAttribute(path[2]) || path[2] == "@sum" && isAttribute(path[1]))
            guard isCount || isSum else { return nil }
        }
        self.layout = layout
        self.relationship = relationship
    }

    /// The keys of the path, with the operator that has the meaning of the function.
    private static func keyPath(_ expression: NSExpression) -> [String]? {
        switch expression.expressionType {
        case .keyPath:
            return KeyPathEvaluation.split(expression.keyPath)
        case .function:
            guard let argument = expression.arguments?.first, expression.arguments?.count == 1,
                argument.expressionType == .keyPath,
                let aggregate = ["count:": "@count", "sum:": "@sum"][expression.function]
            else { return nil }
            return KeyPathEvaluation.split(argument.keyPath) + [aggregate]
        default:
            return nil
        }
    }

    /// The derivations of a model, one for each relationship of an entity.
    static func all(of model: ModelLayout) -> [MemoryDerivation] {
        model.layouts.flatMap { layout -> [MemoryDerivation] in
            var seen: Set<Int> = []
            return layout.derivedProperties.compactMap { MemoryDerivation(of: layout.properties[$0], in: layout) }
                .filter { seen.insert($0.relationship.index).inserted }
        }
    }
}
