// SPDX-License-Identifier: Apache-2.0

/// The comparison of strings, in memory and in SQL: the functions of the SQL store call these functions too.
///
/// The options say how strings are folded. Strings are equal if their UTF-8 bytes are equal after folding. The order is
/// the order of the bytes, as in SQLite.
package enum Strings {
    package typealias Options = NSComparisonPredicate.Options

    /// The order of two strings by their UTF-8 bytes, as SQLite's BINARY.
    static func order(_ one: String, _ two: String) -> ComparisonResult {
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

    /// True if the string contains the other under the options.
    package static func contains(_ string: String, _ part: String, _ options: Options) -> Bool {
        folded(string, part, options) { string, part, folding in
            guard string.count >= part.count else { return false }
            for start in 0...(string.count - part.count) where matches(part, in: string, at: start, folding) {
                return true
            }
            return false
        }
    }

    /// Calls the body with the folded bytes of both strings.
    ///
    /// The body itself folds the case of ASCII strings as it compares. Most strings are ASCII, and for these nothing is
    /// allocated.
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

    /// True if `string` contains `part` at `start`. The caller checks that `part` fits.
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

extension Strings {
    /// The string without the case and the diacritics that the options ignore. Strings are equal under the options if
    /// their folded forms are equal.
    package static func fold(_ string: String, _ options: Options) -> String {
        guard !options.contains(.normalized), !options.isEmpty else { return string }
        if !options.contains(.localeSensitive), isASCII(string) {
            return options.contains(.caseInsensitive) ? string.lowercased() : string
        }
        var folding: String.CompareOptions = []
        if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
        guard !folding.isEmpty else { return string }
        return string.folding(options: folding, locale: options.contains(.localeSensitive) ? .current : nil)
    }

    static func isASCII(_ string: String) -> Bool {
        string.utf8.allSatisfy { $0 < 0x80 }
    }
}
