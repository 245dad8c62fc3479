// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// **Extension.** A value computed from many models: their number, a sum, an average, the least or greatest value.
public struct ModelAggregate<Model: PersistentModel>: @unchecked Sendable {
    // Sendable: key paths of models capture nothing.
    enum Function: String {
        case count = "count:"
        case sum = "sum:"
        case average = "average:"
        case minimum = "min:"
        case maximum = "max:"
    }

    let function: Function
    let keyPath: PartialKeyPath<Model>?

    /// The number of models.
    public static var count: ModelAggregate { ModelAggregate(function: .count, keyPath: nil) }

    /// The sum of the values of an attribute.
    public static func sum<Value>(_ keyPath: KeyPath<Model, Value>) -> ModelAggregate {
        ModelAggregate(function: .sum, keyPath: keyPath)
    }

    /// The average of the values of an attribute.
    public static func average<Value>(_ keyPath: KeyPath<Model, Value>) -> ModelAggregate {
        ModelAggregate(function: .average, keyPath: keyPath)
    }

    /// The least value of an attribute.
    public static func minimum<Value>(_ keyPath: KeyPath<Model, Value>) -> ModelAggregate {
        ModelAggregate(function: .minimum, keyPath: keyPath)
    }

    /// The greatest value of an attribute.
    public static func maximum<Value>(_ keyPath: KeyPath<Model, Value>) -> ModelAggregate {
        ModelAggregate(function: .maximum, keyPath: keyPath)
    }
}

/// **Extension.** The aggregates of one group of models.
public struct AggregateGroup<Model: PersistentModel>: @unchecked Sendable {
    // Sendable: the values are never changed.
    private let keys: [String: Any]
    private let values: [Any?]

    init(keys: [String: Any], values: [Any?]) {
        self.keys = keys
        self.values = values
    }

    /// The value that the models of the group have in common; nil if they have none.
    ///
    /// - Parameter keyPath: a property by which the models are grouped.
    public subscript<Value>(keyPath: KeyPath<Model, Value>) -> Value? {
        ModelKeyPaths.name(of: keyPath).flatMap { name in
            keys[name].flatMap { StoredValueDecoding.value(of: Value.self, from: $0, named: name) as? Value }
        }
    }

    /// An aggregate as a number: 0 without models or values.
    ///
    /// - Parameter position: the position of the aggregate in the request.
    public subscript(number position: Int) -> Double { Numbers.number(values[position])?.doubleValue ?? 0 }

    /// An aggregate as a value of the attribute's type; nil without models or values.
    ///
    /// - Parameters:
    ///   - position: the position of the aggregate in the request.
    ///   - type: the type.
    public subscript<Value>(position: Int, as type: Value.Type) -> Value? {
        values[position].flatMap { StoredValueDecoding.value(of: type, from: $0, named: "") as? Value }
    }
}

extension ModelContext {
    /// **Extension.** Aggregates of saved models, computed by the store.
    ///
    /// ```swift
    /// let groups = try context.aggregates(
    ///     of: FetchDescriptor<Recipe>(), groupedBy: [\.course], [.count, .average(\.servings)])
    /// for group in groups { print(group[\.course] ?? .main, group[number: 0], group[number: 1]) }
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: which models. Its order, limit and offset have no effect; unsaved changes don't count.
    ///   - groupedBy: the attributes by which the models are grouped; none for one group of all models.
    ///   - aggregates: the values to compute.
    /// - Returns: the groups, in the order of the values by which they are grouped.
    /// - Throws: `SwiftDataError.unsupportedKeyPath` for a key path that isn't a stored attribute, the errors of
    ///   ``fetch(_:)``, and `DataStoreError.unsupportedFeature` for a custom store.
    public func aggregates<Model: PersistentModel>(
        of descriptor: FetchDescriptor<Model>, groupedBy: [PartialKeyPath<Model>] = [],
        _ aggregates: [ModelAggregate<Model>]
    ) throws -> [AggregateGroup<Model>] {
        let described = try ModelFetch(FetchDescriptor(predicate: descriptor.predicate), in: self).request()
        let request = NSFetchRequest<NSDictionary>(entityName: described.entityName ?? "")
        request.predicate = described.predicate
        request.includesPendingChanges = false
        request.resultType = .dictionaryResultType
        let names = try groupedBy.map { try Self.name(of: $0) }
        let paths = zip(groupedBy, names).map { keyPath, name in ModelKeyPaths.sortKey(of: keyPath) ?? name }
        let computed = try aggregates.enumerated().map { try Self.expression($1, named: "aggregate\($0)") }
        request.propertiesToFetch = paths as [Any] + computed
        if !paths.isEmpty {
            request.propertiesToGroupBy = paths
            request.sortDescriptors = paths.map { NSSortDescriptor(key: $0, ascending: true) }
        }
        managed.mergeCollectedSaves()
        let rows = try FetchErrors.translated { try managed.fetch(request) }
        return rows.map { row in
            var keys: [String: Any] = [:]
            for (name, path) in zip(names, paths) {
                guard let value = row[path], !(value is NSNull) else { continue }
                keys[name] = path == name ? value : [String(path.dropFirst(name.count + 1)): value]
            }
            let values = aggregates.indices.map { position -> Any? in
                row["aggregate\(position)"].flatMap { $0 is NSNull ? nil : $0 }
            }
            return AggregateGroup(keys: keys, values: values)
        }
    }

    private static func name<Model>(of keyPath: PartialKeyPath<Model>) throws -> String {
        if let name = ModelKeyPaths.name(of: keyPath) { return name }
        throw SwiftDataError(.unsupportedKeyPath, "\(keyPath) leads to no stored property of \(Model.self).")
    }

    private static func expression<Model: PersistentModel>(_ aggregate: ModelAggregate<Model>, named name: String)
        throws -> NSExpressionDescription
    {
        let path = try aggregate.keyPath.map { try ModelKeyPaths.sortKey(of: $0) ?? self.name(of: $0) }
        let description = NSExpressionDescription()
        description.name = name
        let argument = path.map { NSExpression(forKeyPath: $0) } ?? NSExpression.expressionForEvaluatedObject()
        description.expression = NSExpression(forFunction: aggregate.function.rawValue, arguments: [argument])
        return description
    }
}
