/// How strings are compared, in memory and in SQL alike: the SQL store's functions call these too.
///
/// Strings are equal if their UTF-8 bytes are, after folding as the options say; order is that of the bytes, as in
/// SQLite.
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

    /// The order of two strings after folding.
    package static func order(_ one: String, _ two: String, _ options: Options) -> ComparisonResult {
        order(fold(one, options), fold(two, options))
    }

    /// True if both strings are equal under the options.
    package static func equal(_ one: String, _ two: String, _ options: Options) -> Bool {
        folded(one, two, options) { one, two, folding in
            one.count == two.count && matches(two, in: one, at: 0, folding)
        }
    }

    /// True if the string begins with the other under the options; every string begins with the empty one.
    package static func begins(_ string: String, with prefix: String, _ options: Options) -> Bool {
        folded(string, prefix, options) { string, prefix, folding in
            string.count >= prefix.count && matches(prefix, in: string, at: 0, folding)
        }
    }

    /// True if the string ends with the other under the options.
    package static func ends(_ string: String, with suffix: String, _ options: Options) -> Bool {
        folded(string, suffix, options) { string, suffix, folding in
            string.count >= suffix.count && matches(suffix, in: string, at: string.count - suffix.count, folding)
        }
    }

    /// True if the string holds the other under the options.
    package static func contains(_ string: String, _ part: String, _ options: Options) -> Bool {
        folded(string, part, options) { string, part, folding in
            guard string.count >= part.count else { return false }
            for start in 0...(string.count - part.count) where matches(part, in: string, at: start, folding) {
                return true
            }
            return false
        }
    }

    /// Gives the bytes of both strings to the body, folded but for the case of plain ASCII, which the body folds as it
    /// compares: most strings are ASCII and then nothing is allocated.
    static func folded<Result>(
        _ one: String, _ two: String, _ options: Options,
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>, _ foldsCase: Bool) -> Result
    ) -> Result {
        var one = one
        var two = two
        let folds = !options.contains(.normalized) && !options.isEmpty
        if folds, options.contains(.localeSensitive) || !isASCII(one) || !isASCII(two) {
            one = fold(one, options)
            two = fold(two, options)
            return one.withUTF8 { first in two.withUTF8 { second in body(first, second, false) } }
        }
        let foldsCase = folds && options.contains(.caseInsensitive)
        return one.withUTF8 { first in two.withUTF8 { second in body(first, second, foldsCase) } }
    }

    /// True if `part` stands in `string` at `start`, which must leave room for it.
    private static func matches(
        _ part: UnsafeBufferPointer<UInt8>, in string: UnsafeBufferPointer<UInt8>, at start: Int, _ foldsCase: Bool
    ) -> Bool {
        if part.isEmpty { return true }
        guard foldsCase else { return memcmp(string.baseAddress! + start, part.baseAddress!, part.count) == 0 }
        for index in part.indices where lowercase(string[start + index]) != lowercase(part[index]) {
            return false
        }
        return true
    }

    @inline(__always)
    static func lowercase(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}
