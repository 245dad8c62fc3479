import CoreDataPredicates
import CoreDataModel

extension NSEntityDescription {
    /// The fetch indexes that a store makes for the entity, in order: one for each attribute that carries the old flag
    /// "indexed" without having an index of its own name, the entity's own, and one for each old compound index that
    /// repeats no other.
    ///
    /// Compilers of models set that flag for the only attribute of an ascending index too, which is why such an
    /// index often exists twice in a file.
    var storedIndexes: [NSFetchIndexDescription] {
        let names = Set(indexes.map(\.name))
        let lists = Set(indexes.map { $0.elements.compactMap(\.propertyName) })
        let inherited = superentity?.propertiesByName ?? [:]
        let flagged = properties
            .compactMap { $0 as? NSAttributeDescription }
            .filter { $0.hasLegacyIndex && inherited[$0.name] == nil && !names.contains($0.name) }
            .sorted { $0.name.precedesBytewise($1.name) }
        return flagged.compactMap { binaryIndex(named: $0.name, over: [$0.name]) }
            + indexes
            + compoundIndexNames.filter { !lists.contains($0) }
                .compactMap { binaryIndex(named: $0.joined(separator: "_"), over: $0) }
    }

    private func binaryIndex(named name: String, over properties: [String]) -> NSFetchIndexDescription? {
        let found = properties.compactMap { propertiesByName[$0] }
        guard found.count == properties.count else { return nil }
        return NSFetchIndexDescription(
            name: name,
            elements: found.map { NSFetchIndexElementDescription(property: $0, collationType: .binary) })
    }
}
