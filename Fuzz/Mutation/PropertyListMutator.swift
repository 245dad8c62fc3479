import CoreDataModel

/// Damages the values of property lists and keyed archives. The file itself remains a valid property list.
struct PropertyListMutator {
    static func mutate(_ list: PropertyListValue, other: PropertyListValue, _ random: inout SeededRandom)
        -> PropertyListValue
    {
        var result = list
        for _ in 0..<random.pick([1, 1, 1, 2, 3, 6]) {
            let foreign = part(of: random.once(in: 4) ? other : result, &random)
            result = damage(result, foreign, depth: 0, &random)
        }
        return result
    }

    private static func damage(
        _ value: PropertyListValue, _ foreign: PropertyListValue, depth: Int, _ random: inout SeededRandom
    ) -> PropertyListValue {
        // The objects of an archive are two levels deep. Damage nearer to the root makes most files unreadable.
        let stops = depth > 1 && random.once(in: 5)
        switch value {
        case .dictionary(var dictionary) where !dictionary.isEmpty && !stops:
            var key = random.pick(dictionary.keys)
            if dictionary["$objects"] != nil, !random.once(in: 20) { key = "$objects" }
            if depth > 1, random.once(in: 8) {
                dictionary[key] = nil
            } else if let child = dictionary[key] {
                dictionary[key] = damage(child, foreign, depth: depth + 1, &random)
            }
            return .dictionary(dictionary)
        case .array(var values) where !values.isEmpty && !stops:
            let index = random.number(0..<values.count)
            if depth > 1, random.once(in: 8) {
                values.remove(at: index)
            } else if depth > 1, random.once(in: 8) {
                values.insert(random.once(in: 2) ? values[index] : foreign, at: index)
            } else {
                values[index] = damage(values[index], foreign, depth: depth + 1, &random)
            }
            return .array(values)
        case .uid(let index) where !random.once(in: 6): return .uid(reference(near: index, &random))
        case .string(let text) where random.once(in: 2): return .string(otherText(text, foreign, &random))
        default: return random.once(in: 2) ? foreign : hostile(&random)
        }
    }

    private static func reference(near index: Int, _ random: inout SeededRandom) -> Int {
        switch random.number(0..<5) {
        case 0: return max(0, index + random.number(-4...4))
        case 1: return random.pick([0, 1, 2, 1_000_000, Int(Int32.max)])
        default: return random.number(0..<max(2, index + 200))
        }
    }

    private static func otherText(_ text: String, _ foreign: PropertyListValue, _ random: inout SeededRandom) -> String
    {
        if let other = foreign.stringValue, random.once(in: 2) { return other }
        var bytes = Array(text.utf8)
        bytes = ByteMutator.mutate(bytes, other: Array("NSArray NSEntityDescription $null \u{1F4A9}".utf8), &random)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hostile(_ random: inout SeededRandom) -> PropertyListValue {
        switch random.number(0..<9) {
        case 0: return .integer(random.pick([0, -1, 1, 3, 700, 2100, .max, .min, 1 << 31, 1 << 53]))
        case 1: return .unsignedInteger(.max)
        case 2: return .real(random.pick([0, .nan, .infinity, -.infinity, 1e300, -1e-300, 1e18]))
        case 3: return .date(random.pick([0, .nan, .infinity, 1e300, -1e15]))
        case 4:
            return .string(
                random.pick(["", "$null", "NSArray", "\u{0}", "a.b", String(repeating: "x", count: 70_000)]))
        case 5: return .data(Data(repeating: UInt8(random.number(0...255)), count: random.pick([0, 1, 16, 31, 5_000])))
        case 6: return random.once(in: 2) ? .boolean(true) : .null
        case 7: return .array((0..<random.pick([0, 1, 40])).map { .uid($0) })
        default: return .dictionary([:])
        }
    }

    /// Any part of a value.
    private static func part(of value: PropertyListValue, _ random: inout SeededRandom) -> PropertyListValue {
        var current = value
        for _ in 0..<random.number(1...6) {
            switch current {
            case .dictionary(let dictionary) where !dictionary.isEmpty:
                current = dictionary["$objects"] ?? dictionary[random.pick(dictionary.keys)] ?? current
            case .array(let values) where !values.isEmpty: current = random.pick(values)
            default: return current
            }
        }
        return current
    }
}
