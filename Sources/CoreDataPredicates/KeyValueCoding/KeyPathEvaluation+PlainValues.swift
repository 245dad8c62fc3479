// SPDX-License-Identifier: Apache-2.0

extension KeyPathEvaluation {
    /// The property of a number, date, UUID, URL or data for a key, as Foundation's classes name it.
    ///
    /// - Returns: nil if the class has no such property.
    static func property(_ key: String, of value: Any) -> Any?? {
        if let number = Numbers.number(value) { return property(key, of: number) }
        switch value {
        case let date as Date: return property(key, of: date)
        case let uuid as UUID: return key == "UUIDString" ? .some(uuid.uuidString) : nil
        case let url as URL: return property(key, of: url)
        case let data as Data: return key == "length" ? .some(NSNumber(value: data.count)) : nil
        default: return nil
        }
    }

    private static func property(_ key: String, of number: NSNumber) -> Any?? {
        switch key {
        case "stringValue": return .some(number.stringValue)
        case "doubleValue", "floatValue": return .some(NSNumber(value: number.doubleValue))
        case "boolValue": return .some(NSNumber(value: number.boolValue))
        case "decimalValue": return .some(HashableDecimalNumber(decimal: number.decimalOrNaN))
        case "intValue", "integerValue", "longLongValue":
            if !Numbers.isReal(number) { return .some(NSNumber(value: number.int64Value)) }
            // Reals outside the range of Int64 have no integer value.
            return .some(Int64(exactly: number.doubleValue.rounded(.towardZero)).map { NSNumber(value: $0) })
        default: return nil
        }
    }

    private static func property(_ key: String, of date: Date) -> Any?? {
        switch key {
        case "timeIntervalSinceReferenceDate": return .some(NSNumber(value: date.timeIntervalSinceReferenceDate))
        case "timeIntervalSince1970": return .some(NSNumber(value: date.timeIntervalSince1970))
        case "timeIntervalSinceNow": return .some(NSNumber(value: date.timeIntervalSinceNow))
        default: return nil
        }
    }

    private static func property(_ key: String, of url: URL) -> Any?? {
        switch key {
        case "absoluteString": return .some(url.absoluteString)
        case "scheme": return .some(url.scheme)
        case "host": return .some(url.host)
        case "path": return .some(url.path)
        case "query": return .some(url.query)
        case "fragment": return .some(url.fragment)
        case "lastPathComponent": return .some(url.lastPathComponent)
        case "pathExtension": return .some(url.pathExtension)
        default: return nil
        }
    }
}
