/// The order keys of an ordered relationship: they increase from member to member, with gaps for new members.
package enum OrderKeys {
    package static let first: Int64 = 2048
    package static let step: Int64 = 1024

    /// The keys of members in a new order. As many members as possible retain their keys.
    ///
    /// - Parameter stored: the stored key of each member, nil for a new one.
    /// - Returns: increasing, non-negative keys.
    package static func assign(_ stored: [Int64?]) -> [Int64] {
        let retained = longestIncreasing(stored)
        var result = [Int64](repeating: 0, count: stored.count)
        var start = 0
        while start < stored.count {
            if retained[start] {
                result[start] = stored[start]!
                start += 1
                continue
            }
            var end = start
            while end < stored.count && !retained[end] { end += 1 }
            let count = Int64(end - start)
            let lower = start > 0 ? result[start - 1] : nil
            let upper = end < stored.count ? stored[end]! : nil
            guard let keys = between(lower, upper, count) else { return renumbered(stored.count) }
            for (offset, key) in keys.enumerated() { result[start + offset] = key }
            start = end
        }
        return result
    }

    /// Keys for `count` members between two keys, nil if the gap is too small.
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

    /// For each member, whether it retains its key: those of a longest increasing subsequence do.
    private static func longestIncreasing(_ stored: [Int64?]) -> [Bool] {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: stored.count)
        for (index, key) in stored.enumerated() {
            guard let key, key >= 0 else { continue }
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if stored[tails[middle]]! < key { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var retained = [Bool](repeating: false, count: stored.count)
        var index = tails.last ?? -1
        while index >= 0 {
            retained[index] = true
            index = previous[index]
        }
        return retained
    }
}
