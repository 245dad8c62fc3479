// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The identifiers of a fetch, of which one batch is in memory. Used where the context is used.
final class IdentifierBatches {
    private let ids: FetchedIDs
    /// Keeps the model, of which the IDs know the layout.
    private let context: ModelContext
    private let size: Int
    private var batch: Range<Int> = 0..<0
    private var identifiers: [PersistentIdentifier] = []

    init(_ ids: FetchedIDs, of context: ModelContext, size: Int) {
        self.ids = ids
        self.context = context
        self.size = size > 0 ? size : max(ids.count, 1)
    }

    var count: Int { ids.count }

    subscript(position: Int) -> PersistentIdentifier {
        if !batch.contains(position) {
            let start = position / size * size
            batch = start..<min(start + size, ids.count)
            identifiers = batch.map { PersistentIdentifier(ids[$0]) }
        }
        return identifiers[position - batch.lowerBound]
    }
}
