// SPDX-License-Identifier: Apache-2.0

/// A collection of models as the value of a to-many relationship: an array, or an optional array.
public protocol RelationshipCollection {
    /// The class of the models.
    associatedtype PersistentElement: PersistentModel

    /// **Extension.** Makes the collection of models.
    init(relatedModels: [PersistentElement])

    /// **Extension.** The models of the collection.
    var relatedModels: [PersistentElement] { get }
}

extension Array: RelationshipCollection where Element: PersistentModel {
    /// The class of the models.
    public typealias PersistentElement = Element

    /// **Extension.** The models themselves.
    public init(relatedModels: [Element]) { self = relatedModels }

    /// **Extension.** The models themselves.
    public var relatedModels: [Element] { self }
}

extension Optional: RelationshipCollection where Wrapped: Sequence, Wrapped.Element: PersistentModel {
    /// The class of the models.
    public typealias PersistentElement = Wrapped.Element

    /// **Extension.** The models, as an array or another collection that can be made of an array.
    public init(relatedModels: [Wrapped.Element]) { self = relatedModels as? Wrapped }

    /// **Extension.** The models; none for nil.
    public var relatedModels: [Wrapped.Element] { map { Array($0) } ?? [] }
}
