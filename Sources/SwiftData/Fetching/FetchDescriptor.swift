// SPDX-License-Identifier: Apache-2.0

/// The description of a fetch: which models, in which order, and how many.
///
/// ```swift
/// var descriptor = FetchDescriptor<Recipe>(
///     predicate: #Predicate { $0.servings > 2 }, sortBy: [SortDescriptor(\.title)])
/// descriptor.fetchLimit = 20
/// let recipes = try context.fetch(descriptor)
/// ```
public struct FetchDescriptor<T> where T: PersistentModel {
    /// The condition of the models; nil for all.
    public var predicate: Predicate<T>?
    /// The order of the models.
    public var sortBy: [SortDescriptor<T>]
    /// The largest number of models; nil for all.
    public var fetchLimit: Int?
    /// The number of models to skip.
    public var fetchOffset: Int?
    /// The properties to read at once. Other properties are read when they are used. Empty for all.
    public var propertiesToFetch: [PartialKeyPath<T>] = []
    /// The relationships whose models are read at once.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []
    /// Whether unsaved changes of the context count.
    public var includePendingChanges = true

    /// Makes a descriptor.
    ///
    /// - Parameters:
    ///   - predicate: the condition of the models; nil for all.
    ///   - sortBy: the order of the models.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}

// Sendable as on Apple's platforms: key paths of models capture nothing.
extension FetchDescriptor: @unchecked Sendable {}

extension FetchDescriptor: Equatable {
    /// Whether two descriptors fetch the same. Predicates are compared by their text.
    public static func == (lhs: FetchDescriptor<T>, rhs: FetchDescriptor<T>) -> Bool {
        lhs.predicate?.description == rhs.predicate?.description && lhs.sortBy == rhs.sortBy
            && lhs.fetchLimit == rhs.fetchLimit && lhs.fetchOffset == rhs.fetchOffset
            && lhs.propertiesToFetch == rhs.propertiesToFetch
            && lhs.relationshipKeyPathsForPrefetching == rhs.relationshipKeyPathsForPrefetching
            && lhs.includePendingChanges == rhs.includePendingChanges
    }
}
