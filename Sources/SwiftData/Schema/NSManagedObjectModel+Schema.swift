// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

extension NSManagedObjectModel {
    /// Makes the managed object model of classes, so that Core Data can use a store of SwiftData.
    ///
    /// - Parameters:
    ///   - entityTypes: the classes of the models.
    ///   - managedObjectModel: a model whose entities are added, nil for none.
    /// - Returns: the model; nil if the classes are no valid schema, or both models have different entities of one
    ///   name.
    public static func makeManagedObjectModel(
        for entityTypes: [any PersistentModel.Type], mergedWith managedObjectModel: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        makeManagedObjectModel(for: Schema(entityTypes), mergedWith: managedObjectModel)
    }

    /// Makes the managed object model of classes, so that Core Data can use a store of SwiftData.
    ///
    /// - Parameters:
    ///   - entityTypes: the classes of the models.
    ///   - managedObjectModel: a model whose entities are added, nil for none.
    /// - Returns: the model; nil if the classes are no valid schema, or both models have different entities of one
    ///   name.
    public static func makeManagedObjectModel(
        for entityTypes: any PersistentModel.Type..., mergedWith managedObjectModel: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        makeManagedObjectModel(for: Schema(entityTypes), mergedWith: managedObjectModel)
    }

    /// Makes the managed object model of a schema, so that Core Data can use a store of SwiftData.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - managedObjectModel: a model whose entities are added, nil for none.
    /// - Returns: the model; nil if the schema is not valid, or both models have different entities of one name.
    public static func makeManagedObjectModel(
        for schema: Schema, mergedWith managedObjectModel: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        let model = NSManagedObjectModel()
        guard schema.problems.isEmpty, (try? ManagedModelBuilder.fill(model, with: schema)) != nil else { return nil }
        guard let managedObjectModel else { return model }
        let names = Set(schema.entitiesByName.keys)
        for entity in managedObjectModel.entities where names.contains(entity.name ?? "") {
            guard model.entitiesByName[entity.name ?? ""]?.versionHash == entity.versionHash else { return nil }
        }
        guard let other = managedObjectModel.copy() as? NSManagedObjectModel else { return nil }
        let added = other.entities.filter { !names.contains($0.name ?? "") }
        other.entities = []
        model.entities += added
        return model
    }

    /// Makes the managed object model of a schema.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - managedObjectModel: a model whose entities are added, nil for none.
    /// - Returns: the result of the static method.
    public func makeManagedObjectModel(
        for schema: Schema, mergedWith managedObjectModel: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        Self.makeManagedObjectModel(for: schema, mergedWith: managedObjectModel)
    }
}
