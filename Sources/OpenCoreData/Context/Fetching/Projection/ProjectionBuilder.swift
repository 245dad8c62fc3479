// SPDX-License-Identifier: Apache-2.0

/// Makes the projection of a fetch request, and checks the request in the same way for all stores.
struct ProjectionBuilder {
    private let description: FetchDescription
    private let layout: EntityLayout
    private var expressions: ProjectedExpressions

    /// The projection of a request for dictionaries; nil for other requests.
    ///
    /// - Throws: `NSCoreDataError` (134060) with the name of the property, for values that dictionaries can't contain
    ///   and for columns that can't be combined.
    static func projection(of description: FetchDescription, layout: EntityLayout) throws -> Projection? {
        let isGrouped = description.propertiesToGroupBy?.isEmpty == false
        guard description.resultType == .dictionaryResultType else {
            if isGrouped {
                throw ProjectionError.request(
                    """
                    GROUP BY requires NSDictionaryResultType. Set resultType to .dictionaryResultType, or leave \
                    propertiesToGroupBy nil.
                    """,
                    layout)
            }
            if description.havingPredicate != nil {
                throw ProjectionError.request(
                    "HAVING requires NSDictionaryResultType and a GROUP BY. Use predicate to restrict objects.", layout)
            }
            return nil
        }
        if description.havingPredicate != nil && !isGrouped {
            throw ProjectionError.request(
                "HAVING with no GROUP BY. Set propertiesToGroupBy, or use predicate to restrict objects.", layout)
        }
        var builder = ProjectionBuilder(description, layout)
        return try builder.build()
    }

    private init(_ description: FetchDescription, _ layout: EntityLayout) {
        self.description = description
        self.layout = layout
        expressions = ProjectedExpressions(layout: layout)
    }

    private mutating func build() throws -> Projection {
        var items = try (description.propertiesToFetch ?? []).map(ProjectedItem.init)
        if items.isEmpty { items = ProjectedItem.attributes(of: layout) }
        guard !items.isEmpty else {
            throw ProjectionError.request(
                "the entity has no attributes. Set propertiesToFetch.", layout)
        }
        items = try withoutDuplicates(items).map { try $0.normalized(expressions) }
        let named = items.filter(\.isNamedExpression)
        let aliases = Dictionary(named.map { ($0.key, $0.expression) }, uniquingKeysWith: { first, _ in first })
        let groups = try (description.propertiesToGroupBy ?? []).map(ProjectedItem.init).map { item in
            // The name of a column, unless a property has the name.
            if !item.isNamedExpression, layout.slotHereOrBelow(named: item.key) == nil, let column = aliases[item.key] {
                return ProjectedItem(key: item.key, expression: column)
            }
            return try item.normalized(expressions)
        }
        expressions.grouping = groups.map(\.expression)
        var projection = Projection(columns: [])
        projection.isAggregated =
            !groups.isEmpty || items.contains { expressions.containsRowAggregate($0.expression) }
            || items.allSatisfy(\.isWrittenAsAggregate)
        projection.grouping = try groups.map(groupingColumn)
        projection.columns = try items.map { try column($0, isAggregated: projection.isAggregated) }
        let names = names(aliases, isAggregated: projection.isAggregated)
        projection.having = try having(names)
        // A single result has no order.
        if !projection.isAggregated || !groups.isEmpty {
            projection.ordering = try (description.sortDescriptors ?? []).map {
                try order($0, names, isAggregated: projection.isAggregated)
            }
        }
        return projection
    }

    /// Removes items that occur twice. Two different values with one key are an error.
    private func withoutDuplicates(_ items: [ProjectedItem]) throws -> [ProjectedItem] {
        var known: [String: ProjectedItem] = [:]
        return try items.filter { item in
            guard let other = known.updateValue(item, forKey: item.key) else { return true }
            guard other.expression.structurallyEquals(item.expression) else {
                throw ProjectionError.invalid(item.key, layout, because: "two different values have this name")
            }
            return false
        }
    }

    // MARK: Columns

    private func column(_ item: ProjectedItem, isAggregated: Bool) throws -> ProjectedColumn {
        var expression = item.expression
        if isAggregated {
            expression = try expressions.lifted(expression)
            try expressions.check(expression, in: item.key)
        }
        let natural = try expressions.type(of: expression)
        if description.returnsDistinctResults && natural.isStoredOutside { throw storedOutside(item.key) }
        var type = natural
        if let declared = item.type, declared != .undefinedAttributeType, declared != natural.attributeType {
            type = .value(declared, nil)
            guard type.converts(natural) else {
                throw ProjectionError.invalid(
                    item.key, layout,
                    because: """
                        '\(expression)' has values of type \(natural.attributeType), which can't be converted to \
                        \(declared), its result type
                        """
                )
            }
        }
        return ProjectedColumn(key: item.key, expression: expression, natural: natural, type: type)
    }

    private func groupingColumn(_ item: ProjectedItem) throws -> ProjectedColumn {
        if expressions.containsRowAggregate(item.expression) {
            throw ProjectionError.invalid(item.key, layout, because: "rows can't be grouped by an aggregate of them")
        }
        let type = try expressions.type(of: item.expression)
        if type.isStoredOutside { throw storedOutside(item.key) }
        return ProjectedColumn(key: item.key, expression: item.expression, natural: type, type: type)
    }

    private func storedOutside(_ key: String) -> NSError {
        ProjectionError.invalid(
            key, layout,
            because: "its data may be in external files, so results can't be grouped or compared by it")
    }

    // MARK: Names

    /// The expressions of names in `havingPredicate` and sort descriptors: the name of a column means the column,
    /// unless a property of each result has the same name.
    private func names(_ aliases: [String: NSExpression], isAggregated: Bool) -> [String: NSExpression] {
        aliases.filter { name, _ in
            layout.slotHereOrBelow(named: name) == nil
                || isAggregated
                    && !expressions.grouping.contains { $0.structurallyEquals(NSExpression(forKeyPath: name)) }
        }
    }

    private func having(_ names: [String: NSExpression]) throws -> NSPredicate? {
        guard let predicate = description.havingPredicate.map(PredicateObjects.replacingObjects) else { return nil }
        for expression in predicate.expressions { try expressions.checkDepth(expression, in: "havingPredicate") }
        let having = try expressions.lifted(try expressions.normalized(predicate, names: names))
        for expression in having.expressions {
            try expressions.check(expression, in: "havingPredicate")
            _ = try expressions.type(of: expression)
        }
        return having
    }

    private func order(_ descriptor: NSSortDescriptor, _ names: [String: NSExpression], isAggregated: Bool) throws
        -> ProjectedOrder
    {
        guard let key = descriptor.key else {
            throw ProjectionError.request(
                "dictionaries can be sorted by keys only, and the sort descriptor \(descriptor) names none.", layout)
        }
        var expression = try expressions.normalized(NSExpression(forKeyPath: key), names: names)
        if isAggregated {
            expression = try expressions.lifted(expression)
            try expressions.check(expression, in: key)
        } else if expressions.containsRowAggregate(expression) {
            throw ProjectionError.invalid(
                key, layout, because: "rows can't be sorted by an aggregate of them without propertiesToGroupBy")
        }
        let type = try expressions.type(of: expression)
        return ProjectedOrder(
            descriptor: descriptor, column: ProjectedColumn(key: key, expression: expression, natural: type, type: type)
        )
    }
}
