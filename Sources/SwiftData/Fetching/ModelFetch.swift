// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A fetch descriptor as a fetch request.
struct ModelFetch<T: PersistentModel> {
    private let descriptor: FetchDescriptor<T>
    private let context: ModelContext

    init(_ descriptor: FetchDescriptor<T>, in context: ModelContext) {
        self.descriptor = descriptor
        self.context = context
    }

    /// The request.
    ///
    /// - Throws: a `SwiftDataError` for what can't be translated.
    func request() throws -> NSFetchRequest<ModelObject> {
        guard let entity = context.core.schema.entity(for: T.self) else {
            throw SwiftDataError(
                .unknownSchema,
                """
                \(ForeignModels.message(of: T.self, in: context.core.schema)) Add the class to the schema, or use the \
                class of the container's version.
                """)
        }
        let request = NSFetchRequest<ModelObject>(entityName: entity.name)
        if let predicate = descriptor.predicate { request.predicate = try condition(predicate) }
        if !descriptor.sortBy.isEmpty { request.sortDescriptors = try descriptor.sortBy.map(sortDescriptor) }
        if let limit = descriptor.fetchLimit { request.fetchLimit = max(limit, 0) }
        if let offset = descriptor.fetchOffset { request.fetchOffset = max(offset, 0) }
        request.includesPendingChanges = descriptor.includePendingChanges
        if !descriptor.propertiesToFetch.isEmpty {
            request.propertiesToFetch = try descriptor.propertiesToFetch.map { try name(of: $0) }
        }
        if !descriptor.relationshipKeyPathsForPrefetching.isEmpty {
            request.relationshipKeyPathsForPrefetching = try descriptor.relationshipKeyPathsForPrefetching.map {
                try name(of: $0)
            }
        }
        if !context.core.ownStores.isEmpty { context.managed.describedFetch = DescribedFetch(descriptor, request) }
        return request
    }

    /// A condition as a predicate for Core Data. If it can't be translated and all stores are custom stores, the result
    /// evaluates the condition with the models: custom stores get the condition itself.
    private func condition(_ predicate: Predicate<T>) throws -> NSPredicate {
        do {
            return try ModelPredicates.predicate(predicate, in: context)
        } catch let error as SwiftDataError {
            let own = context.core.ownStores.bridges.count
            guard own > 0, own == context.core.coordinator.persistentStores.count else { throw error }
            return NSPredicate { object, _ in
                guard let model: T = (object as? ModelObject)?.model(as: T.self) else { return false }
                return (try? predicate.evaluate(model)) ?? false
            }
        }
    }

    private func name(of keyPath: AnyKeyPath) throws -> String {
        if let name = ModelKeyPaths.name(of: keyPath) { return name }
        throw SwiftDataError(.unsupportedKeyPath, "\(keyPath) leads to no stored property of \(T.self). \(properties)")
    }

    private var properties: String {
        "It stores: \(ModelKeyPaths.properties(of: T.self).map(\.name).sorted().joined(separator: ", "))."
    }

    private func sortDescriptor(_ descriptor: SortDescriptor<T>) throws -> NSSortDescriptor {
        guard let keyPath = descriptor.keyPath else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                """
                The sort descriptor \(descriptor) of \(T.self) has no key path. Sort by a property: \
                SortDescriptor(\\.name).
                """
            )
        }
        guard let name = ModelKeyPaths.sortKey(of: keyPath) else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                "\(keyPath) leads to no stored property of \(T.self) that has an order. \(properties)")
        }
        return NSSortDescriptor(key: name, ascending: descriptor.order == .forward)
    }
}

/// The errors of fetches.
enum FetchErrors {
    /// Runs a fetch. A part that the store can't translate is thrown as an error of SwiftData.
    static func translated<Result>(_ fetch: () throws -> Result) throws -> Result {
        do {
            return try fetch()
        } catch let error as NSError where error.domain == NSCocoaErrorDomain && error.userInfo["part"] != nil {
            throw SwiftDataError(kind(of: error), error.localizedDescription)
        }
    }

    private static func kind(of error: NSError) -> SwiftDataError.Kind {
        switch error.userInfo[CoreDataErrors.requestPropertyKey] as? String {
        case "sortDescriptors": .unsupportedSortDescriptor
        case "propertiesToFetch": .unsupportedKeyPath
        default: .unsupportedPredicate
        }
    }
}
