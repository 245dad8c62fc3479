extension FunctionLibrary {
    /// Functions that gather a collection.
    static let statistics: [String: LibraryFunction] = [
        "count:": LibraryFunction(argumentCount: 1) { arguments in
            guard let value = Values.unwrap(arguments[0]) else { return NSNumber(value: 0) }
            return NSNumber(value: Values.elements(of: value)?.count ?? 1)
        },
        "sum:": collection { Numbers.sum($0) },
        "average:": collection { Numbers.average($0) },
        "min:": collection { Values.extreme(of: $0, .orderedAscending) },
        "max:": collection { Values.extreme(of: $0, .orderedDescending) },
        "median:": collection(median),
        "mode:": collection(mode),
        "stddev:": collection(standardDeviation),
    ]

    private static func doubles(_ values: [Any]) -> [Double] {
        values.compactMap { Numbers.number($0)?.doubleValue }
    }

    @Sendable private static func median(_ values: [Any]) -> Any? {
        let sorted = doubles(values).sorted()
        guard !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        let value = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        return NSNumber(value: value)
    }

    /// The values that occur most often, in rising order.
    @Sendable private static func mode(_ values: [Any]) -> Any? {
        var counts: [Double: Int] = [:]
        for value in doubles(values) { counts[value, default: 0] += 1 }
        let most = counts.values.max()
        return counts.filter { $0.value == most }.keys.sorted().map { NSNumber(value: $0) } as NSArray
    }

    /// The standard deviation of the whole population.
    @Sendable private static func standardDeviation(_ values: [Any]) -> Any? {
        let numbers = doubles(values)
        guard !numbers.isEmpty else { return nil }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
        return NSNumber(value: variance.squareRoot())
    }
}
