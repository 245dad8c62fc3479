/// Which rows a context reads.
enum QueryPin {
    /// The newest.
    case none
    /// Those that are the newest when it reads next, and from then on the same.
    case current
    case generation(QueryGeneration)

    var isNone: Bool {
        if case .none = self { true } else { false }
    }

    /// A pinned context is to be pinned anew.
    mutating func loosen() {
        if case .generation = self { self = .current }
    }
}
