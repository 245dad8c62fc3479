// SPDX-License-Identifier: Apache-2.0

/// The order keys of an ordered relationship: they increase from member to member, with gaps for new members.
enum OrderKeys {
    static let first: Int64 = 2048
    static let step: Int64 = 1024
    /// The gap that members get at least when their neighbours make room for them: with less, the next members at the
    /// same place would soon move the neighbours again.
    private static let smallestGap: Int64 = 32

    /// The keys of members in a new order. As many members as possible retain their keys. Where the gap between two of
    /// them is too small, the members near to it get other keys: first few, then more and more until there is room.
    ///
    /// - Parameter stored: the stored key of each member; nil for a new member.
    /// - Returns: increasing, non-negative keys.
    static func assign(_ stored: [Int64?]) -> [Int64] {
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
            var width = 0
            while true {
                let lower = start > 0 ? result[start - 1] : nil
                let upper = end < stored.count ? stored[end]! : nil
                if let keys = between(lower, upper, Int64(end - start), gap: width > 0 ? smallestGap : 1) {
                    result.replaceSubrange(start..<end, with: keys)
                    break
                }
                if start == 0 && end == stored.count { return renumbered(stored.count) }
                width = max(1, width * 2)
                start = max(0, start - width)
                end = min(stored.count, end + width)
                while end < stored.count && !retained[end] { end += 1 }
            }
            start = end
        }
        return result
    }

    /// Keys for `count` members between two keys, nil if the gaps between them would be smaller than `smallest`.
    static func between(_ lower: Int64?, _ upper: Int64?, _ count: Int64, gap smallest: Int64 = 1) -> [Int64]? {
        switch (lower, upper) {
        case (nil, nil):
            return (0..<count).map { first + $0 * step }
        case (let lower?, nil):
            guard lower >= 0, lower < Int64.max - (count + 1) * step else { return nil }
            return (1...count).map { lower + $0 * step }
        case (nil, let upper?):
            let lowest = upper - count * step
            if lowest >= 0 { return (0..<count).map { lowest + $0 * step } }
            let gap = upper / (count + 1)
            return gap >= smallest ? (1...count).map { $0 * gap } : nil
        case (let lower?, let upper?):
            // Keys that another program has written may be in any order, and of any size.
            guard upper > lower, lower >= 0 else { return nil }
            let gap = (upper - lower) / (count + 1)
            return gap >= smallest ? (1...count).map { lower + $0 * gap } : nil
        }
    }

    private static func renumbered(_ count: Int) -> [Int64] { (0..<Int64(count)).map { first + $0 * step } }

    /// For each member, whether it keeps its key: the members of a longest increasing subsequence do.
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
