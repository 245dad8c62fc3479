/// A function that expressions may call.
struct LibraryFunction: Sendable {
    let argumentCount: Int
    let body: @Sendable ([Any?]) -> Any?

    func takes(_ count: Int) -> Bool { count == argumentCount }
}

/// The functions that expressions may call, by their names as selectors. A missing argument gives a missing result.
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

    /// What a function gives for arguments, as many as it takes; for those who call one outside an expression.
    package static func value(of name: String, _ arguments: [Any?]) -> Any? {
        functions[name]?.body(arguments)
    }

    /// True if there is a function of that name with that many arguments; others stop the program.
    package static func accepts(_ name: String, argumentCount: Int) -> Bool {
        functions[name]?.takes(argumentCount) ?? false
    }

    /// What a function that gathers a collection gives for these values.
    package static func gather(_ name: String, _ values: [Any]) -> Any? {
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

    /// A function of a collection; a missing one is empty, a single value a collection of one.
    static func collection(_ body: @escaping @Sendable ([Any]) -> Any?) -> LibraryFunction {
        LibraryFunction(argumentCount: 1) { arguments in
            guard let value = Values.unwrap(arguments[0]) else { return body([]) }
            return body((Values.elements(of: value) ?? [value]).compactMap(Values.unwrap))
        }
    }
}
