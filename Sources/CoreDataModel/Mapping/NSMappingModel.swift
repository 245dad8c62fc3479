/// What a migration does to get from a source model to a destination model: a mapping for every entity.
///
/// It is read from a file (`.cdm`), inferred from the two models, or made in code. A mapping model belongs to one
/// thread until it is given to a migration, and isn't changed afterwards.
open class NSMappingModel: NSObject {
    private var entityMappingStorage: [NSEntityMapping] = []

    /// Makes a mapping model without mappings.
    public override init() { super.init() }

    /// The mappings of the entities, in the order in which the migration goes through them.
    open var entityMappings: [NSEntityMapping]! {
        get { entityMappingStorage }
        set { entityMappingStorage = newValue ?? [] }
    }

    /// The mappings of the entities by their names.
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary(
            entityMappingStorage.compactMap { mapping in mapping.name.map { ($0, mapping) } }, uniquingKeysWith: { $1 })
    }

    open override var description: String {
        "<\(Swift.type(of: self))> entityMappings \(entityMappingStorage.map(\.description))"
    }
}
