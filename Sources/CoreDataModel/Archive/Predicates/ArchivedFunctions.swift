/// The functions of Apple's library, as selectors: an archive may name any method, and only these may be called.
enum ArchivedFunctions {
    static let names: Set<String> = [
        "average:", "sum:", "count:", "min:", "max:", "median:", "mode:", "stddev:", "add:to:",
        "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "sqrt:", "log:", "ln:",
        "raise:toPower:", "exp:", "floor:", "ceiling:", "abs:", "trunc:", "uppercase:", "lowercase:",
        "random", "randomn:", "now", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:",
        "leftshift:by:", "rightshift:by:", "onesComplement:", "noindex:",
        "distanceToLocation:fromLocation:", "length:", "castObject:toType:", "objectFrom:withIndex:",
        "canonical:",
    ]

    /// Whether there is such a function with so many arguments: as many as its selector has colons.
    static func accept(_ selector: String, argumentCount: Int) -> Bool {
        names.contains(selector) && argumentCount == selector.count(where: { $0 == ":" })
    }
}
