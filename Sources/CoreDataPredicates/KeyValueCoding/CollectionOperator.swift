/// The operators of key paths that gather a collection into one value.
enum CollectionOperator: String {
    case count, sum, avg, min, max
    case unionOfObjects, distinctUnionOfObjects
    case unionOfArrays, distinctUnionOfArrays
    case unionOfSets, distinctUnionOfSets

    /// The gathered value of `elements`, each seen through the rest of the path. Null counts for nothing.
    func value(of elements: [Any], path: ArraySlice<String>) -> Any? {
        if self == .count { return NSNumber(value: elements.count) }
        let values = path.isEmpty ? elements : elements.compactMap { KeyPathWalk.value(of: $0, path: path) }
        let present = values.compactMap(Values.unwrap)
        switch self {
        case .count: return NSNumber(value: elements.count)
        case .sum: return Numbers.sum(present)
        case .avg: return Numbers.average(present)
        case .min: return Values.extreme(of: present, .orderedAscending)
        case .max: return Values.extreme(of: present, .orderedDescending)
        case .unionOfObjects: return present as NSArray
        case .distinctUnionOfObjects: return Values.distinct(present) as NSArray
        case .unionOfArrays: return present.flatMap { Values.elements(of: $0) ?? [$0] } as NSArray
        case .distinctUnionOfArrays:
            return Values.distinct(present.flatMap { Values.elements(of: $0) ?? [$0] }) as NSArray
        case .unionOfSets, .distinctUnionOfSets:
            return NSSet(array: Values.distinct(present.flatMap { Values.elements(of: $0) ?? [$0] }))
        }
    }
}
