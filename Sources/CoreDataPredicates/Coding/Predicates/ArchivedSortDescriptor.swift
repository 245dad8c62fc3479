/// Sort descriptors as Apple's class archives them.
package enum ArchivedSortDescriptor {
    /// Adds a sort descriptor.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for one with a block; `owner` names it.
    package static func add(_ descriptor: NSSortDescriptor, to writer: KeyedArchiveWriter, owner: String) throws
        -> PropertyListValue
    {
        let descriptor = descriptor.keyed
        guard let selector = descriptor.selector, !descriptor.needsEvaluation else {
            throw CocoaError(
                .coderInvalidValue,
                userInfo: [
                    NSDebugDescriptionErrorKey:
                        "\(owner) sorts by a block or by a Swift key path without a key, which cannot be archived"
                ])
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

    /// An archived sort descriptor; one that compares by an unknown method is refused.
    package static func decode(_ object: KeyedArchiveObject) throws -> NSSortDescriptor {
        guard object.className == "NSSortDescriptor" else {
            throw keyedArchiveError("an \(object.className) stands where a sort descriptor belongs")
        }
        let selector = try object.string("NSSelector") ?? "compare:"
        guard SortComparison.methods.contains(selector) else {
            throw keyedArchiveError("a sort descriptor compares by the unknown method \"\(selector)\"")
        }
        return NSSortDescriptor(
            key: try object.string("NSKey"), ascending: try object.flag("NSAscending"),
            selector: NSSelectorFromString(selector))
    }
}
