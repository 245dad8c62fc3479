// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension NSPredicate {
    /// The types of the values with which the free variables of a predicate are compared, by the names of the
    /// variables. A variable that is compared with something else than an attribute or a count has none.
    package func typesOfVariables(in entity: NSEntityDescription) -> [String: NSAttributeType] {
        var found: [String: NSAttributeType] = [:]
        var rest: [NSPredicate] = [self]
        while let next = rest.popLast() {
            if let compound = next as? NSCompoundPredicate { rest += compound.subpredicates.reversed() }
            guard let comparison = next as? NSComparisonPredicate else { continue }
            let sides = [comparison.leftExpression, comparison.rightExpression]
            guard let path = sides.first(where: { $0.expressionType == .keyPath })?.keyPath,
                let type = entity.type(atKeyPath: path)
            else { continue }
            for variable in sides.flatMap(Self.variables) { found[variable] = type }
        }
        return found
    }

    /// The variables that an expression is, or lists.
    private static func variables(_ expression: NSExpression) -> [String] {
        switch expression.expressionType {
        case .variable: [expression.variable]
        case .aggregate: (expression.collection as? [NSExpression] ?? []).flatMap(variables)
        default: []
        }
    }
}

extension NSEntityDescription {
    /// The type of the values at the end of a path of relationships, composite attributes and operators of
    /// collections; nil for another path.
    fileprivate func type(atKeyPath path: String) -> NSAttributeType? {
        var entity: NSEntityDescription? = self
        var elements: [NSAttributeDescription]?
        var type: NSAttributeType?
        for key in path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
            switch key {
            case "@count": return .integer64AttributeType
            case "@avg", "@sum": return .doubleAttributeType
            case _ where key.hasPrefix("@"): continue
            default: break
            }
            let property = elements.map { $0.first { $0.name == key } } ?? entity?.propertiesByName[key]
            guard let property else { return nil }
            type = (property as? NSAttributeDescription)?.attributeType
            elements = (property as? NSCompositeAttributeDescription)?.elements
            entity = (property as? NSRelationshipDescription)?.destinationEntity
        }
        return type
    }
}
