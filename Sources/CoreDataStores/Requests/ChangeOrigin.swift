// SPDX-License-Identifier: Apache-2.0

/// The origin of the changes of a save or of a batch request, as the history of a store records it.
package struct ChangeOrigin {
    /// The `transactionAuthor` of the context.
    package var author: String?
    /// The name of the context.
    package var contextName: String?

    package init(author: String? = nil, contextName: String? = nil) {
        self.author = author
        self.contextName = contextName
    }
}
