// SPDX-License-Identifier: Apache-2.0

extension NSEntityDescription {
    final func setLegacyCompoundIndexes(_ lists: [[Any]]) {
        willModify("compoundIndexes")
        compoundIndexStorage = lists
    }

    /// The uniqueness constraints as names of properties.
    package final var uniquenessConstraintNames: [[String]] { uniquenessConstraints.map(Self.propertyNames) }

    /// The legacy compound indexes as names of properties.
    package final var compoundIndexNames: [[String]] { compoundIndexStorage.map(Self.propertyNames) }

    private static func propertyNames(_ list: [Any]) -> [String] {
        list.compactMap {
            ($0 as? NSPropertyDescription)?.name ?? ($0 as? String) ?? ($0 as? NSString).map { String(describing: $0) }
        }
    }
}
