// SPDX-License-Identifier: Apache-2.0

/// A function that expressions can call.
struct LibraryFunction: Sendable {
    let argumentCount: Int
    let body: @Sendable ([Any?]) -> Any?

    func accepts(argumentCount count: Int) -> Bool { count == argumentCount }
}

/// The functions that expressions can call, by their names as selectors. A nil argument gives a nil result.
package enum FunctionLibrary {
    static let functions: [String: LibraryFunction] =
        statistics.merging(arithmetic) { first, _ in first }
        .merging(bits) { first, _ in first }
        .merging(text) { first, _ in first }
        .merging(objects) { first, _ in first }
        .merging(coordinates) { first, _ in first }

    static func function(named name: String) -> LibraryFunction? {
        functions[name]
    }

    /// The value of a function outside an expression.
    ///
    /// - Parameters:
    ///   - name: the function's selector.
    ///   - arguments: as many arguments as the function has.
    /// - Returns: nil for an unknown function.
    package static func value(of name: String, _ arguments: [Any?]) -> Any? {
        functions[name]?.body(arguments)
    }

    /// The value of an aggregate function for these values.
    package static func aggregate(_ name: String, _ values: [Any]) -> Any? {
        function(named: name).flatMap { Values.unwrap($0.body([values])) }
    }

    /// All names, sorted.
    package static var names: [String] { functions.keys.sorted() }

    /// A function of one number.
    static func number(_ body: @escaping @Sendable (NSNumber) -> NSNumber?) -> LibraryFunction {
        LibraryFunction(argumentCount: 1) { Numbers.number($0[0]).flatMap(body) }
    }

    /// A function of two numbers.
    static func numbers(_ body: @escaping @Sendable (NSNumber, NSNumber) -> NSNumber?) -> LibraryFunction {
        LibraryFunction(argumentCount: 2) {
            guard let one = Numbers.number($0[0]), let two = Numbers.number($0[1]) else { return nil }
            return body(one, two)
        }
    }

    /// A function of a collection. Nil is an empty collection, and a single value is a collection of one element.
    static func collection(_ body: @escaping @Sendable ([Any]) -> Any?) -> LibraryFunction {
        LibraryFunction(argumentCount: 1) { arguments in
            guard let value = Values.unwrap(arguments[0]) else { return body([]) }
            return body((Values.elements(of: value) ?? [value]).compactMap(Values.unwrap))
        }
    }
}

extension FunctionLibrary {
    /// The aggregate functions: one value for a collection.
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

    /// The most frequent values, in ascending order.
    @Sendable private static func mode(_ values: [Any]) -> Any? {
        var counts: [Double: Int] = [:]
        for value in doubles(values) { counts[value, default: 0] += 1 }
        let most = counts.values.max()
        return counts.filter { $0.value == most }.keys.sorted().map { NSNumber(value: $0) } as NSArray
    }

    /// The population standard deviation.
    @Sendable private static func standardDeviation(_ values: [Any]) -> Any? {
        let numbers = doubles(values)
        guard !numbers.isEmpty else { return nil }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
        return NSNumber(value: variance.squareRoot())
    }
}
