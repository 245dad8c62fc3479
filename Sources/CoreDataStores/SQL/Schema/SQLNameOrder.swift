// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// Orders of names that the file format prescribes.
enum SQLNameOrder {
    /// Without regard to case, then by bytes: the order in which sibling entities are numbered.
    static func withoutCase(_ left: String, _ right: String) -> Bool {
        let (lowerLeft, lowerRight) = (left.lowercased(), right.lowercased())
        return lowerLeft == lowerRight ? left.precedesBytewise(right) : lowerLeft.precedesBytewise(lowerRight)
    }

    /// The order in which a hash table of CoreFoundation enumerates names that were put in one by one.
    ///
    /// It decides ties between the join tables of Apple's framework.
    ///
    /// - Parameter capacity: The number of names that the table has room for at the start.
    static func hashed(_ names: [String], capacity: Int = 0) -> [String] {
        var level = 0
        while level < limits.count - 1, limits[level] < capacity { level += 1 }
        var slots = [String?](repeating: nil, count: sizes[level])
        for (used, name) in names.enumerated() {
            if used + 1 > limits[level], level < limits.count - 1 {
                level += 1
                let old = slots.compactMap { $0 }
                slots = [String?](repeating: nil, count: sizes[level])
                for name in old { insert(name, into: &slots) }
            }
            // The table grows beyond the largest known size. No model with so many names is known.
            if used + 1 > slots.count { slots.append(name) } else { insert(name, into: &slots) }
        }
        return slots.compactMap { $0 }
    }

    private static let sizes = [3, 7, 13, 23, 41, 71, 127, 191, 251, 383, 631, 1087, 1723]
    private static let limits = [3, 6, 11, 19, 32, 52, 85, 118, 155, 237, 390, 672, 1065]

    private static func insert(_ name: String, into slots: inout [String?]) {
        var slot = Int(hash(name) % UInt64(slots.count))
        while slots[slot] != nil { slot = (slot + 1) % slots.count }
        slots[slot] = name
    }

    /// CoreFoundation's hash of a string of at most 96 UTF-16 units.
    static func hash(_ name: String) -> UInt64 {
        let units = Array(name.utf16)
        var result = UInt64(units.count)
        var index = 0
        while index + 4 <= units.count {
            result =
                result &* 67_503_105 &+ UInt64(units[index]) &* 16_974_593 &+ UInt64(units[index + 1]) &* 66_049
                &+ UInt64(units[index + 2]) &* 257 &+ UInt64(units[index + 3])
            index += 4
        }
        while index < units.count {
            result = result &* 257 &+ UInt64(units[index])
            index += 1
        }
        return result &+ (result << UInt64(units.count & 31))
    }
}
