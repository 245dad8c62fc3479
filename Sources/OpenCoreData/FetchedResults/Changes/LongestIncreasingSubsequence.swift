// SPDX-License-Identifier: Apache-2.0

/// Finds the elements of an edited list that count as unmoved, so that as few elements as possible count as moved.
///
/// Fixed elements divide the list. An element is unmoved if it is still between the same fixed elements, and belongs to
/// the longest increasing subsequence of the old positions there.
struct LongestIncreasingSubsequence {
    struct Candidate {
        let old: Int
        /// The number of fixed elements before it in the old and the new list.
        let oldFixedCount: Int
        let newFixedCount: Int
    }

    /// - Parameter candidates: in their new order; nil for elements that count as moved in any case.
    /// - Returns: for each candidate, whether it is unmoved.
    static func unmoved(_ candidates: [Candidate?]) -> [Bool] {
        var isUnmoved = [Bool](repeating: false, count: candidates.count)
        var group: [(index: Int, old: Int)] = []
        var fixedCount = -1
        func endGroup() {
            for index in longestIncreasing(group) { isUnmoved[index] = true }
            group.removeAll(keepingCapacity: true)
        }
        for (index, candidate) in candidates.enumerated() {
            guard let candidate, candidate.oldFixedCount == candidate.newFixedCount else { continue }
            if candidate.newFixedCount != fixedCount {
                endGroup()
                fixedCount = candidate.newFixedCount
            }
            group.append((index, candidate.old))
        }
        endGroup()
        return isUnmoved
    }

    /// The indexes of a longest increasing subsequence, by patience sorting in O(n log n).
    private static func longestIncreasing(_ list: [(index: Int, old: Int)]) -> [Int] {
        if zip(list, list.dropFirst()).allSatisfy({ $0.old < $1.old }) { return list.map(\.index) }
        // For each length: the position of the smallest last element of an increasing subsequence of that length.
        var lastElements: [Int] = []
        var predecessors = [Int](repeating: -1, count: list.count)
        for position in list.indices {
            var low = 0
            var high = lastElements.count
            while low < high {
                let middle = (low + high) / 2
                if list[lastElements[middle]].old < list[position].old { low = middle + 1 } else { high = middle }
            }
            if low > 0 { predecessors[position] = lastElements[low - 1] }
            if low == lastElements.count { lastElements.append(position) } else { lastElements[low] = position }
        }
        var result: [Int] = []
        var position = lastElements.last ?? -1
        while position >= 0 {
            result.append(list[position].index)
            position = predecessors[position]
        }
        return result
    }
}
