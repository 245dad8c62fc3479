// SPDX-License-Identifier: Apache-2.0

extension KeyedArchiveReader {
    /// The deepest nesting of objects. Foundation decodes them recursively, and the stack of a thread may be small.
    static let nestingLimit = 100

    /// Checks that Foundation's unarchiver on Linux doesn't overflow the stack: no object contains itself, directly or
    /// indirectly, and the nesting isn't too deep.
    ///
    /// It follows all references of objects of all classes.
    ///
    /// - Throws: `NSCoderReadCorruptError` (4864) if the check fails.
    package func checkNesting() throws {
        try checkReferences()
        enum Visit {
            case none, open
            /// The number of levels below the object.
            case closed(Int)
        }
        var visits = [Visit](repeating: .none, count: objects.count)
        var waiting = top.entries.flatMap { Self.references(in: $0.value) }.filter(objects.indices.contains)
        while let index = waiting.last {
            switch visits[index] {
            case .closed:
                waiting.removeLast()
            case .none:
                visits[index] = .open
                for member in Self.references(in: objects[index]) where objects.indices.contains(member) {
                    switch visits[member] {
                    case .none: waiting.append(member)
                    case .open: throw keyedArchiveError("object \(member) contains itself")
                    case .closed: break
                    }
                }
            case .open:
                waiting.removeLast()
                var height = 0
                for member in Self.references(in: objects[index]) where objects.indices.contains(member) {
                    if case .closed(let below) = visits[member] { height = max(height, below + 1) }
                }
                guard height <= Self.nestingLimit else {
                    throw keyedArchiveError("its objects have more than \(Self.nestingLimit) nested levels")
                }
                visits[index] = .closed(height)
            }
        }
    }

    /// Checks that references name objects, and that objects have classes: Foundation's unarchiver on Linux stops the
    /// program otherwise.
    private func checkReferences() throws {
        for index in top.entries.flatMap({ Self.references(in: $0.value) }) + objects.flatMap(Self.references)
        where !objects.indices.contains(index) {
            throw keyedArchiveError(
                "a reference has the index \(index) of \(Wording.count(objects.count, "object"))")
        }
        for (index, object) in objects.enumerated() {
            if case .uid = object { throw keyedArchiveError("object \(index) is itself a reference") }
            guard let contents = object.dictionaryValue, contents["$classname"] == nil else { continue }
            guard let position = contents["$class"]?.uidValue, objects.indices.contains(position),
                let description = objects[position].dictionaryValue, description["$classname"]?.stringValue != nil,
                description["$classes"]?.arrayValue?.allSatisfy({ $0.stringValue != nil }) != false
            else { throw keyedArchiveError("object \(index) has no class") }
        }
        // The description of a class is no value.
        let values =
            top.entries.map(\.value)
            + objects.flatMap { object -> [PropertyListValue] in
                guard let contents = object.dictionaryValue, contents["$classname"] == nil else { return [] }
                return contents.entries.filter { $0.key != "$class" }.map(\.value)
            }
        for index in values.flatMap(Self.references) where objects[index].dictionaryValue?["$classname"] != nil {
            throw keyedArchiveError("object \(index) is a class, but used as a value")
        }
    }

    private static func references(in value: PropertyListValue) -> [Int] {
        switch value {
        case .uid(let index): [index]
        case .array(let values), .set(let values): values.flatMap(references)
        case .dictionary(let dictionary): dictionary.entries.flatMap { references(in: $0.value) }
        default: []
        }
    }
}

/// Checks the classes in a keyed archive before Foundation decodes it: on Linux, its unarchiver stops the program at a
/// class that isn't allowed.
package enum ArchivedClasses {
    /// The name of the first class that is neither allowed nor a subclass of an allowed one; nil if there is none.
    ///
    /// It checks the root object and the elements of Foundation's collections. The initializers of other objects check
    /// the classes of their parts.
    ///
    /// - Parameters:
    ///   - data: the archive.
    ///   - classes: the allowed classes.
    /// - Throws: `NSCoderReadCorruptError` (4864) or `NSPropertyListReadCorruptError` (3840) for a damaged archive.
    package static func firstDisallowedClass(in data: Data, allowing classes: [AnyClass]) throws -> String? {
        let budget = KeyedArchiveBudget()
        let archive = try KeyedArchiveReader(data)
        try archive.checkNesting()
        // A plain value has no class.
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
