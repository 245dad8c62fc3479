// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension NSEntityDescription {
    /// Adds the legacy form of each fetch index over properties: a flag of the attribute, or a list of names. The model
    /// compiler does the same. `convertedIndexes` is the opposite direction, which applies when a model is used.
    final func addLegacyIndexes() {
        for name in singleAttributeNames {
            ownPropertyStorage.first { $0.nameStorage == name && $0 is NSAttributeDescription }?.setHasLegacyIndex(true)
        }
        let lists = compiledCompoundIndexes
        if lists.count != compoundIndexStorage.count { setLegacyCompoundIndexes(lists) }
    }
}

extension NSEntityDescription {
    /// The fetch indexes that take effect when the model is used. Attributes with the legacy flag come first, each with
    /// an index, unless an index has the attribute's name. The declared indexes follow, then the indexes for legacy
    /// compound indexes.
    package final var convertedIndexes: [NSFetchIndexDescription] {
        convertedIndexes { _ in true }
    }

    /// The indexes of a compiled model. A legacy flag that repeats a declared index of the attribute adds no index.
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
            .sortedBytewise()
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

    /// The legacy form of all indexes over several attributes: the declared lists, and one list for each fetch index.
    /// An index over an expression has no legacy form.
    final var compiledCompoundIndexes: [[String]] {
        var tuples = compoundIndexNames
        for index in indexes {
            if let names = index.legacyForm, !tuples.contains(names) { tuples.append(names) }
        }
        return tuples
    }

    /// The legacy form in the model cache of a store, which contains no lists with relationships.
    final var cachedCompoundIndexes: [[String]] {
        compiledCompoundIndexes.filter { tuple in tuple.allSatisfy { property(named: $0) is NSAttributeDescription } }
    }
}

extension NSFetchIndexDescription {
    /// The names of the equivalent compound index; nil for an index over one property, and for an index over an
    /// expression.
    final var legacyForm: [String]? {
        let names = elements.compactMap { $0.property is NSExpressionDescription ? nil : $0.propertyName }
        return elements.count > 1 && names.count == elements.count ? names : nil
    }
}
