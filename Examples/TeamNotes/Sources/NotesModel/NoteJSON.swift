import CoreData

/// JSON as the app and the server write it. Dates are milliseconds: which version of a note is newer must not depend on
/// the digits of a fraction.
public enum NoteJSON {
    public static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        return try decoder.decode(type, from: data)
    }

    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(milliseconds(date))
        }
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    /// Dates of years with four digits. Others would have no milliseconds in 64 bits, or no text.
    static let dates = Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 253_402_300_800)

    static func milliseconds(_ date: Date) -> Int64 {
        let date = min(max(date, Date(timeIntervalSince1970: -1e12)), Date(timeIntervalSince1970: 1e12))
        return Int64((date.timeIntervalSince1970 * 1000).rounded())
    }
}
