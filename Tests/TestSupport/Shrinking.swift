import Foundation

/// Removes the steps from a failing sequence that the failure doesn't need.
public struct Shrinking<Step> {
    let deadline: Date
    /// The failure of a sequence, nil if it passes.
    let failure: ([Step]) -> String?

    public init(deadline: Date, failure: @escaping ([Step]) -> String?) {
        self.deadline = deadline
        self.failure = failure
    }

    /// The fewest steps that still fail, and their failure; nil if the steps pass when they are repeated.
    public func shrink(_ steps: [Step]) -> (steps: [Step], failure: String?) {
        var best = steps
        var message = failure(steps)
        guard message != nil else { return (steps, nil) }
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
