/// How the objects of a destination entity are made of those of a source entity in a migration.
///
/// A mapping belongs to one thread until it is given to a migration, and isn't changed afterwards.
open class NSEntityMapping: NSObject {
    private var nameStorage: String?

    /// The name, by which expressions refer to the mapping. Where none was set it is made of the entities' names:
    /// `SourceToDestination`, or the one name where the mapping adds or removes an entity.
    open var name: String! {
        get { nameStorage ?? Self.defaultName(source: sourceEntityName, destination: destinationEntityName) }
        set { nameStorage = newValue }
    }

    /// What the mapping does. Undefined by default.
    open var mappingType: NSEntityMappingType = .undefinedEntityMappingType

    /// The name of the source entity; nil if the mapping adds an entity.
    open var sourceEntityName: String?

    /// The version hash of the source entity, by which a mapping model is found to fit a source model.
    open var sourceEntityVersionHash: Data?

    /// The name of the destination entity; nil if the mapping removes an entity.
    open var destinationEntityName: String?

    /// The version hash of the destination entity, by which a mapping model is found to fit a destination model.
    open var destinationEntityVersionHash: Data?

    /// The mappings of the destination entity's attributes, inherited ones included.
    open var attributeMappings: [NSPropertyMapping]?

    /// The mappings of the destination entity's relationships, inherited ones included.
    open var relationshipMappings: [NSPropertyMapping]?

    /// What gives the source objects: usually an `NSFetchRequestExpression`.
    open var sourceExpression: NSExpression?

    /// The name of the `NSEntityMigrationPolicy` subclass that does the work; nil for the usual one.
    open var entityMigrationPolicyClassName: String?

    /// What the program wants to say about the mapping; not interpreted.
    open var userInfo: [AnyHashable: Any]?

    /// Makes a mapping of undefined type between no entities.
    public override init() { super.init() }

    open override var description: String {
        "<\(Swift.type(of: self))> name \(name ?? "(none)"), mappingType \(mappingType.rawValue), "
            + """
            sourceEntityName \(sourceEntityName ?? "(none)"), destinationEntityName \
            \(destinationEntityName ?? "(none)"), 
            """
            + "attributeMappings \((attributeMappings ?? []).compactMap(\.name)), "
            + "relationshipMappings \((relationshipMappings ?? []).compactMap(\.name))"
    }

    private static func defaultName(source: String?, destination: String?) -> String? {
        guard let source, let destination else { return destination ?? source }
        return "\(source)To\(destination)"
    }
}
