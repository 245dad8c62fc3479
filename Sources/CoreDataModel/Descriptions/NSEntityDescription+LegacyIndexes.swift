/// Indexes have an old form (a flag on a property, lists of property names) and a new one (fetch indexes). Compilers write each in
/// the other, and a model in use has a fetch index for every old one.
extension NSEntityDescription {
    /// What the model compiler does: the old form beside each fetch index over properties.
    package final func addLegacyIndexFormsOfIndexes() {
        var lists = compoundIndexNames
        for index in indexStorage {
            guard let names = index.plainPropertyNames else { continue }
            if names.count == 1 {
                ownPropertyStorage.first { $0.nameStorage == names[0] }?.setHasLegacyIndex(true)
            } else if names.count > 1, !lists.contains(names) {
                lists.append(names)
            }
        }
        setLegacyCompoundIndexes(lists)
    }

    /// What using a model does: a fetch index for each flagged property that has none of its own name, and for each list that has
    /// none over the same properties.
    package final func addIndexesOfLegacyForms() {
        var added: [NSFetchIndexDescription] = []
        for property in ownPropertyStorage where property.isIndexedStorage && !(property is NSFetchedPropertyDescription) {
            guard !indexStorage.contains(where: { $0.name == property.nameStorage }) else { continue }
            added.append(Self.index(named: property.nameStorage, over: [property.nameStorage]))
        }
        for names in compoundIndexNames where !names.isEmpty {
            let all = indexStorage + added
            let name = names.joined(separator: "_")
            if all.contains(where: { $0.plainPropertyNames == names || $0.name == name }) { continue }
            added.append(Self.index(named: name, over: names))
        }
        if !added.isEmpty { indexes = indexStorage + added }
    }

    private static func index(named name: String, over properties: [String]) -> NSFetchIndexDescription {
        NSFetchIndexDescription(
            name: name, elements: properties.map { NSFetchIndexElementDescription(propertyName: $0, collationType: .binary) })
    }
}

extension NSFetchIndexDescription {
    /// The names of the indexed properties, if the index is one that the old forms can say: binary, over properties.
    var plainPropertyNames: [String]? {
        guard partialIndexPredicate == nil else { return nil }
        var names: [String] = []
        for element in elements {
            guard element.collationType == .binary, !(element.property is NSExpressionDescription), let name = element.propertyName
            else { return nil }
            names.append(name)
        }
        return names
    }
}
