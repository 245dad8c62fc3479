// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    /// The origin of a save or of a batch request. The topmost context of a hierarchy writes into the stores, also for
    /// a batch request that a child executes.
    final var changeOrigin: ChangeOrigin {
        var writer = self
        while let parent = writer.hierarchy.parent { writer = parent }
        return ChangeOrigin(author: writer.transactionAuthor, contextName: writer.name)
    }
}
