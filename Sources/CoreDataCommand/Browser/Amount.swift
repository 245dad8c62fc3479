// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Numbers of things on pages: "1,884 objects".
enum Amount {
    private static let style = IntegerFormatStyle<Int>.number.locale(Locale(identifier: "en"))

    static func text(_ count: Int) -> String { count.formatted(style) }

    static func text(_ count: Int, _ noun: String) -> String {
        text(count) + Wording.count(count, noun).drop { !$0.isWhitespace }
    }
}
