// SPDX-License-Identifier: Apache-2.0

/// Names within the limit of an engine that would cut longer ones off.
package struct SQLNameLimit: Sendable {
    /// The greatest number of bytes; nil if there is no limit.
    package let maximum: Int?

    package static let none = SQLNameLimit(maximum: nil)

    package init(maximum: Int?) { self.maximum = maximum }

    /// The name itself if it is short enough. Otherwise its end is replaced by a hash of the whole name, so that two
    /// names remain two.
    package func shortened(_ name: String) -> String {
        guard let maximum, name.utf8.count > maximum else { return name }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16, uppercase: true)
        let suffix = "_" + String(repeating: "0", count: 16 - digits.count) + digits
        var prefix = name
        while prefix.utf8.count > maximum - suffix.utf8.count { prefix.removeLast() }
        return prefix + suffix
    }
}
