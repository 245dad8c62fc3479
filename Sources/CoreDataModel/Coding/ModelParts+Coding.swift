import CoreDataPredicates

extension NSEntityDescription: FactoryInitializable {}
extension NSPropertyDescription: FactoryInitializable {}
extension NSFetchIndexDescription: FactoryInitializable {}
extension NSFetchIndexElementDescription: FactoryInitializable {}

extension NSManagedObjectModel {
    /// Models may be decoded where an archive isn't trusted.
    public final class var supportsSecureCoding: Bool { true }

    /// Writes the model into an archive. Stops if the model isn't complete, or holds a predicate made of a block.
    ///
    /// - Parameter coder: an `NSKeyedArchiver`.
    public final func encode(with coder: NSCoder) { ModelCoding.encode(self, with: coder) }
}

extension NSEntityDescription {
    /// Entities may be decoded where an archive isn't trusted.
    public final class var supportsSecureCoding: Bool { true }

    /// Writes the entity into an archive, with its model.
    ///
    /// - Parameter coder: an `NSKeyedArchiver`.
    public final func encode(with coder: NSCoder) { ModelCoding.encode(CodedPart(self), with: coder) }
}

extension NSPropertyDescription {
    /// Properties may be decoded where an archive isn't trusted.
    public final class var supportsSecureCoding: Bool { true }

    /// Writes the property into an archive, with its entity and model.
    ///
    /// - Parameter coder: an `NSKeyedArchiver`.
    public final func encode(with coder: NSCoder) { ModelCoding.encode(CodedPart(self), with: coder) }
}

extension NSFetchIndexDescription {
    /// Indexes may be decoded where an archive isn't trusted.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the index into an archive, with its entity and model.
    ///
    /// - Parameter coder: an `NSKeyedArchiver`.
    public func encode(with coder: NSCoder) { ModelCoding.encode(CodedPart(self), with: coder) }
}

extension NSFetchIndexElementDescription {
    /// Elements of indexes may be decoded where an archive isn't trusted.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the element into an archive, with its index, entity and model.
    ///
    /// - Parameter coder: an `NSKeyedArchiver`.
    public func encode(with coder: NSCoder) { ModelCoding.encode(CodedPart(self), with: coder) }
}
