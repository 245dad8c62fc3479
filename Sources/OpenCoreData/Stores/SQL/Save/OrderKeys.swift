/// The keys that keep an ordered relationship in order: increasing along the content, with room between them.
enum OrderKeys {
    static let first: Int64 = 2048
    static let step: Int64 = 1024

    /// New keys for a content, keeping as many of the present ones as the order allows.
    ///
    /// - Parameter present: the present key of each member in the new order, nil for a new member.
    /// - Returns: increasing, non-negative keys.
    static func assign(_ present: [Int64?]) -> [Int64] {
        let kept = longestIncreasing(present)
        var result = [Int64](repeating: 0, count: present.count)
        var start = 0
        while start < present.count {
            if kept[start] {
                result[start] = present[start]!
                start += 1
                continue
            }
            var end = start
            while end < present.count && !kept[end] { end += 1 }
            let count = Int64(end - start)
            let lower = start > 0 ? result[start - 1] : nil
            let upper = end < present.count ? present[end]! : nil
            guard let keys = between(lower, upper, count) else { return renumbered(present.count) }
            for (offset, key) in keys.enumerated() { result[start + offset] = key }
            start = end
        }
        return result
    }

    /// Keys for `count` members between two keys, nil if there is no room.
    private static func between(_ lower: Int64?, _ upper: Int64?, _ count: Int64) -> [Int64]? {
        switch (lower, upper) {
        case (nil, nil):
            return (0..<count).map { first + $0 * step }
        case (let lower?, nil):
            guard lower < Int64.max - (count + 1) * step else { return nil }
            return (1...count).map { lower + $0 * step }
        case (nil, let upper?):
            let lowest = upper - count * step
            if lowest >= 0 { return (0..<count).map { lowest + $0 * step } }
            let gap = upper / (count + 1)
            return gap > 0 ? (1...count).map { $0 * gap } : nil
        case (let lower?, let upper?):
            let gap = (upper - lower) / (count + 1)
            return gap > 0 ? (1...count).map { lower + $0 * gap } : nil
        }
    }

    private static func renumbered(_ count: Int) -> [Int64] { (0..<Int64(count)).map { first + $0 * step } }

    /// Which members keep their keys: a longest run of increasing keys.
    private static func longestIncreasing(_ present: [Int64?]) -> [Bool] {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: present.count)
        for (index, key) in present.enumerated() {
            guard let key, key >= 0 else { continue }
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if present[tails[middle]]! < key { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var kept = [Bool](repeating: false, count: present.count)
        var index = tails.last ?? -1
        while index >= 0 {
            kept[index] = true
            index = previous[index]
        }
        return kept
    }
}
