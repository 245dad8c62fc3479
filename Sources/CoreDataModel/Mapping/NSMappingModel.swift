// SPDX-License-Identifier: Apache-2.0

/// Describes a migration from a source model to a destination model: one entity mapping for each entity of either
/// model.
///
/// A mapping model is read from a file (`.cdm`), inferred from the two models, or made in code:
///
/// ```swift
/// func mapping(from old: NSManagedObjectModel, to new: NSManagedObjectModel) throws -> NSMappingModel {
///     if let custom = NSMappingModel(from: nil, forSourceModel: old, destinationModel: new) { return custom }
///     return try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
/// }
/// ```
///
/// `inferredMappingModel(forSourceModel:destinationModel:)` throws `CocoaError.inferredMappingModel` (134190) if the
/// models differ in a way that needs a custom mapping model. The initializers return nil instead of throwing.
///
/// A mapping model belongs to one thread until it is given to a migration, and must not change afterwards.
///
/// ## Topics
///
/// ### Creating a mapping model
///
/// - ``init(contentsOf:)``
/// - ``init(from:forSourceModel:destinationModel:)``
/// - ``inferredMappingModel(forSourceModel:destinationModel:)``
///
/// ### Entity mappings
///
/// - ``entityMappings``
/// - ``entityMappingsByName``
nonisolated open class NSMappingModel: NSObject {
    private var entityMappingStorage: [NSEntityMapping] = []

    /// Creates a mapping model without entity mappings.
    public override init() { super.init() }

    /// The entity mappings, in the order in which a migration executes them.
    open var entityMappings: [NSEntityMapping]! {
        get { entityMappingStorage }
        set { entityMappingStorage = newValue ?? [] }
    }

    /// The entity mappings by their names.
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary(
            entityMappingStorage.compactMap { mapping in mapping.name.map { ($0, mapping) } }, uniquingKeysWith: { $1 })
    }

    /// Infers the mapping model between two models that differ in simple ways only (lightweight migration).
    ///
    /// Entities and properties are identified by their renaming identifiers, then by their names. These changes are
    /// possible:
    ///
    /// ```swift
    /// func canBeInferred(from old: NSManagedObjectModel) -> Bool {
    ///     (try? NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: model)) != nil
    /// }
    /// ```
    ///
    /// - entities and properties that are added, removed or renamed
    /// - required properties that become optional
    /// - optional attributes with a default value that become required
    /// - numbers that become numbers of another type
    /// - to-one relationships that become to-many
    /// - to-many relationships that become ordered or unordered
    /// - entities that get another parent, within or outside of a hierarchy
    /// - properties that move up or down in a hierarchy
    ///
    /// - Parameters:
    ///   - sourceModel: the model to migrate from.
    ///   - destinationModel: the model to migrate to.
    /// - Returns: one entity mapping for each entity of either model. Its name is `IEM_Copy_`, `IEM_Transform_`,
    ///   `IEM_Add_` or `IEM_Remove_` with the name of the entity.
    /// - Throws: `CocoaError.inferredMappingModel` (134190) for other changes: an attribute of a type that its values
    ///   don't convert to, a required attribute without a default value, a to-many relationship that becomes to-one,
    ///   merged hierarchies. The user info has `reason`, `entity` and `attribute` or `relationship`. Several problems
    ///   are combined under `NSDetailedErrors`.
    open class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        var inference = MappingInference(from: sourceModel, to: destinationModel)
        return try inference.infer()
    }

    /// Whether both models have equal entity mappings in the same order.
    ///
    /// - Parameter object: the object to compare with.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSMappingModel else { return false }
        return self === other || entityMappingStorage == other.entityMappingStorage
    }

    /// Equal objects have equal hashes.
    open override var hash: Int { entityMappingStorage.map(\.name).hashValue }

    /// A description for debugging.
    open override var description: String {
        "<\(Swift.type(of: self))> entityMappings \(entityMappingStorage.map(\.description))"
    }
}
