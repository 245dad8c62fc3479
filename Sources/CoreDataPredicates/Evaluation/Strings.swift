/// How strings are compared, in memory and in SQL alike: the SQL store's functions call these too.
package enum Strings {
    package typealias Options = NSComparisonPredicate.Options

    /// The order of two strings by their UTF-8 bytes, as SQLite's BINARY.
    package static func order(_ one: String, _ two: String) -> ComparisonResult {
        var one = one
        var two = two
        return one.withUTF8 { first in
            two.withUTF8 { second in
                let shared = min(first.count, second.count)
                if shared > 0 {
                    let result = memcmp(first.baseAddress!, second.baseAddress!, shared)
                    if result != 0 { return result < 0 ? .orderedAscending : .orderedDescending }
                }
                if first.count == second.count { return .orderedSame }
                return first.count < second.count ? .orderedAscending : .orderedDescending
            }
        }
    }

    /// The string with case and diacritics taken away as the options say.
    package static func fold(_ string: String, _ options: Options) -> String {
        guard !options.contains(.normalized), !options.isEmpty else { return string }
        if !options.contains(.localeSensitive), isASCII(string) {
            return options.contains(.caseInsensitive) ? string.lowercased() : string
        }
        var folding: String.CompareOptions = []
        if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
        return string.folding(options: folding, locale: options.contains(.localeSensitive) ? .current : nil)
    }

    private static func isASCII(_ string: String) -> Bool {
        string.utf8.allSatisfy { $0 < 0x80 }
    }
}
