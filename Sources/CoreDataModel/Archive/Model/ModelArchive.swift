import CoreDataPredicates

/// The archived forms of a model: the compiled model file (`.mom`) and the copy that a store keeps of its model.
package enum ModelArchive {
    /// What an archived model is for.
    package enum Form: Sendable {
        /// A `.mom` file: every entity with its own properties, indexes in their new and their legacy form.
        case compiled
        /// The model cached in a store (not compressed): no class names, no templates, every entity with copies of the
        /// properties that it inherits, indexes as the store has them.
        case storeCache
        /// A model inside another archive (`NSCoding`): everything as it is in the model, indexes in no other form than
        /// they have.
        case coded
    }

    /// Reads a model of either form.
    ///
    /// - Parameter data: a keyed archive, binary or XML; a store's cache after decompression.
    /// - Returns: a mutable model.
    /// - Parameter isPart: whether the model is a stand-in around a part of one, which nobody will use as it is.
    /// - Throws: `CocoaError.propertyListReadCorrupt` (3840) or `CocoaError.coderReadCorrupt` (4864), with the reason
    ///   under `NSDebugDescriptionErrorKey`.
    package static func decode(_ data: Data, isPart: Bool = false) throws -> NSManagedObjectModel {
        try decode(KeyedArchiveReader(data).root(), isPart: isPart)
    }

    /// Reads a model out of an archive that is open already; the root object is given.
    package static func decode(_ root: KeyedArchiveObject, isPart: Bool = false) throws -> NSManagedObjectModel {
        guard root.className == "NSManagedObjectModel" else {
            throw keyedArchiveError("it holds an \(root.className), not a model")
        }
        return try ModelUnarchiver(root).model(isPart: isPart)
    }

    /// Writes a model.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for parts that have no archived form: predicates made of blocks,
    ///   default values of unknown classes.
    package static func encode(_ model: NSManagedObjectModel, as form: Form) throws -> Data {
        try ModelArchiver(model, form: form).data()
    }
}
