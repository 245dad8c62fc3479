// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The archived forms of a model: the compiled model file (`.mom`) and the model cache of a store.
package enum ModelArchive {
    /// The purpose of an archive.
    package enum Form: Sendable {
        /// A `.mom` file: each entity has its own properties, and indexes in their current and legacy forms.
        case compiled
        /// The model cache of a store, before compression: it has no class names and no templates, each entity has
        /// copies of its inherited properties, and its indexes are the indexes that the store has.
        case storeCache
        /// A model in another archive (`NSCoding`): all parts unchanged, indexes without additional forms.
        case coded
    }

    /// Reads a model of any form.
    ///
    /// - Parameters:
    ///   - data: a keyed archive, binary or XML; the decompressed model cache of a store.
    ///   - isPartial: whether the model was made to archive one description, and isn't used itself.
    /// - Returns: a mutable model.
    /// - Throws: `CocoaError.propertyListReadCorrupt` (3840) or `CocoaError.coderReadCorrupt` (4864), with the reason
    ///   under `NSDebugDescriptionErrorKey`.
    package static func decode(_ data: Data, isPartial: Bool = false) throws -> NSManagedObjectModel {
        try decode(KeyedArchiveReader(data).root(), isPartial: isPartial)
    }

    /// Reads a model from the root object of an open archive.
    static func decode(_ root: KeyedArchiveObject, isPartial: Bool = false) throws -> NSManagedObjectModel {
        guard root.className == "NSManagedObjectModel" else {
            throw keyedArchiveError("it contains an object of class \(root.className), not a model")
        }
        return try ModelUnarchiver(root).model(isPartial: isPartial)
    }

    /// Archives a model.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for parts without an archived form: predicates with blocks,
    ///   default values of unknown classes.
    package static func encode(_ model: NSManagedObjectModel, as form: Form) throws -> Data {
        try ModelArchiver(model, form: form).data()
    }
}
