// SPDX-License-Identifier: Apache-2.0

/// Migrates the objects of one entity mapping.
///
/// The class itself executes the property mappings. A subclass overrides some methods for what expressions can't do,
/// and an entity mapping names it by `entityMigrationPolicyClassName`:
///
/// ```swift
/// final class NamePolicy: NSEntityMigrationPolicy {
///     override func createDestinationInstances(
///         forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
///     ) throws {
///         try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
///         let names = (sInstance.value(forKey: "name") as? String ?? "").split(separator: " ", maxSplits: 1)
///         for person in manager.destinationInstances(
///             forEntityMappingName: mapping.name, sourceInstances: [sInstance])
///         {
///             person.setValue(names.first.map(String.init), forKey: "firstName")
///             person.setValue(names.last.map(String.init), forKey: "lastName")
///         }
///     }
/// }
/// ```
///
/// The name is the class name with or without its module. ``register(_:as:)`` adds further names. A policy is made for
/// each entity mapping at the beginning of a migration, and used on the thread of the migration.
///
/// A method that throws ends the migration: `migrateStore` throws the error.
///
/// ## Topics
///
/// ### First pass: objects and attributes
/// - ``begin(_:with:)``
/// - ``createDestinationInstances(forSource:in:manager:)``
/// - ``endInstanceCreation(forMapping:manager:)``
///
/// ### Second pass: relationships
/// - ``createRelationships(forDestination:in:manager:)``
/// - ``endRelationshipCreation(forMapping:manager:)``
///
/// ### Third pass: validation
/// - ``performCustomValidation(forMapping:manager:)``
/// - ``end(_:manager:)``
nonisolated open class NSEntityMigrationPolicy: NSObject {
    /// The migration that the policy belongs to.
    final weak var manager: NSMigrationManager?
    final var mapping: NSEntityMapping?

    /// Makes a policy. The migration makes the policies of its entity mappings.
    public override init() { super.init() }

    /// Called at the start of an entity mapping, before the first pass. Does nothing.
    ///
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Makes the destination objects of a source object.
    ///
    /// The default makes one object, sets its attributes by the value expressions of the mapping, and associates it
    /// with the source object. A method that doesn't call `super` associates its objects itself, by
    /// ``NSMigrationManager/associate(sourceInstance:withDestinationInstance:for:)``.
    ///
    /// ```swift
    /// final class TitlePolicy: NSEntityMigrationPolicy {
    ///     override func createDestinationInstances(
    ///         forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ///     ) throws {
    ///         try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    ///         let made = manager.destinationInstances(
    ///             forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    ///         let title = sInstance.value(forKey: "title") as? String ?? ""
    ///         made.first?.setValue(title.uppercased(), forKey: "sortTitle")
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - sInstance: an object of the old store.
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    /// - Throws: `NSMigrationError` (134110) for a value that the attribute can't have, and for an abstract entity.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        guard let name = mapping.destinationEntityName else { return }
        if manager.destinationEntity(for: mapping)?.isAbstract == true {
            throw MigrationErrors.abstractEntity(name, sInstance, mapping)
        }
        let destination = NSEntityDescription.insertNewObject(forEntityName: name, into: manager.destinationContext)
        try manager.running("createDestinationInstances").mapper(mapping, self, destination.layout)
            .setAttributes(of: destination, from: sInstance)
        manager.associate(sourceInstance: sInstance, withDestinationInstance: destination, for: mapping)
    }

    /// Called after all destination objects of the mapping are made. Does nothing.
    ///
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Sets the relationships of a destination object.
    ///
    /// The default sets them by the value expressions of the mapping. All objects of all mappings exist.
    ///
    /// - Parameters:
    ///   - dInstance: an object of the new store that the mapping has made.
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    /// - Throws: `NSMigrationError` (134110) for a value that the relationship can't have.
    open func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let migration = manager.running("createRelationships")
        guard let properties = mapping.relationshipMappings, properties.contains(where: { $0.valueExpression != nil }),
            let source = migration.source(of: dInstance, in: mapping)
        else { return }
        try migration.mapper(mapping, self, dInstance.layout).setRelationships(of: dInstance, from: source)
    }

    /// Called after the relationships of the mapping's objects are set. Does nothing.
    ///
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Checks the objects that the mapping has made, before they are validated by the rules of the model. Does nothing.
    ///
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called at the end of an entity mapping. Does nothing.
    ///
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}
}
