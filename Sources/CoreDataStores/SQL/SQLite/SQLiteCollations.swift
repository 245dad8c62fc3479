// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// Collations for sort descriptors, one for each comparison method of strings.
///
/// | selector | collation |
/// | --- | --- |
/// | `compare:` | `BINARY` (SQLite's own) |
/// | `caseInsensitiveCompare:` | `NSCollateNoCase` |
/// | `localizedCompare:` | `NSCollateLocaleSensitive` |
/// | `localizedCaseInsensitiveCompare:` | `NSCollateLocaleSensitiveNoCase` |
/// | `localizedStandardCompare:` | `NSCollateFinderlike` |
///
/// Each collation calls the comparator that sorts in memory, so that both orders are the same.
enum SQLiteCollations {
    private static let names = [
        "caseInsensitiveCompare:": "NSCollateNoCase",
        "localizedCompare:": "NSCollateLocaleSensitive",
        "localizedCaseInsensitiveCompare:": "NSCollateLocaleSensitiveNoCase",
        "localizedStandardCompare:": "NSCollateFinderlike",
    ]

    /// The collation for a comparison method; nil if there is none.
    static func name(forSelector selector: String) -> String? {
        selector == "compare:" ? "BINARY" : names[selector]
    }

    private final class ComparatorBox {
        let comparator: Comparator
        init(_ comparator: @escaping Comparator) { self.comparator = comparator }
    }

    static func install(on connection: SQLiteConnection) throws {
        for (selector, name) in names {
            let box = ComparatorBox(SortComparison.comparator(named: Selector(selector)))
            let code = sqlite3_create_collation_v2(
                connection.handle, name, SQLITE_UTF8, Unmanaged.passRetained(box).toOpaque(),
                { context, leftCount, left, rightCount, right in
                    guard let context else { return 0 }
                    let box = Unmanaged<ComparatorBox>.fromOpaque(context).takeUnretainedValue()
                    return Int32(
                        box.comparator(
                            SQLiteCollations.text(left, leftCount), SQLiteCollations.text(right, rightCount)
                        ).rawValue)
                },
                { context in
                    if let context { Unmanaged<ComparatorBox>.fromOpaque(context).release() }
                })
            guard code == SQLITE_OK else { throw connection.error(code, sql: nil) }
        }
    }

    private static func text(_ bytes: UnsafeRawPointer?, _ count: Int32) -> String {
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }
}
