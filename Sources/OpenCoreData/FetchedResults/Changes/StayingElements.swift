/// Which elements of an edited list have stayed, so that as few as possible count as moved.
struct StayingElements {
    struct Candidate {
        let old: Int
        /// The number of fixed elements before it, then and now.
        let oldGap: Int
        let newGap: Int
    }

    /// Whether each candidate has stayed: between the same fixed elements, and in order with those that stay beside it.
    ///
    /// - Parameter candidates: in their new order; nil for what can't stay.
    static func find(_ candidates: [Candidate?]) -> [Bool] {
        var stays = [Bool](repeating: false, count: candidates.count)
        var group: [(index: Int, old: Int)] = []
        var gap = -1
        func close() {
            for index in longestAscent(group) { stays[index] = true }
            group.removeAll(keepingCapacity: true)
        }
        for (index, candidate) in candidates.enumerated() {
            guard let candidate, candidate.oldGap == candidate.newGap else { continue }
            if candidate.newGap != gap {
                close()
                gap = candidate.newGap
            }
            group.append((index, candidate.old))
        }
        close()
        return stays
    }

    /// The indexes of a longest part of a list that ascends, by patience sorting.
    private static func longestAscent(_ list: [(index: Int, old: Int)]) -> [Int] {
        if zip(list, list.dropFirst()).allSatisfy({ $0.old < $1.old }) { return list.map(\.index) }
        // The position in the list of the least end of an ascent of each length.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: list.count)
        for position in list.indices {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if list[ends[middle]].old < list[position].old { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[position] = ends[low - 1] }
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var result: [Int] = []
        var position = ends.last ?? -1
        while position >= 0 {
            result.append(list[position].index)
            position = before[position]
        }
        return result
    }
}
