// SPDX-License-Identifier: Apache-2.0

/// Sort descriptors in keyed archives, in the form of Apple's class.
package enum ArchivedSortDescriptor {
    /// Adds a sort descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: the sort descriptor.
    ///   - writer: the writer of the archive.
    ///   - owner: names the descriptor in errors.
    /// - Returns: the reference to the archived descriptor.
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for a descriptor with a block.
    package static func add(_ descriptor: NSSortDescriptor, to writer: KeyedArchiveWriter, owner: String) throws
        -> PropertyListValue
    {
        let descriptor = descriptor.keyDescriptor
        guard let selector = descriptor.selector, !descriptor.needsEvaluation else {
            throw archivingError(
                "\(owner) sorts by a block or by a Swift key path without a key. It cannot be archived")
        }
        return writer.add(
            class: KeyedArchiveClass("NSSortDescriptor"),
            [
                ("NSKey", writer.add(string: descriptor.key)),
                ("NSAscending", .boolean(descriptor.ascending)),
                ("NSSelector", writer.add(string: selector.name)),
                ("NSReverseNullOrder", .boolean(false)),
            ])
    }

    /// Decodes a sort descriptor.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) for another object, or for an unknown comparison method.
    package static func decode(_ object: KeyedArchiveObject) throws -> NSSortDescriptor {
        guard object.className == "NSSortDescriptor" else {
            throw keyedArchiveError("a sort descriptor was expected, not \(Wording.withArticle(object.className))")
        }
        let selector = try object.string("NSSelector") ?? "compare:"
        guard SortComparison.methods.contains(selector) else {
            throw keyedArchiveError("a sort descriptor has the unknown method \"\(selector)\"")
        }
        return NSSortDescriptor(
            key: try object.string("NSKey"), ascending: try object.flag("NSAscending"),
            selector: NSSelectorFromString(selector))
    }
}
