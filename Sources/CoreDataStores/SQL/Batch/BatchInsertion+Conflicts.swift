// SPDX-License-Identifier: Apache-2.0

extension BatchInsertion {
    /// The positions in a plan of the columns that a row with the same unique values gets from a new row.
    ///
    /// - Parameter given: the positions of the properties that have values in the new row.
    package func columnsToUpdate(_ plan: RowWritePlan, given: [Int]) -> [Int] {
        guard conflict == .updateGiven else { return Array(plan.columns.indices) }
        let given = Set(given)
        return plan.columns.indices.filter { given.contains(plan.columns[$0].slot.index) }
    }

    /// The names of the properties that such a row gets values of, derived ones included.
    package func updatedProperties(_ plan: RowWritePlan, _ columns: [Int], given: [Int], computed: [PropertySlot])
        -> [String]
    {
        guard conflict == .updateGiven else {
            return columns.map { layout.properties[plan.columns[$0].slot.index].name }
        }
        return given.map { layout.properties[$0].name } + computed.map(\.name)
    }

    /// The error of a new row whose unique values an object of another entity has.
    ///
    /// - Parameter userInfo: the store.
    package func conflictWithOtherEntity(_ userInfo: [String: Any]) -> NSError {
        CoreDataErrors.error(
            NSManagedObjectConstraintMergeError, "The batch insert of entity \(layout.name) failed.",
            reason: "An object of another entity has the values of a uniqueness constraint already.",
            suggestion: "Give the objects unique values.", userInfo: userInfo)
    }
}
