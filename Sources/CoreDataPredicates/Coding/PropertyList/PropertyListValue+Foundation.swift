extension PropertyListValue {
    /// The value as metadata has it: numbers as `NSNumber`, the rest as Swift's values; `nil` for what only keyed
    /// archives hold.
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
