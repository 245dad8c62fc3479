import OpenCoreData

/// Looks whether key paths fit an entity before they reach the framework, which stops the process at an
/// unknown key: right for a program's mistake, wrong for a typing error at a prompt.
struct KeyPathCheck {
    let entity: NSEntityDescription

    /// Throws if a key path in the predicate leads nowhere.
    func check(_ predicate: NSPredicate) throws {
        if let compound = predicate as? NSCompoundPredicate {
            for part in compound.subpredicates { try check(part) }
        } else if let comparison = predicate as? NSComparisonPredicate {
            try check(comparison.leftExpression)
            try check(comparison.rightExpression)
        }
    }

    /// Throws if objects can't be sorted by the key path.
    func checkSortKey(_ keyPath: String) throws {
        let property = try property(at: keyPath)
        guard let attribute = property as? NSAttributeDescription else {
            throw CommandError("Objects can't be sorted by '\(keyPath)': it is no attribute.")
        }
        guard !attribute.isTransient else {
            throw CommandError("Objects can't be sorted by '\(keyPath)': it is transient, the store does not hold it.")
        }
    }

    private func check(_ expression: NSExpression) throws {
        switch expression.expressionType {
        case .keyPath:
            try property(at: expression.keyPath)
        case .function:
            for argument in expression.arguments ?? [] { try check(argument) }
        case .aggregate:
            for case let member as NSExpression in expression.collection as? [Any] ?? [] { try check(member) }
        default:
            // Inside a subquery the variable stands before each key path, and only its evaluation knows the entity.
            break
        }
    }

    /// The last property of a key path; nil where a collection operator or `SELF` ends the walk.
    @discardableResult
    func property(at keyPath: String) throws -> NSPropertyDescription? {
        var entity: NSEntityDescription? = entity
        var last: NSPropertyDescription?
        for key in keyPath.split(separator: ".").map(String.init) {
            if key.hasPrefix("@") { return nil }
            if key.uppercased() == "SELF" || key == "objectID" { continue }
            guard let current = entity else {
                // Behind an attribute nothing more can be known, but for the parts of a composite.
                let type = (last as? NSAttributeDescription)?.attributeType
                if type == .compositeAttributeType
                    || type == .stringAttributeType && KeyPathWalk.keysOfStrings.contains(key)
                {
                    return last
                }
                throw CommandError("'\(key)' in '\(keyPath)' leads nowhere: '\(last?.name ?? "")' is an attribute.")
            }
            guard let property = current.propertiesByName[key] else {
                let known = current.propertiesByName.keys.sorted().joined(separator: ", ")
                throw CommandError("Entity '\(current.name ?? "")' has no property '\(key)'. It has: \(known).")
            }
            last = property
            entity = (property as? NSRelationshipDescription)?.destinationEntity
        }
        return last
    }
}
