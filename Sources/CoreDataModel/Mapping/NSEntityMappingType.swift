/// What a migration does with the objects of an entity.
public enum NSEntityMappingType: UInt, Sendable {
    /// Not said; the migration treats it like `customEntityMappingType`.
    case undefinedEntityMappingType = 0
    /// The migration policy class that the mapping names makes the objects.
    case customEntityMappingType = 1
    /// The entity is new in the destination: there are no objects to migrate.
    case addEntityMappingType = 2
    /// The entity is gone in the destination: its objects are left behind.
    case removeEntityMappingType = 3
    /// Source and destination entity are the same: the objects are copied.
    case copyEntityMappingType = 4
    /// The objects are made of those of a source entity that differs.
    case transformEntityMappingType = 5
}
