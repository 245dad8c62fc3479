import CoreDataPredicates

extension NSEntityDescription {
    /// The fetch indexes that count when the model is used: those of attributes with the legacy flag that have no index
    /// of their own name, then the declared ones, then those that legacy compound indexes stand for.
    package final var convertedIndexes: [NSFetchIndexDescription] {
        convertedIndexes { _ in true }
    }

    /// The indexes of a compiled model. An attribute's flag that merely repeats a declared index of that attribute
    /// makes no second one.
    final var compiledIndexes: [NSFetchIndexDescription] {
        let repeated = singleAttributeNames
        return convertedIndexes { !repeated.contains($0.name) }
    }

    private func convertedIndexes(
        where isWanted: (NSPropertyDescription) -> Bool
    ) -> [NSFetchIndexDescription] {
        let names = Set(indexes.map(\.name))
        let lists = Set(indexes.map { $0.elements.map { $0.propertyName ?? "" } })
        let flagged =
            ownProperties
            .filter { $0.hasLegacyIndex && $0 is NSAttributeDescription && !names.contains($0.name) && isWanted($0) }
            .map(\.name)
            .sorted { $0.precedesBytewise($1) }
        return flagged.map { ascendingIndex(named: $0, over: [$0]) } + indexes
            + compoundIndexNames.filter { !lists.contains($0) && !$0.isEmpty }
            .map { ascendingIndex(named: $0.joined(separator: "_"), over: $0) }
    }

    private func ascendingIndex(named name: String, over properties: [String]) -> NSFetchIndexDescription {
        NSFetchIndexDescription(
            name: name,
            elements: properties.map { NSFetchIndexElementDescription(propertyName: $0, collationType: .binary) })
    }

    /// The attributes that are the only element of an ascending index.
    final var singleAttributeNames: Set<String> {
        Set(
            indexes.compactMap { index in
                guard index.elements.count == 1, index.elements[0].isAscending,
                    index.elements[0].collationType == .binary
                else { return nil }
                return index.elements[0].propertyName
            })
    }

    /// The legacy form of all indexes over several attributes: the declared tuples, and one for each fetch index. An
    /// index over an expression has no legacy form.
    final var compiledCompoundIndexes: [[String]] {
        var tuples = compoundIndexNames
        for index in indexes {
            if let names = index.legacyForm, !tuples.contains(names) { tuples.append(names) }
        }
        return tuples
    }

    /// The legacy form as a store's cache has it: tuples with relationships are left out.
    final var cachedCompoundIndexes: [[String]] {
        compiledCompoundIndexes.filter { tuple in tuple.allSatisfy { property(named: $0) is NSAttributeDescription } }
    }
}

extension NSFetchIndexDescription {
    /// The names that say the same as a compound index; nil for an index over one property, or over an expression.
    final var legacyForm: [String]? {
        let names = elements.compactMap { $0.property is NSExpressionDescription ? nil : $0.propertyName }
        return elements.count > 1 && names.count == elements.count ? names : nil
    }
}
