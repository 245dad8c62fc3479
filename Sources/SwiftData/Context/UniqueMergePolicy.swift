// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// How a save resolves conflicts: the values in memory win, property by property, and a model with the unique values of
/// another one becomes an update of it.
final class UniqueMergePolicy: NSMergePolicy, @unchecked Sendable {
    init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }
}
