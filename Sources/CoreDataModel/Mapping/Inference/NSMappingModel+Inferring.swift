extension NSMappingModel {
    /// Makes the mapping model between two models that differ in simple ways only (lightweight migration).
    ///
    /// Entities and properties are found again by their renaming identifiers, then by their names. Possible are:
    /// entities and properties added, removed or renamed; required properties made optional; optional attributes made
    /// required that have a default value; to-one relationships made to-many; to-many relationships made ordered or
    /// unordered; entities that get a new parent or subentity, change their place in a hierarchy or leave it;
    /// properties that move up or down a hierarchy.
    ///
    /// - Parameters:
    ///   - sourceModel: the model to migrate from.
    ///   - destinationModel: the model to migrate to.
    /// - Returns: one entity mapping for every entity of either model, named `IEM_Copy_`, `IEM_Transform_`, `IEM_Add_`
    ///   or `IEM_Remove_` with the entity's name.
    /// - Throws: `CocoaError.inferredMappingModel` (134190) for other changes: an attribute of another type, a required
    ///   attribute without default value, a to-many relationship made to-one, hierarchies merged. The userInfo has
    ///   `reason`, `entity` and `attribute` or `relationship`; several problems come together under `NSDetailedErrors`.
    public class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        var inference = MappingInference(from: sourceModel, to: destinationModel)
        return try inference.infer()
    }
}
