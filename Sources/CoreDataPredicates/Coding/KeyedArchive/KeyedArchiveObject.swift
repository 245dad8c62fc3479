// SPDX-License-Identifier: Apache-2.0

/// One object of a keyed archive.
package struct KeyedArchiveObject: Sendable {
    package let archive: KeyedArchiveReader
    /// The index in the archive, which identifies the object.
    package let index: Int
    package let className: String
    /// The keys with raw values, `$class` included.
    package let contents: PropertyListDictionary

    /// The value of a key. A reference gives the object that it refers to.
    package func value(_ key: String) throws -> KeyedArchiveValue {
        do {
            return try archive.value(contents[key])
        } catch let error as KeyedArchiveUnknownClass {
            throw keyedArchiveError("\(error) (key \"\(key)\" of \(Wording.withArticle(className)))")
        }
    }

    /// A string, or nil for nil or an absent key.
    package func string(_ key: String) throws -> String? {
        switch try value(key) {
        case .none: return nil
        case .plain(.string(let text)): return text
        default: throw typeMismatch(key, "a string")
        }
    }

    package func requiredString(_ key: String) throws -> String {
        guard let text = try string(key) else { throw typeMismatch(key, "a string") }
        return text
    }

    /// A flag; false for an absent key.
    package func flag(_ key: String) throws -> Bool {
        switch try value(key) {
        case .none: return false
        case .plain(let raw):
            guard let flag = raw.booleanValue else { throw typeMismatch(key, "a Boolean") }
            return flag
        case .object: throw typeMismatch(key, "a Boolean")
        }
    }

    /// An integer, or nil for nil or an absent key.
    package func integer(_ key: String) throws -> Int? {
        switch try value(key) {
        case .none: return nil
        case .plain(let raw):
            guard let number = raw.integerValue, let integer = Int(exactly: number) else {
                throw typeMismatch(key, "an integer")
            }
            return integer
        case .object(let object):
            // Xcode 3 writes the counts and numbers of a model as decimal numbers.
            guard ArchivedDecimal.classes.contains(object.className),
                let integer = Int(NSDecimalNumber(decimal: try ArchivedDecimal.decode(object)).stringValue)
            else { throw typeMismatch(key, "an integer") }
            return integer
        }
    }

    /// An integer that is no object, or nil for an absent key.
    func plainInteger(_ key: String) -> Int? { contents[key]?.integerValue.flatMap { Int(exactly: $0) } }

    package func object(_ key: String) throws -> KeyedArchiveObject? {
        switch try value(key) {
        case .none: return nil
        case .object(let object): return object
        case .plain: throw typeMismatch(key, "an object")
        }
    }

    package func requiredObject(_ key: String) throws -> KeyedArchiveObject {
        guard let object = try object(key) else { throw typeMismatch(key, "an object") }
        return object
    }

    /// The elements of an array or set; nil for nil or an absent key.
    package func elements(_ key: String) throws -> [KeyedArchiveValue]? {
        try object(key)?.elements()
    }

    /// The objects in an array or set; nil for nil or an absent key.
    package func objects(_ key: String) throws -> [KeyedArchiveObject]? {
        try elements(key)?.map { element in
            guard let object = element.object else { throw typeMismatch(key, "an array of objects") }
            return object
        }
    }

    /// The strings in an array or set; nil for nil or an absent key.
    package func strings(_ key: String) throws -> [String]? {
        try elements(key)?.map { element in
            guard let text = element.string else { throw typeMismatch(key, "an array of strings") }
            return text
        }
    }

    /// The entries of a dictionary with string keys; nil for nil or an absent key.
    package func entries(_ key: String) throws -> [(key: String, value: KeyedArchiveValue)]? {
        try object(key)?.entries()
    }

    /// The error of a key with a value of another type.
    package func typeMismatch(_ key: String, _ expected: String) -> any Error {
        keyedArchiveError(
            "the value for \"\(key)\" of \(Wording.withArticle(className)) (object \(index)) is not \(expected)")
    }
}

extension KeyedArchiveObject {
    package static let arrayClasses: Set<String> = ["NSArray", "NSMutableArray"]
    package static let setClasses: Set<String> = ["NSSet", "NSMutableSet", "NSCountedSet"]
    static let orderedSetClasses: Set<String> = ["NSOrderedSet", "NSMutableOrderedSet"]
    static let dictionaryClasses: Set<String> = [
        "NSDictionary", "NSMutableDictionary", "NSKnownKeysDictionary1", "NSKnownKeysDictionary",
    ]

    /// The elements of this array, set or ordered set.
    package func elements() throws -> [KeyedArchiveValue] {
        guard
            Self.arrayClasses.contains(className) || Self.setClasses.contains(className)
                || Self.orderedSetClasses.contains(className)
        else {
            throw keyedArchiveError(
                "a collection was expected, not \(Wording.withArticle(className)) (object \(index))")
        }
        if let raw = contents["NS.objects"]?.arrayValue {
            return try raw.map(archive.value)
        }
        // Ordered sets, and collections of old archivers, have one key for each element.
        var elements: [KeyedArchiveValue] = []
        while let raw = contents["NS.object.\(elements.count)"] { elements.append(try archive.value(raw)) }
        return elements
    }

    /// The entries of this dictionary, whose keys are strings.
    package func entries() throws -> [(key: String, value: KeyedArchiveValue)] {
        try pairs().map { pair in
            guard let key = pair.key.string else {
                throw keyedArchiveError("a key of the dictionary (object \(index)) is no string")
            }
            return (key, pair.value)
        }
    }

    /// The entries of this dictionary with keys of any type. A dictionary with known keys, as in the model cache of a
    /// store, keeps its keys in a separate object.
    package func pairs() throws -> [(key: KeyedArchiveValue, value: KeyedArchiveValue)] {
        guard Self.dictionaryClasses.contains(className) else {
            throw keyedArchiveError(
                "a dictionary was expected, not \(Wording.withArticle(className)) (object \(index))")
        }
        let keys: [KeyedArchiveValue]
        let values: [KeyedArchiveValue]
        if let mapping = try object("searchMapping") {
            keys = try mapping.elements("keys") ?? []
            values = try elements("values") ?? []
        } else {
            keys = try (contents["NS.keys"]?.arrayValue ?? []).map(archive.value)
            values = try (contents["NS.objects"]?.arrayValue ?? []).map(archive.value)
        }
        guard keys.count == values.count else {
            throw keyedArchiveError(
                """
                the dictionary (object \(index)) has \(Wording.count(keys.count, "key")) and \
                \(Wording.count(values.count, "value"))
                """)
        }
        return Array(zip(keys, values)).map { (key: $0.0, value: $0.1) }
    }
}
