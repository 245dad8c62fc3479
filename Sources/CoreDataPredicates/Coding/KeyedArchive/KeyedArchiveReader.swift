/// Reads what `NSKeyedArchiver` wrote, as a graph of objects that are looked at by key.
///
/// Nothing is instantiated: cycles do no harm, and a client makes its own objects in two passes (make, then fill).
/// With a list of allowed classes, an object of any other class is refused when it is reached; without one, every
/// class may be looked into.
///
/// Immutable, and safe on any thread.
package final class KeyedArchiveReader: Sendable {
    /// The `$objects` of the archive; a reference is a position in it, 0 is nil.
    package let objects: [PropertyListValue]
    /// The `$top` of the archive: the values encoded outside of any object.
    package let top: PropertyListDictionary
    private let allowedClasses: Set<String>?

    /// Opens a keyed archive in binary or XML form.
    ///
    /// - Parameters:
    ///   - data: the archive.
    ///   - allowedClasses: names of the classes that may appear; nil allows all.
    /// - Throws: `CocoaError.propertyListReadCorrupt` (3840) when it is no sound property list,
    ///   `CocoaError.coderReadCorrupt` (4864) when it is no keyed archive.
    package convenience init(
        _ data: Data, allowedClasses: Set<String>? = nil, limits: PropertyListLimits = .standard
    ) throws {
        try self.init(propertyList: PropertyListReader.read(data, limits: limits), allowedClasses: allowedClasses)
    }

    package init(propertyList: PropertyListValue, allowedClasses: Set<String>? = nil) throws {
        guard let archive = propertyList.dictionaryValue, let objects = archive["$objects"]?.arrayValue,
            let top = archive["$top"]?.dictionaryValue, !objects.isEmpty
        else {
            throw keyedArchiveError("it has no $objects and $top: it is no keyed archive")
        }
        if let archiver = archive["$archiver"]?.stringValue, archiver != "NSKeyedArchiver" {
            throw keyedArchiveError("it was written by \"\(archiver)\", not by NSKeyedArchiver")
        }
        self.objects = objects
        self.top = top
        self.allowedClasses = allowedClasses
    }

    /// The archived root object.
    package func root() throws -> KeyedArchiveObject {
        guard case .object(let object) = try value(top["root"]) else {
            throw keyedArchiveError("it has no root object")
        }
        return object
    }

    /// Follows a reference; a value that stands inline is returned as it is.
    package func value(_ raw: PropertyListValue?) throws -> KeyedArchiveValue {
        guard let raw else { return .none }
        guard case .uid(let index) = raw else {
            if case .null = raw { return .none }
            return .plain(raw)
        }
        guard index > 0 else { return .none }
        guard index < objects.count else {
            throw keyedArchiveError("a reference leads to object \(index) of \(objects.count)")
        }
        let target = objects[index]
        guard case .dictionary(let contents) = target, let classReference = contents["$class"] else {
            if case .uid = target { throw keyedArchiveError("object \(index) is itself a reference") }
            return .plain(target)
        }
        let name = try className(classReference, of: index)
        if name == "NSMutableString" || name == "NSString" {
            guard let text = contents["NS.string"]?.stringValue else {
                throw keyedArchiveError("the string at \(index) has no text")
            }
            return .plain(.string(text))
        }
        return .object(KeyedArchiveObject(archive: self, index: index, className: name, contents: contents))
    }

    private func className(_ reference: PropertyListValue, of index: Int) throws -> String {
        guard let position = reference.uidValue, objects.indices.contains(position),
            let description = objects[position].dictionaryValue, let name = description["$classname"]?.stringValue
        else {
            throw keyedArchiveError("object \(index) has no proper class")
        }
        if let allowedClasses, !allowedClasses.contains(name) {
            throw KeyedArchiveUnknownClass(name: name)
        }
        return name
    }
}

/// What stands behind a key of an archived object.
package enum KeyedArchiveValue: Sendable {
    case none
    /// A string, number, date, data; also what stands inline.
    case plain(PropertyListValue)
    case object(KeyedArchiveObject)

    package var string: String? {
        if case .plain(let value) = self { return value.stringValue }
        return nil
    }

    package var object: KeyedArchiveObject? {
        if case .object(let object) = self { return object }
        return nil
    }
}

/// A class that the client did not allow.
package struct KeyedArchiveUnknownClass: Error, CustomStringConvertible {
    package let name: String

    package var description: String { "the class \"\(name)\" is not expected in this archive" }
}

/// The error of a keyed archive that cannot be understood: `NSCoderReadCorruptError` (4864).
package func keyedArchiveError(_ description: String) -> any Error {
    CocoaError(
        .coderReadCorrupt,
        userInfo: [
            NSDebugDescriptionErrorKey: description,
            NSLocalizedDescriptionKey: "The archive could not be read: \(description)",
        ])
}
