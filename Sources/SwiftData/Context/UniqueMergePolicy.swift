// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The merge policy of model contexts: the values in memory win, property by property, and a model with the unique
/// values of another model becomes an update of that model.
final class UniqueMergePolicy: NSMergePolicy, @unchecked Sendable {
    init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }
}
