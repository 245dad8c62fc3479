import CoreDataPredicates
import CoreDataModel

extension NSEntityDescription {
    /// The fetch indexes that a store makes for the entity: its own, and in front of them one for each attribute that
    /// carries the old flag "indexed" without having an index of its own name.
    ///
    /// Compilers of models set that flag for the only attribute of an ascending index too, which is why such an
    /// index often exists twice in a file.
    var storedIndexes: [NSFetchIndexDescription] {
        let names = Set(indexes.map(\.name))
        let inherited = superentity?.propertiesByName ?? [:]
        let flagged = properties
            .compactMap { $0 as? NSAttributeDescription }
            .filter { $0.isIndexedStorage && inherited[$0.name] == nil && !names.contains($0.name) }
            .sorted { SQLNameOrder.byBytes($0.name, $1.name) }
        return flagged.map { attribute in
            NSFetchIndexDescription(
                name: attribute.name,
                elements: [NSFetchIndexElementDescription(property: attribute, collationType: .binary)])
        } + indexes
    }
}
