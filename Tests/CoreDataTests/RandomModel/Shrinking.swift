import CoreData

/// Removes the operations from a failing list that the failure doesn't need.
struct Shrinking {
    let deadline: Date
    /// The failure of a list, nil if it passes.
    let failure: ([RandomOperation]) -> String?

    func shrink(_ operations: [RandomOperation]) -> (operations: [RandomOperation], failure: String?) {
        var best = operations
        var message = failure(operations)
        guard message != nil else { return (operations, nil) }
        var size = max(best.count / 2, 1)
        while Date() < deadline {
            var start = 0
            var hasShrunk = false
            while start < best.count && Date() < deadline {
                let candidate = Array(best[..<start] + best[min(start + size, best.count)...])
                if let found = failure(candidate) {
                    (best, message, hasShrunk) = (candidate, found, true)
                } else {
                    start += size
                }
            }
            if size == 1 && !hasShrunk { break }
            size = max(size / 2, 1)
        }
        return (best, message)
    }
}
