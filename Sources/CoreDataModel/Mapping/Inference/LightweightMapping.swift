// SPDX-License-Identifier: Apache-2.0

/// The inferred mapping model of a lightweight migration, as pairs of descriptions: the source of each entity and
/// property of the destination.
package struct LightweightMapping {
    /// One entity of the destination.
    package struct Entity {
        let destination: NSEntityDescription
        /// Nil for an added entity.
        package let source: NSEntityDescription?
        /// The attributes of the source by the names of the destination's attributes.
        package let attributes: [String: NSAttributeDescription]
        /// The relationships of the source by the names of the destination's relationships.
        package let relationships: [String: NSRelationshipDescription]
    }

    /// The entities of the destination by name.
    package let entities: [String: Entity]

    /// Infers the mapping between two models.
    ///
    /// - Throws: `CocoaError.inferredMappingModel` (134190), as
    ///   `NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)`.
    package init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) throws {
        var inference = MappingInference(from: source, to: destination)
        _ = try inference.infer()
        entities = inference.matchedEntities()
    }

    /// The pairs of a mapping model; nil if it isn't the one that is inferred between two models.
    package init?(_ model: NSMappingModel, from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
        var inference = MappingInference(from: source, to: destination)
        guard let inferred = try? inference.infer(), inferred.isEqual(model) else { return nil }
        entities = inference.matchedEntities()
    }

    /// The problems that prevent an inferred mapping between two models; empty if it can be inferred.
    package static func problems(from source: NSManagedObjectModel, to destination: NSManagedObjectModel)
        -> [InferenceProblem]
    {
        var inference = MappingInference(from: source, to: destination)
        // The error says what the problems say.
        _ = try? inference.infer()
        return inference.problems
    }
}
