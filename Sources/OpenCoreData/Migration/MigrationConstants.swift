// SPDX-License-Identifier: Apache-2.0

/// The variable of a value expression whose value is the ``NSMigrationManager``: `$manager`.
public let NSMigrationManagerKey = "manager"
/// The variable of a value expression whose value is the source object: `$source`.
public let NSMigrationSourceObjectKey = "source"
/// The variable of a value expression whose value is the destination object: `$destination`.
public let NSMigrationDestinationObjectKey = "destination"
/// The variable of a value expression whose value is the `NSEntityMapping`: `$entityMapping`.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The variable of a value expression whose value is the `NSPropertyMapping`: `$propertyMapping`.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The variable of a value expression whose value is the ``NSEntityMigrationPolicy``: `$entityPolicy`.
public let NSMigrationEntityPolicyKey = "entityPolicy"
