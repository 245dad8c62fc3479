// SPDX-License-Identifier: Apache-2.0

/// Keyed archives of Foundation's plain values and collections, decoded without Foundation's unarchiver.
///
/// Foundation's unarchiver on Linux stops the program at some damaged archives. This one throws.
package struct PlainArchive {
    /// The classes that are decoded here.
    private static let classes = ArchivedDecimal.classes.union([
        "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSOrderedSet",
        "NSMutableOrderedSet", "NSString", "NSMutableString", "NSNumber", "NSDate", "NSData", "NSMutableData", "NSURL",
        "NSUUID", "NSNull",
    ])

    /// Each object is decoded once, so that references to one object give one object.
    private var decoded: [Int: NSObject] = [:]

    /// The root object of an archive; nil if objects of other classes are in the archive, which only Foundation's
    /// unarchiver can decode.
    ///
    /// - Parameter archive: an archive whose nesting was checked.
    /// - Throws: `NSCoderReadCorruptError` (4864) for an archive without a root object, and for objects that lack
    ///   values or have values of other types.
    package static func root(of archive: KeyedArchiveReader) throws -> NSObject? {
        for object in archive.objects {
            guard let name = object.dictionaryValue?["$classname"]?.stringValue else { continue }
            if !classes.contains(name) { return nil }
        }
        var decoder = PlainArchive()
        return try decoder.object(try archive.value(archive.top[NSKeyedArchiveRootObjectKey]))
    }

    private mutating func object(_ value: KeyedArchiveValue) throws -> NSObject {
        switch value {
        case .none: throw keyedArchiveError("a value is missing")
        case .plain(let raw): return try Self.object(raw)
        case .object(let object):
            if let known = decoded[object.index] { return known }
            let result = try self.object(object)
            decoded[object.index] = result
            return result
        }
    }

    private static func object(_ raw: PropertyListValue) throws -> NSObject {
        switch raw {
        case .uid, .array, .set, .dictionary:
            throw keyedArchiveError("a value was expected, not a collection of the property list")
        default: break
        }
        switch raw.foundationValue {
        case let string as String: return NSString(string: string)
        case let data as Data: return NSData(data: data)
        case let date as Date: return NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let object as NSObject: return object
        default: throw keyedArchiveError("a value of the property list is no object")
        }
    }

    private mutating func object(_ object: KeyedArchiveObject) throws -> NSObject {
        switch object.className {
        case "NSArray": return NSArray(array: try elements(object))
        case "NSMutableArray": return NSMutableArray(array: try elements(object))
        case "NSSet": return NSSet(array: try elements(object))
        case "NSMutableSet": return NSMutableSet(array: try elements(object))
        case "NSOrderedSet": return NSOrderedSet(array: try elements(object))
        case "NSMutableOrderedSet": return NSMutableOrderedSet(array: try elements(object))
        case "NSDictionary": return NSDictionary(dictionary: try pairs(object))
        case "NSMutableDictionary": return NSMutableDictionary(dictionary: try pairs(object))
        case "NSString": return NSString(string: try object.requiredString("NS.string"))
        case "NSMutableString": return NSMutableString(string: try object.requiredString("NS.string"))
        case "NSData": return NSData(data: try data(object))
        case "NSMutableData": return NSMutableData(data: try data(object))
        case let name where ArchivedDecimal.classes.contains(name):
            return HashableDecimalNumber(decimal: try ArchivedDecimal.decode(object))
        default:
            // Dates, UUIDs, URLs, numbers and null.
            switch try KeyedArchiveFoundationDecoder.decode(.object(object)) {
            case let date as Date: return NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
            case let uuid as UUID: return uuid as NSUUID
            case let url as URL: return url as NSURL
            case let value as NSObject: return value
            default:
                throw keyedArchiveError("the \(object.className) (object \(object.index)) has no value")
            }
        }
    }

    private mutating func elements(_ object: KeyedArchiveObject) throws -> [NSObject] {
        var result: [NSObject] = []
        for element in try object.elements() { result.append(try self.object(element)) }
        return result
    }

    private mutating func pairs(_ object: KeyedArchiveObject) throws -> [NSObject: NSObject] {
        var result: [NSObject: NSObject] = [:]
        for pair in try object.pairs() { result[try self.object(pair.key)] = try self.object(pair.value) }
        return result
    }

    private func data(_ object: KeyedArchiveObject) throws -> Data {
        guard let data = object.contents["NS.data"]?.dataValue else {
            throw object.typeMismatch("NS.data", "data")
        }
        return data
    }
}
