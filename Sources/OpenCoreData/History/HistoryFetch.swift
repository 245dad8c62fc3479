// SPDX-License-Identifier: Apache-2.0

/// Selects, sorts and limits transactions or changes as the fetch request of a history request says.
struct HistoryFetch {
    /// The kind of objects that the fetch request selects.
    enum Target { case transactions, changes }

    let target: Target
    private let predicate: NSPredicate?
    private let sortDescriptors: [NSSortDescriptor]
    private let offset: Int
    private let limit: Int

    /// Nil without a fetch request.
    ///
    /// - Throws: `NSCoreDataError` (134060) for a request that is not for an entity of the history, or that uses
    ///   unknown keys.
    init?(_ request: NSFetchRequest<any NSFetchRequestResult>?) throws {
        guard let request else { return nil }
        let name = request.entity?.name ?? request.entityName
        switch name {
        case HistoryModel.transaction.name: target = .transactions
        case HistoryModel.change.name: target = .changes
        default:
            throw CoreDataErrors.error(
                NSCoreDataError, "The history can't be fetched.",
                reason: "The fetch request is for the entity \(name ?? "nil").",
                suggestion: """
                    Use the entityDescription of NSPersistentHistoryTransaction or NSPersistentHistoryChange, outside \
                    or inside of a context's block.
                    """)
        }
        let layout = (target == .transactions ? HistoryModel.transaction : HistoryModel.change).entityLayout
        if let predicate = request.predicate { try PredicateCheck.check(predicate, layout: layout) }
        try PredicateCheck.check(request.sortDescriptors ?? [], layout: layout)
        predicate = request.predicate.map { $0.replacingExpressions(Self.constantOfNames) }
        sortDescriptors = request.sortDescriptors ?? []
        offset = request.fetchOffset
        limit = request.fetchLimit
    }

    // MARK: Reading less

    /// Whether the request may select fewer than all elements.
    var isSelective: Bool { predicate != nil || offset > 0 || limit > 0 }

    /// How many of the first transactions of one store are enough; nil if the request needs all of them.
    var leadingCount: Int? {
        guard predicate == nil, limit > 0 else { return nil }
        // A store has its transactions in the order of their numbers, and no number twice.
        if let first = sortDescriptors.first {
            guard first.key == "transactionNumber", first.ascending, !first.needsEvaluation else { return nil }
        }
        let (count, isTooLarge) = max(offset, 0).addingReportingOverflow(limit)
        return isTooLarge ? nil : count
    }

    /// Whether the selection or the order of transactions may depend on their changes: on more than their attributes.
    var needsChanges: Bool {
        if let predicate, Self.usesChanges(predicate) { return true }
        return sortDescriptors.contains { descriptor in descriptor.key.map { Self.usesChanges(keyPath: $0) } ?? true }
    }

    private static func usesChanges(_ predicate: NSPredicate) -> Bool {
        switch predicate.kind {
        case .comparison(let comparison):
            usesChanges(comparison.leftExpression) || usesChanges(comparison.rightExpression)
        case .compound(_, let parts): parts.contains { usesChanges($0) }
        case .constant: false
        case .block: true
        }
    }

    /// Only expressions of constants, attributes and functions of the library are known to need no changes.
    private static func usesChanges(_ expression: NSExpression) -> Bool {
        guard expression.isComputedByNode else { return true }
        return switch expression.node {
        case is ConstantNode: false
        case let node as KeyPathNode: usesChanges(keyPath: node.keyPath)
        case let node as AggregateNode: node.elements.contains { usesChanges($0) }
        case let node as FunctionNode: node.target != nil || node.arguments.contains { usesChanges($0) }
        default: true
        }
    }

    private static func usesChanges(keyPath: String) -> Bool {
        guard let key = KeyPathEvaluation.split(keyPath).first else { return true }
        return HistoryModel.transaction.attributesByName[key] == nil
    }

    // MARK: Selecting

    /// A constant of names for a constant of entities, as changes name the entities of their objects; nil for every
    /// other expression.
    private static func constantOfNames(_ expression: NSExpression) -> NSExpression? {
        guard expression.expressionType == .constantValue, let constant = expression.constantValue else { return nil }
        if let entity = constant as? NSEntityDescription { return NSExpression(forConstantValue: entity.name) }
        guard let elements = Values.elements(of: constant), elements.contains(where: { $0 is NSEntityDescription })
        else { return nil }
        return NSExpression(forConstantValue: elements.map { ($0 as? NSEntityDescription)?.name ?? $0 })
    }

    /// The elements that the predicate selects, in order.
    func apply<Element: NSObject>(_ elements: [Element]) -> [Element] {
        var result = predicate.map { predicate in elements.filter { predicate.evaluate(with: $0) } } ?? elements
        if !sortDescriptors.isEmpty {
            result = SortedObjects.sort(result, by: sortDescriptors)
        }
        let rest = result.dropFirst(max(offset, 0))
        return Array(limit > 0 ? rest.prefix(limit) : rest)
    }
}
