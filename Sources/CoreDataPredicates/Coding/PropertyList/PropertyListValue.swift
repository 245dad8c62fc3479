// SPDX-License-Identifier: Apache-2.0

/// A property list as a value. In contrast to Foundation's property lists, it has the references (`uid`) of keyed
/// archives and preserves the order of the entries of dictionaries.
package enum PropertyListValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`; smaller ones are always `integer`.
    case unsignedInteger(UInt64)
    /// A real stored in 8 bytes.
    case real(Double)
    /// A real stored in 4 bytes.
    case single(Float)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data(Data)
    case string(String)
    /// A reference into the `$objects` of a keyed archive.
    case uid(Int)
    case array([PropertyListValue])
    case set([PropertyListValue])
    case dictionary(PropertyListDictionary)
}

/// Texts are equal if their bytes are: a writer writes equal values once.
extension PropertyListValue {
    package static func == (left: PropertyListValue, right: PropertyListValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.unsignedInteger(let one), .unsignedInteger(let other)): one == other
        case (.real(let one), .real(let other)): one == other
        case (.single(let one), .single(let other)): one == other
        case (.date(let one), .date(let other)): one == other
        case (.data(let one), .data(let other)): one == other
        case (.string(let one), .string(let other)): ExactText(one) == ExactText(other)
        case (.uid(let one), .uid(let other)): one == other
        case (.array(let one), .array(let other)): one == other
        case (.set(let one), .set(let other)): one == other
        case (.dictionary(let one), .dictionary(let other)): one == other
        default: false
        }
    }
}

extension PropertyListValue {
    package var booleanValue: Bool? {
        switch self {
        case .boolean(let value): return value
        case .integer(let value): return value != 0
        default: return nil
        }
    }

    package var integerValue: Int64? {
        switch self {
        case .integer(let value): return value
        case .boolean(let value): return value ? 1 : 0
        case .real(let value): return Int64(exactly: value.rounded(.towardZero))
        case .single(let value): return Int64(exactly: value.rounded(.towardZero))
        default: return nil
        }
    }

    package var realValue: Double? {
        switch self {
        case .real(let value): return value
        case .single(let value): return Double(value)
        case .integer(let value): return Double(value)
        case .unsignedInteger(let value): return Double(value)
        default: return nil
        }
    }

    package var stringValue: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    package var dataValue: Data? {
        if case .data(let value) = self { return value }
        return nil
    }

    var uidValue: Int? {
        if case .uid(let value) = self { return value }
        return nil
    }

    package var arrayValue: [PropertyListValue]? {
        switch self {
        case .array(let values), .set(let values): return values
        default: return nil
        }
    }

    package var dictionaryValue: PropertyListDictionary? {
        if case .dictionary(let value) = self { return value }
        return nil
    }
}

extension PropertyListValue {
    /// The value for metadata: numbers as `NSNumber`, other values as Swift values; nil for the values that only keyed
    /// archives have.
    package var foundationValue: Any? {
        switch self {
        case .boolean(let value): return NSNumber(value: value)
        case .integer(let value): return NSNumber(value: value)
        case .unsignedInteger(let value): return NSNumber(value: value)
        case .real(let value): return NSNumber(value: value)
        case .single(let value): return NSNumber(value: value)
        case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let value): return value
        case .string(let value): return value
        case .array(let values): return values.compactMap(\.foundationValue)
        case .dictionary(let values): return values.foundationDictionary
        case .null, .uid, .set: return nil
        }
    }
}

extension PropertyListDictionary {
    package var foundationDictionary: [String: Any] {
        Dictionary(
            entries.compactMap { entry in entry.value.foundationValue.map { (entry.key, $0) } },
            uniquingKeysWith: { $1 })
    }
}
