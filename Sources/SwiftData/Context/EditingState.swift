// SPDX-License-Identifier: Apache-2.0

/// The identity of a context, as a store knows it.
public struct EditingState: Identifiable, Sendable {
    /// The identifier is a UUID.
    public typealias ID = UUID

    /// The identifier of the context.
    public let id: UUID
    /// The author of the context's transactions.
    public var author: String?
}
