extension Values {
    /// The values without those that equal an earlier one. Foundation's ordered sets on Linux keep equal Swift strings.
    package static func distinct(_ values: [Any]) -> [Any] {
        var buckets: [Int: [Any]] = [:]
        return values.filter { value in
            let key = bucket(of: value)
            if buckets[key]?.contains(where: { equal($0, value) }) == true { return false }
            buckets[key, default: []].append(value)
            return true
        }
    }

    /// Equal values share a bucket.
    static func bucket(of value: Any) -> Int {
        let value = (value as? any ComparableByIdentity)?.comparisonIdentity ?? value
        if let string = value as? String { return string.hashValue }
        if let number = Numbers.number(value) { return number.doubleValue.hashValue }
        if let date = value as? Date { return date.hashValue }
        if elements(of: value) != nil { return 0 }
        if let object = value as? NSObject { return object.hash }
        return (value as? AnyHashable)?.hashValue ?? 0
    }
}
