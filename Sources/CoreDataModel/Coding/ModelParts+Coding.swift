// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension NSEntityDescription: FactoryInitializable {}
extension NSPropertyDescription: FactoryInitializable {}
extension NSFetchIndexDescription: FactoryInitializable {}
extension NSFetchIndexElementDescription: FactoryInitializable {}

extension NSManagedObjectModel {
    /// True: models support secure coding.
    public final class var supportsSecureCoding: Bool { true }

    /// Encodes the model.
    ///
    /// Stops the program if the model isn't complete, or if it contains a predicate made from a block.
    ///
    /// - Parameter coder: an `NSKeyedArchiver`.
    public final func encode(with coder: NSCoder) { ModelCoding.encode(self, with: coder) }
}

extension NSEntityDescription {
    /// True: entities support secure coding.
    public final class var supportsSecureCoding: Bool { true }

    /// Encodes the entity with its model.
    ///
    /// Stops the program if a part has no archived form.
    ///
    /// - Parameter coder: an `NSKeyedArchiver`.
    public final func encode(with coder: NSCoder) { ModelCoding.encode(EncodedDescription(self), with: coder) }
}

extension NSPropertyDescription {
    /// True: properties support secure coding.
    public final class var supportsSecureCoding: Bool { true }

    /// Encodes the property with its entity and model.
    ///
    /// Stops the program if a part has no archived form.
    ///
    /// - Parameter coder: an `NSKeyedArchiver`.
    public final func encode(with coder: NSCoder) { ModelCoding.encode(EncodedDescription(self), with: coder) }
}

extension NSFetchIndexDescription {
    /// True: indexes support secure coding.
    public class var supportsSecureCoding: Bool { true }

    /// Encodes the index with its entity and model.
    ///
    /// Stops the program if a part has no archived form.
    ///
    /// - Parameter coder: an `NSKeyedArchiver`.
    public func encode(with coder: NSCoder) { ModelCoding.encode(EncodedDescription(self), with: coder) }
}

extension NSFetchIndexElementDescription {
    /// True: index elements support secure coding.
    public class var supportsSecureCoding: Bool { true }

    /// Encodes the element with its index, entity and model.
    ///
    /// Stops the program if a part has no archived form.
    ///
    /// - Parameter coder: an `NSKeyedArchiver`.
    public func encode(with coder: NSCoder) { ModelCoding.encode(EncodedDescription(self), with: coder) }
}
