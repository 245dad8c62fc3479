// SPDX-License-Identifier: Apache-2.0

/// Reads an archive of `NSKeyedArchiver` as a graph of objects whose values are read by key.
///
/// It instantiates no class, so cycles do no harm. A client makes its own objects in two passes: create, then fill.
/// With a list of allowed classes, reading an object of another class is an error; without a list, all classes are
/// allowed.
///
/// Immutable, and safe on any thread.
package final class KeyedArchiveReader: Sendable {
    /// The `$objects` of the archive. A reference is an index in it; 0 is nil.
    package let objects: [PropertyListValue]
    /// The `$top` of the archive: the values encoded outside of any object.
    let top: PropertyListDictionary
    private let allowedClasses: Set<String>?

    /// Opens a keyed archive in binary or XML form.
    ///
    /// - Parameters:
    ///   - data: the archive.
    ///   - allowedClasses: the names of the allowed classes; nil allows all.
    ///   - limits: the limits of the property list.
    /// - Throws: `CocoaError.propertyListReadCorrupt` (3840) for a damaged property list,
    ///   `CocoaError.coderReadCorrupt` (4864) for another property list.
    package convenience init(
        _ data: Data, allowedClasses: Set<String>? = nil, limits: PropertyListLimits = .standard
    ) throws {
        try self.init(propertyList: PropertyListReader.read(data, limits: limits), allowedClasses: allowedClasses)
    }

    init(propertyList: PropertyListValue, allowedClasses: Set<String>? = nil) throws {
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

    /// The value of a reference. An inline value is returned unchanged.
    package func value(_ raw: PropertyListValue?) throws -> KeyedArchiveValue {
        guard let raw else { return .none }
        guard case .uid(let index) = raw else {
            if case .null = raw { return .none }
            return .plain(raw)
        }
        guard index > 0 else { return .none }
        guard index < objects.count else {
            throw keyedArchiveError("a reference has the index \(index) of \(Wording.count(objects.count, "object"))")
        }
        let target = objects[index]
        guard case .dictionary(let contents) = target, let classReference = contents["$class"] else {
            if case .uid = target { throw keyedArchiveError("object \(index) is itself a reference") }
            return .plain(target)
        }
        let name = try className(classReference, of: index)
        if name == "NSMutableString" || name == "NSString" {
            guard let text = contents["NS.string"]?.stringValue else {
                throw keyedArchiveError("the string (object \(index)) has no text")
            }
            return .plain(.string(text))
        }
        return .object(KeyedArchiveObject(archive: self, index: index, className: name, contents: contents))
    }

    private func className(_ reference: PropertyListValue, of index: Int) throws -> String {
        guard let position = reference.uidValue, objects.indices.contains(position),
            let description = objects[position].dictionaryValue, let name = description["$classname"]?.stringValue
        else {
            throw keyedArchiveError("object \(index) has no valid class")
        }
        if let allowedClasses, !allowedClasses.contains(name) {
            throw KeyedArchiveUnknownClass(name: name)
        }
        return name
    }
}

/// The value for a key of an archived object.
package enum KeyedArchiveValue: Sendable {
    case none
    /// A string, number, date or data, or an inline value.
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

/// The error of a class that isn't allowed.
struct KeyedArchiveUnknownClass: Error, CustomStringConvertible {
    let name: String

    var description: String { "the class \"\(name)\" is not expected in this archive" }
}

/// The error of a keyed archive that cannot be understood: `NSCoderReadCorruptError` (4864).
package func keyedArchiveError(_ description: String) -> any Error {
    CoreDataErrors.cocoaError(
        .coderReadCorrupt, message: "The archive could not be read: \(description)", reason: description,
        userInfo: [NSDebugDescriptionErrorKey: description])
}

/// The error of a value that can't be archived: `NSCoderInvalidValueError` (4866).
func archivingError(_ reason: String) -> any Error {
    CoreDataErrors.cocoaError(
        .coderInvalidValue, message: "The value can't be archived: \(reason).", reason: reason,
        userInfo: [NSDebugDescriptionErrorKey: reason])
}

/// The number of values that may still be decoded from one archive.
///
/// Archived values share parts, so the decoded values of a small file could need more memory than any machine has. All
/// decoders of one archive share one budget. It must not be used on several threads at the same time.
package final class KeyedArchiveBudget {
    private var remaining: Int

    package init(values: Int = 2_000_000) {
        remaining = values
    }

    package func spend(_ count: Int = 1) throws {
        remaining -= count
        guard remaining >= 0 else { throw keyedArchiveError("it has too many values") }
    }
}
