// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Selects the objects whose primary keys are greater, or less, than a key: what paging through a table needs.
///
/// Predicates of programs have no order of objects, so only this package can make it.
package final class KeyRangePredicate: NSPredicate {
    let key: Int64
    let isAscending: Bool

    /// Selects what comes after a key.
    ///
    /// - Parameters:
    ///   - key: the primary key, which is not selected itself.
    ///   - isAscending: whether greater keys are selected, or else lesser ones.
    package init(after key: Int64, isAscending: Bool) {
        self.key = key
        self.isAscending = isAscending
        super.init(value: true)
    }

    @available(*, unavailable)
    package required init?(coder: NSCoder) { nil }

    override package func copy(with zone: NSZone? = nil) -> Any { self }

    override package func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        guard let id = (object as? any IdentifiedObject)?.objectID, !id.isTemporaryID else { return false }
        return isAscending ? id.key > key : id.key < key
    }
}
