import CoreDataPredicates

/// An object with values for the keys of the sample predicates. Other keys have no value.
final class SampleObject: NSObject, KeyValueCoding {
    private let depth: Int

    /// - Parameter depth: the number of related objects in a chain.
    init(depth: Int) { self.depth = depth }

    static let toOne: Set<String> = ["friend", "owner"]
    static let toMany: Set<String> = ["parts", "friends"]

    func value(forKey key: String) -> Any? {
        if Self.toOne.contains(key) { return depth > 0 ? SampleObject(depth: depth - 1) : nil }
        if Self.toMany.contains(key) { return (0..<depth).map { SampleObject(depth: $0) } as NSArray }
        switch key {
        case "self", "SELF": return self
        case "code": return "Code \(depth)"
        case "age", "number": return NSNumber(value: depth)
        case "weight", "doubled": return NSNumber(value: Double(depth) / 3)
        case "born": return Date(timeIntervalSinceReferenceDate: Double(depth))
        case "photo": return Data([1, 2, 3])
        default: return nil
        }
    }
}
