// SPDX-License-Identifier: Apache-2.0

/// Decodes archived values of Foundation's classes: strings, numbers, dates, data, UUIDs, URLs, decimal numbers, and
/// collections of these.
package struct KeyedArchiveFoundationDecoder {
    private static let depthLimit = 64

    private let budget: KeyedArchiveBudget

    private init(_ budget: KeyedArchiveBudget) {
        self.budget = budget
    }

    /// Decodes a value; nil for nil.
    ///
    /// - Throws: `KeyedArchiveUnknownClass` for an object of another class.
    static func decode(_ value: KeyedArchiveValue, budget: KeyedArchiveBudget = KeyedArchiveBudget()) throws
        -> Any?
    {
        try KeyedArchiveFoundationDecoder(budget).decode(value, depth: 0)
    }

    /// Decodes a value; nil for nil. A value with objects of other classes is preserved as an `UndecodedArchiveValue`.
    package static func decodeOrPreserve(
        _ value: KeyedArchiveValue, budget: KeyedArchiveBudget = KeyedArchiveBudget()
    ) throws -> Any? {
        do {
            return try decode(value, budget: budget)
        } catch let unknown as KeyedArchiveUnknownClass {
            guard let object = value.object else { throw keyedArchiveError(unknown.description) }
            return try UndecodedArchiveValue(object, budget: budget)
        }
    }

    private func decode(_ value: KeyedArchiveValue, depth: Int) throws -> Any? {
        guard depth < Self.depthLimit else {
            throw keyedArchiveError("a value has more than \(Self.depthLimit) levels, or contains itself")
        }
        try budget.spend()
        switch value {
        case .none: return nil
        case .plain(let raw): return try decode(raw)
        case .object(let object): return try decode(object, depth: depth + 1)
        }
    }

    private func decode(_ raw: PropertyListValue) throws -> Any? {
        switch raw {
        case .uid, .array, .set, .dictionary:
            throw keyedArchiveError("a value was expected, not a collection of the property list")
        default:
            return raw.foundationValue
        }
    }

    private func decode(_ object: KeyedArchiveObject, depth: Int) throws -> Any? {
        let name = object.className
        if KeyedArchiveObject.arrayClasses.contains(name) {
            return try collection(object, depth)
        }
        if KeyedArchiveObject.setClasses.contains(name) {
            return NSSet(array: try collection(object, depth))
        }
        if KeyedArchiveObject.orderedSetClasses.contains(name) {
            return NSOrderedSet(array: try collection(object, depth))
        }
        if KeyedArchiveObject.dictionaryClasses.contains(name) {
            return try dictionary(object, depth)
        }
        switch name {
        case "NSDate", "__NSDate", "__NSTaggedDate":
            guard let seconds = object.contents["NS.time"]?.realValue else {
                throw object.typeMismatch("NS.time", "a real")
            }
            return Date(timeIntervalSinceReferenceDate: seconds)
        case "NSData", "NSMutableData":
            guard case .plain(.data(let data)) = try object.value("NS.data") else {
                throw object.typeMismatch("NS.data", "data")
            }
            return data
        case "NSUUID", "__NSConcreteUUID":
            guard let bytes = object.contents["NS.uuidbytes"]?.dataValue, bytes.count == 16 else {
                throw object.typeMismatch("NS.uuidbytes", "16 bytes")
            }
            return (NSUUID(uuidBytes: [UInt8](bytes)) as NSUUID) as UUID
        case "NSURL":
            return try url(object, depth)
        case let name where ArchivedDecimal.classes.contains(name):
            return HashableDecimalNumber(decimal: try ArchivedDecimal.decode(object))
        case "NSNull":
            return NSNull()
        case "NSNumber":
            for key in ["NS.boolval", "NS.intval", "NS.dblval", "NS.number"] {
                if let raw = object.contents[key] { return try decode(raw) }
            }
            throw object.typeMismatch("NS.intval", "a number")
        default:
            throw KeyedArchiveUnknownClass(name: name)
        }
    }

    private func collection(_ object: KeyedArchiveObject, _ depth: Int) throws -> [Any] {
        var values: [Any] = []
        for element in try object.elements() { values.append(try decode(element, depth: depth) ?? NSNull()) }
        return values
    }

    private func dictionary(_ object: KeyedArchiveObject, _ depth: Int) throws -> [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        for pair in try object.pairs() {
            guard let key = try decode(pair.key, depth: depth) as? AnyHashable else {
                throw keyedArchiveError("a key of a dictionary is nil")
            }
            result[key] = try decode(pair.value, depth: depth) ?? NSNull()
        }
        return result
    }

    private func url(_ object: KeyedArchiveObject, _ depth: Int) throws -> URL {
        let base = try decode(object.value("NS.base"), depth: depth) as? URL
        guard let text = try object.string("NS.relative"), let url = URL(string: text, relativeTo: base) else {
            throw object.typeMismatch("NS.relative", "a URL")
        }
        return url
    }
}
