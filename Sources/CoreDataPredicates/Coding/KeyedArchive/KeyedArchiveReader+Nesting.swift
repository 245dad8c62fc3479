extension KeyedArchiveReader {
    /// How deep objects may hold others: Foundation decodes them recursively, on threads whose stacks may be small.
    package static let nestingLimit = 100

    /// Refuses what would overflow the stack of Foundation's unarchiver on Linux: objects that hold themselves,
    /// directly or through others, and deep nesting.
    ///
    /// Looks at every reference, whatever classes the objects are of.
    ///
    /// - Throws: `NSCoderReadCorruptError` (4864).
    package func checkNesting() throws {
        enum Visit {
            case none, open
            /// How many levels are below the object.
            case closed(Int)
        }
        var visits = [Visit](repeating: .none, count: objects.count)
        var waiting = top.entries.flatMap { Self.references(in: $0.value) }.filter(objects.indices.contains)
        while let index = waiting.last {
            switch visits[index] {
            case .closed:
                waiting.removeLast()
            case .none:
                visits[index] = .open
                for member in Self.references(in: objects[index]) where objects.indices.contains(member) {
                    switch visits[member] {
                    case .none: waiting.append(member)
                    case .open: throw keyedArchiveError("object \(member) holds itself")
                    case .closed: break
                    }
                }
            case .open:
                waiting.removeLast()
                var height = 0
                for member in Self.references(in: objects[index]) where objects.indices.contains(member) {
                    if case .closed(let below) = visits[member] { height = max(height, below + 1) }
                }
                guard height <= Self.nestingLimit else {
                    throw keyedArchiveError("its objects are nested deeper than \(Self.nestingLimit) levels")
                }
                visits[index] = .closed(height)
            }
        }
    }

    private static func references(in value: PropertyListValue) -> [Int] {
        switch value {
        case .uid(let index): [index]
        case .array(let values), .set(let values): values.flatMap(references)
        case .dictionary(let dictionary): dictionary.entries.flatMap { references(in: $0.value) }
        default: []
        }
    }
}
