// SPDX-License-Identifier: Apache-2.0

/// The description of a store for a container.
public protocol DataStoreConfiguration: Hashable {
    /// The type of the store.
    associatedtype Store: DataStore where Self == Store.Configuration

    /// The name of the configuration.
    var name: String { get }
    /// The models of the store; nil for all models of the container.
    var schema: Schema? { get set }
    /// Checks the configuration.
    ///
    /// - Throws: an error that says what is wrong.
    func validate() throws
}

extension DataStoreConfiguration {
    /// Checks nothing.
    public func validate() throws {}
}
