// SPDX-License-Identifier: Apache-2.0

/// The comparison methods of sort descriptors. A missing value (`NSNull`) comes first, as in SQLite.
package enum SortComparison {
    /// The names of the methods.
    static let methods = [
        "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
        "localizedStandardCompare:",
    ]

    /// The order of two values by the method of the given name.
    package static func comparator(named selector: Selector) -> Comparator {
        switch selector.name {
        case "compare:":
            return natural
        case "caseInsensitiveCompare:":
            return strings { Strings.order(Strings.fold($0, [.caseInsensitive]), Strings.fold($1, [.caseInsensitive])) }
        case "localizedCompare:":
            return strings { ($0 as NSString).localizedCompare($1) }
        case "localizedCaseInsensitiveCompare:":
            return strings { ($0 as NSString).localizedCaseInsensitiveCompare($1) }
        case "localizedStandardCompare:":
            return strings { ($0 as NSString).localizedStandardCompare($1) }
        default:
            programmingError(
                """
                NSSortDescriptor can't sort by the method "\(selector)". Use compare:, caseInsensitiveCompare:, \
                localizedCompare:, localizedCaseInsensitiveCompare:, localizedStandardCompare: or a comparator block.
                """)
        }
    }

    /// The natural order of two values. Values that can't be compared are equal.
    static func natural(_ one: Any, _ two: Any) -> ComparisonResult {
        missing(one, two) ?? Values.order(one, two) ?? .orderedSame
    }

    private static func strings(_ order: @escaping (String, String) -> ComparisonResult) -> Comparator {
        { one, two in
            if let result = missing(one, two) { return result }
            guard let first = one as? String, let second = two as? String else { return natural(one, two) }
            return order(first, second)
        }
    }

    private static func missing(_ one: Any, _ two: Any) -> ComparisonResult? {
        switch (one is NSNull, two is NSNull) {
        case (true, true): .orderedSame
        case (true, false): .orderedAscending
        case (false, true): .orderedDescending
        case (false, false): nil
        }
    }
}
