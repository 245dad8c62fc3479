/// Which classes a keyed archive holds, looked at before Foundation decodes it: on Linux, its unarchiver stops the
/// program at a class that isn't among those it was given.
package enum ArchivedClasses {
    /// The first class that is neither allowed nor inherits from an allowed one; nil if there is none.
    ///
    /// Looks at the root, and into Foundation's collections. What is inside of other objects is asked for by their own
    /// initializers.
    ///
    /// - Throws: `NSCoderReadCorruptError` (4864) or `NSPropertyListReadCorruptError` (3840) for what is no sound
    ///   archive.
    package static func firstRefused(in data: Data, allowing classes: [AnyClass]) throws -> String? {
        let budget = KeyedArchiveBudget()
        let archive = try KeyedArchiveReader(data)
        try archive.checkNesting()
        // A root that is a plain value is of no class that could be refused.
        guard let root = try archive.value(archive.top["root"]).object else { return nil }
        var waiting = [root]
        var seen: Set<Int> = []
        while let object = waiting.popLast() {
            try budget.spend()
            guard seen.insert(object.index).inserted else { continue }
            if !isAllowed(object.className, classes) { return object.className }
            waiting += try members(of: object)
        }
        return nil
    }

    private static func members(of object: KeyedArchiveObject) throws -> [KeyedArchiveObject] {
        let name = object.className
        if KeyedArchiveObject.dictionaryClasses.contains(name) {
            return try object.pairs().flatMap { [$0.key, $0.value] }.compactMap(\.object)
        }
        guard
            KeyedArchiveObject.arrayClasses.contains(name) || KeyedArchiveObject.setClasses.contains(name)
                || KeyedArchiveObject.orderedSetClasses.contains(name)
        else { return [] }
        return try object.elements().compactMap(\.object)
    }

    private static func isAllowed(_ name: String, _ classes: [AnyClass]) -> Bool {
        guard let type = (NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name)) as? NSObject.Type
        else { return false }
        return classes.contains { type.isSubclass(of: $0) }
    }
}
