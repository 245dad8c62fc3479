// SPDX-License-Identifier: Apache-2.0

/// Describes how a migration makes objects of a destination entity from objects of a source entity.
///
/// A mapping belongs to one thread until it is given to a migration, and must not change afterwards.
nonisolated open class NSEntityMapping: NSObject {
    private var nameStorage: String?

    /// The name, by which expressions refer to the mapping. The default consists of the names of the entities:
    /// `SourceToDestination`, or the single name if the mapping adds or removes an entity.
    open var name: String! {
        get { nameStorage ?? Self.defaultName(source: sourceEntityName, destination: destinationEntityName) }
        set { nameStorage = newValue }
    }

    /// The kind of the mapping. Undefined by default.
    open var mappingType: NSEntityMappingType = .undefinedEntityMappingType

    /// The name of the source entity; nil if the mapping adds an entity.
    open var sourceEntityName: String?

    /// The version hash of the source entity. It must match the source model of a migration.
    open var sourceEntityVersionHash: Data?

    /// The name of the destination entity; nil if the mapping removes an entity.
    open var destinationEntityName: String?

    /// The version hash of the destination entity. It must match the destination model of a migration.
    open var destinationEntityVersionHash: Data?

    /// The mappings of the destination entity's attributes, including inherited attributes.
    open var attributeMappings: [NSPropertyMapping]?

    /// The mappings of the destination entity's relationships, including inherited relationships.
    open var relationshipMappings: [NSPropertyMapping]?

    /// The expression for the source objects, usually an `NSFetchRequestExpression`.
    open var sourceExpression: NSExpression?

    /// The name of the `NSEntityMigrationPolicy` subclass that migrates the objects; nil for the default policy.
    open var entityMigrationPolicyClassName: String?

    /// Values for the program's use. Core Data doesn't interpret them.
    open var userInfo: [AnyHashable: Any]?

    /// Creates a mapping of undefined type without entities.
    public override init() { super.init() }

    /// Whether both mappings have equal parts.
    ///
    /// - Parameter object: the object to compare with.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityMapping else { return false }
        return self === other
            || name == other.name && mappingType == other.mappingType && sourceEntityName == other.sourceEntityName
                && sourceEntityVersionHash == other.sourceEntityVersionHash
                && destinationEntityName == other.destinationEntityName
                && destinationEntityVersionHash == other.destinationEntityVersionHash
                && entityMigrationPolicyClassName == other.entityMigrationPolicyClassName
                && (attributeMappings ?? []) == (other.attributeMappings ?? [])
                && (relationshipMappings ?? []) == (other.relationshipMappings ?? [])
                && expressionsAreEqual(sourceExpression, other.sourceExpression)
                && userInfosAreEqual(userInfo, other.userInfo)
    }

    /// Equal objects have equal hashes.
    open override var hash: Int { name.hashValue }

    /// A description for debugging.
    open override var description: String {
        """
        <\(Swift.type(of: self))> name \(name ?? "(none)"), mappingType \(mappingType.rawValue), sourceEntityName \
        \(sourceEntityName ?? "(none)"), destinationEntityName \(destinationEntityName ?? "(none)"), \
        attributeMappings \((attributeMappings ?? []).compactMap(\.name)), relationshipMappings \
        \((relationshipMappings ?? []).compactMap(\.name))
        """
    }

    private static func defaultName(source: String?, destination: String?) -> String? {
        guard let source, let destination else { return destination ?? source }
        return "\(source)To\(destination)"
    }
}

/// The effect of a migration on the objects of an entity.
public enum NSEntityMappingType: UInt, Sendable {
    /// Undefined. A migration treats it as `customEntityMappingType`.
    case undefinedEntityMappingType = 0
    /// The migration policy class of the mapping makes the objects.
    case customEntityMappingType = 1
    /// The destination entity is new. There are no objects to migrate.
    case addEntityMappingType = 2
    /// The source entity is removed, and its objects are not migrated.
    case removeEntityMappingType = 3
    /// Source and destination entity are equal. The objects are copied.
    case copyEntityMappingType = 4
    /// Source and destination entity differ. The objects are made from the source objects.
    case transformEntityMappingType = 5
}

/// The values that expressions read by key: `$entityMapping.name`.
extension NSEntityMapping: KeyValueCoding {
    /// The value of a property of the class.
    ///
    /// - Parameter key: the name of a property. Another key gives nil.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "mappingType": NSNumber(value: mappingType.rawValue)
        case "sourceEntityName": sourceEntityName
        case "sourceEntityVersionHash": sourceEntityVersionHash
        case "destinationEntityName": destinationEntityName
        case "destinationEntityVersionHash": destinationEntityVersionHash
        case "attributeMappings": attributeMappings
        case "relationshipMappings": relationshipMappings
        case "sourceExpression": sourceExpression
        case "entityMigrationPolicyClassName": entityMigrationPolicyClassName
        case "userInfo": userInfo
        default: nil
        }
    }
}
