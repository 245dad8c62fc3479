// SPDX-License-Identifier: Apache-2.0

/// The values of attributes without a type, as JSON: texts, numbers and Booleans as they are, any other value as an
/// object with its type.
enum PostgreSQLUntyped {
    /// The document of a value; nil for a value that can't be stored.
    static func json(_ value: Any) -> String? {
        let document: Any
        switch value {
        case let text as String: document = text
        case let date as Date: document = ["date": date.timeIntervalSinceReferenceDate]
        case let data as Data: document = ["data": data.base64EncodedString()]
        case let uuid as UUID: document = ["uuid": uuid.uuidString]
        case let url as URL: document = ["url": url.absoluteString]
        case let number as NSNumber:
            if number is NSDecimalNumber {
                document = ["decimal": number.stringValue]
            } else {
                let value = number.doubleValue
                guard value.isFinite else { return nil }
                // The text of a whole number doesn't show that it is a Double. A decimal place does, and the server
                // keeps it.
                if ["d", "f"].contains(String(cString: number.objCType)), value == value.rounded() {
                    return String(format: "%.1f", value)
                }
                document = number
            }
        default: return nil
        }
        guard let data = try? JSONSerialization.data(withJSONObject: document, options: [.fragmentsAllowed]) else {
            return nil
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The value of a document; nil for a document that this store didn't write.
    static func value(_ json: String) -> Any? {
        value(of: try? JSONSerialization.jsonObject(with: Data(json.utf8), options: [.fragmentsAllowed]))
    }

    /// The value of a document that was read, or of a part of one.
    static func value(of document: Any?) -> Any? {
        switch document {
        case let object as [String: Any]:
            if let seconds = object["date"] as? NSNumber {
                return Date(timeIntervalSinceReferenceDate: seconds.doubleValue)
            }
            if let text = object["data"] as? String { return Data(base64Encoded: text) }
            if let text = object["uuid"] as? String { return UUID(uuidString: text) }
            if let text = object["url"] as? String { return URL(string: text) }
            if let text = object["decimal"] as? String { return NSDecimalNumber(string: text) }
            return nil
        case is NSNull, nil: return nil
        default: return document
        }
    }
}
